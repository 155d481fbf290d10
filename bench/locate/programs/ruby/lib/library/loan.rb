require "library/calendar"

module Library
  # One copy in somebody's hands.
  class Loan
    DAYS = { book: 28, film: 7, magazine: 14 }.freeze
    MOST_RENEWALS = 2

    attr_reader :book, :member, :day, :due, :renewals, :returned

    def initialize(book, member, day, calendar)
      @book = book
      @member = member
      @day = day
      @calendar = calendar
      @renewals = 0
      @due = due_after(day)
    end

    def open?
      returned.nil?
    end

    def overdue?(today)
      open? && today > due
    end

    # Open days by which the copy is late.
    def days_late(today)
      @calendar.open_days(due, returned || today)
    end

    def renewable?(today, reserved)
      open? && !reserved && !overdue?(today) && renewals < MOST_RENEWALS
    end

    def renew(today)
      @renewals += 1
      @due = due_after(today)
    end

    def give_back(today)
      @returned = today
    end

    private

    def due_after(day)
      @calendar.next_open(day + DAYS.fetch(book.kind, 28))
    end
  end
end
