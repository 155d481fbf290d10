require "library/isbn"

module Library
  class InvalidBook < StandardError; end

  # One title, of which the library has some copies.
  class Book
    attr_reader :isbn, :title, :author, :year, :kind, :copies

    def initialize(isbn:, title:, author:, year:, kind: :book, copies: 1)
      raise InvalidBook, "no such number: #{isbn}" unless Isbn.valid?(isbn)

      @isbn = Isbn.thirteen(isbn)
      @title = title
      @author = author
      @year = year
      @kind = kind
      @copies = copies
    end

    # By which books are put on shelves: the author's last name, the title without an article.
    def key
      [last_name.downcase, plain_title.downcase, year]
    end

    def last_name
      author.include?(",") ? author.split(",").first : author.split.last
    end

    def plain_title
      title.sub(/\A(The|An?)\s+/i, "")
    end

    def label
      "#{last_name[0, 3].upcase} #{year.to_s[-2, 2]}"
    end
  end
end
