require "library/book"

module Library
  # All books, in the order in which they stand.
  class Shelf
    include Enumerable

    def initialize(books = [])
      @books = {}
      books.each { |book| add(book) }
    end

    def add(book)
      @books[book.isbn] = book
      self
    end

    def [](isbn)
      @books[Isbn.thirteen(isbn)]
    end

    def each(&block)
      @books.values.sort_by(&:key).each(&block)
    end

    def by_author
      group_by(&:last_name)
    end

    # Books that stand beside one, so many on each side.
    def beside(isbn, count = 1)
      all = to_a
      index = all.index(self[isbn])
      return [] if index.nil?

      first = [index - count, 0].max
      all[first..(index + count)] - [all[index]]
    end
  end
end
