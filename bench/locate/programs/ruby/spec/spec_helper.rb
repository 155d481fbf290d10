require "library"

module Examples
  def shelf
    @shelf ||= Library::Shelf.new([
      Library::Book.new(isbn: "0-306-40615-2", title: "The Art of Tea", author: "Ada Miller", year: 1999, copies: 2),
      Library::Book.new(isbn: "978-3-16-148410-0", title: "Tea Gardens", author: "Low, Bea", year: 2010),
      Library::Book.new(isbn: "0-8044-2957-X", title: "A Film of Rain", author: "Cyd Park", year: 2015, kind: :film),
      Library::Book.new(isbn: "0-19-852663-6", title: "Rivers", author: "Dan Art", year: 2001),
    ])
  end

  def desk
    @desk ||= Library::Desk.new(shelf, calendar: Library::Calendar.new([Date.new(2000, 5, 1)]))
  end

  def adult(name = "Eve")
    Library::Member.new(name, born: Date.new(1980, 6, 15), joined: Date.new(2026, 1, 2))
  end

  def child
    Library::Member.new("Kim", born: Date.new(2012, 4, 2), joined: Date.new(2026, 1, 2))
  end

  ART = "9780306406157".freeze
  GARDENS = "9783161484100".freeze
  FILM = "080442957X".freeze
  RIVERS = "0198526636".freeze
end

RSpec.configure { |config| config.include Examples }
