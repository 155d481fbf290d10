module Library
  # Finds books by words.
  class Search
    WEIGHTS = { title: 3, author: 2 }.freeze
    STOP_WORDS = %w[the a an of and].freeze

    def initialize(books)
      @books = books
    end

    # The best books first; a book must hold every word somewhere.
    def find(query, kind: nil, years: nil)
      words = words_of(query)
      return [] if words.empty?

      hits = @books.select { |book| matches?(book, words) && allowed?(book, kind, years) }
      hits.sort_by { |book| [-score(book, words), book.title] }
    end

    def words_of(text)
      text.downcase.scan(/[[:alnum:]]+/) - STOP_WORDS
    end

    private

    def matches?(book, words)
      all = words_of(book.title) + words_of(book.author)
      words.all? { |word| all.any? { |other| other.start_with?(word) } }
    end

    def allowed?(book, kind, years)
      (kind.nil? || book.kind == kind) && (years.nil? || years.cover?(book.year))
    end

    def score(book, words)
      WEIGHTS.sum do |field, weight|
        weight * (words & words_of(book.public_send(field))).length
      end
    end
  end
end
