module Library
  # Numbers for the yearly report.
  class Statistics
    def initialize(desk)
      @desk = desk
    end

    def most_lent(count = 3)
      tally = @desk.loans.map { |loan| loan.book.title }.tally
      tally.sort_by { |title, times| [-times, title] }.first(count).map(&:first)
    end

    # Loans by month, months without one included.
    def by_month(year)
      numbers = @desk.loans.select { |loan| loan.day.year == year }.map { |loan| loan.day.month }.tally
      (1..12).to_h { |month| [month, numbers.fetch(month, 0)] }
    end

    # Share of loans that came back late, in percent.
    def late_percent(today)
      done = @desk.loans
      return 0 if done.empty?

      late = done.count { |loan| loan.days_late(today).positive? }
      (100.0 * late / done.length).round
    end

    def average_days
      done = @desk.loans.reject(&:open?)
      return 0.0 if done.empty?

      (done.sum { |loan| (loan.returned - loan.day).to_i } / done.length.to_f).round(1)
    end

    def table(year)
      by_month(year).map { |month, number| format("%<month>02d %<bar>s", month: month, bar: "#" * number).rstrip }
    end
  end
end
