module Library
  # Numbers of books, with ten or thirteen digits.
  module Isbn
    module_function

    def normal(text)
      text.delete("- ").upcase
    end

    def valid?(text)
      number = normal(text)
      case number.length
      when 10 then ten?(number)
      when 13 then thirteen?(number)
      else false
      end
    end

    def ten?(number)
      return false unless number.match?(/\A\d{9}[\dX]\z/)

      sum = number.chars.each_with_index.sum { |char, index| (10 - index) * digit(char) }
      (sum % 11).zero?
    end

    def thirteen?(number)
      return false unless number.match?(/\A\d{13}\z/)

      (weighted(number) % 10).zero?
    end

    def digit(char)
      char == "X" ? 10 : char.to_i
    end

    def weighted(number)
      number.chars.each_with_index.sum { |char, index| char.to_i * (index.even? ? 1 : 3) }
    end

    # The number with thirteen digits of a number with ten.
    def thirteen(text)
      number = normal(text)
      return number if number.length == 13

      body = "978#{number[0, 9]}"
      check = (10 - (weighted(body) % 10)) % 10
      "#{body}#{check}"
    end
  end
end
