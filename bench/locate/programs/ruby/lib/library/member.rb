require "date"

module Library
  # Who borrows.
  class Member
    LIMITS = { child: 5, adult: 10, teacher: 30 }.freeze

    attr_reader :name, :born, :teacher, :joined

    def initialize(name, born:, joined:, teacher: false)
      @name = name
      @born = born
      @joined = joined
      @teacher = teacher
    end

    def age(today)
      years = today.year - born.year
      birthday_over = [today.month, today.day] <=> [born.month, born.day]
      birthday_over.negative? ? years - 1 : years
    end

    def group(today)
      return :teacher if teacher

      age(today) < 16 ? :child : :adult
    end

    def limit(today)
      LIMITS.fetch(group(today))
    end

    # A card holds a year, its last day included.
    def card_valid?(today)
      today <= joined.next_year
    end
  end
end
