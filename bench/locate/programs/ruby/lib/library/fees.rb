module Library
  # What late books cost, in cents.
  class Fees
    PER_DAY = { book: 20, film: 100, magazine: 10 }.freeze
    GRACE_DAYS = 2
    MOST = 1500
    REMINDERS = [[30, 500], [14, 300], [7, 150]].freeze

    # The fee of one loan: by days, never more than the most; children pay half of it.
    def fee(loan, today)
      late = loan.days_late(today)
      return 0 if late <= GRACE_DAYS

      by_day = late * PER_DAY.fetch(loan.book.kind, 20)
      amount = [by_day, MOST].min + reminder(late)
      loan.member.group(today) == :child ? half(amount) : amount
    end

    # The fee of the latest reminder that was due.
    def reminder(late)
      _, amount = REMINDERS.find { |days, _| late >= days }
      amount || 0
    end

    def total(loans, today)
      loans.sum { |loan| fee(loan, today) }
    end

    private

    # Half, rounded up to ten cents.
    def half(amount)
      (amount / 20.0).ceil * 10
    end
  end
end
