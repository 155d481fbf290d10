require "date"

module Library
  # Days on which the library is open.
  class Calendar
    CLOSED_WEEKDAYS = [0, 1].freeze

    def initialize(holidays = [])
      @holidays = holidays
    end

    def open?(day)
      !CLOSED_WEEKDAYS.include?(day.wday) && !holiday?(day)
    end

    def holiday?(day)
      @holidays.any? { |holiday| holiday.month == day.month && holiday.day == day.day }
    end

    # The day itself if it is open, else the next one that is.
    def next_open(day)
      day += 1 until open?(day)
      day
    end

    # Open days after the first day, up to and with the last.
    def open_days(first, last)
      return 0 if last <= first

      ((first + 1)..last).count { |day| open?(day) }
    end
  end
end
