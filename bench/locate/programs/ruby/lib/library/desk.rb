require "library/calendar"
require "library/fees"
require "library/loan"
require "library/member"
require "library/shelf"

module Library
  class Refused < StandardError; end

  # Where books are lent, taken back and reserved.
  class Desk
    MOST_FEES = 1000

    attr_reader :shelf, :loans

    def initialize(shelf, calendar: Calendar.new, fees: Fees.new)
      @shelf = shelf
      @calendar = calendar
      @fees = fees
      @loans = []
      @reservations = Hash.new { |hash, isbn| hash[isbn] = [] }
    end

    def lend(isbn, member, today)
      book = shelf[isbn] or raise Refused, "unknown book"
      refuse(book, member, today)
      @reservations[book.isbn].delete(member)
      loan = Loan.new(book, member, today, @calendar)
      @loans << loan
      loan
    end

    def take_back(loan, today)
      loan.give_back(today)
      @fees.fee(loan, today)
    end

    def renew(loan, today)
      raise Refused, "not renewable" unless loan.renewable?(today, reserved?(loan.book))

      loan.renew(today)
    end

    def reserve(isbn, member)
      queue = @reservations[shelf[isbn].isbn]
      queue << member unless queue.include?(member)
      queue.length
    end

    def reserved?(book)
      !@reservations[book.isbn].empty?
    end

    def available(book)
      book.copies - open_loans.count { |loan| loan.book == book }
    end

    def open_loans(member = nil)
      @loans.select { |loan| loan.open? && (member.nil? || loan.member == member) }
    end

    def owed(member, today)
      @fees.total(@loans.select { |loan| loan.member == member }, today)
    end

    def reminders(today)
      late = open_loans.select { |loan| loan.overdue?(today) }
      late.group_by(&:member).transform_values { |loans| loans.map { |loan| loan.book.title }.sort }
    end

    private

    def refuse(book, member, today)
      raise Refused, "closed" unless @calendar.open?(today)
      raise Refused, "card expired" unless member.card_valid?(today)
      raise Refused, "too many books" if open_loans(member).length >= member.limit(today)
      raise Refused, "fees unpaid" if owed(member, today) > MOST_FEES
      raise Refused, "no copy left" unless available(book).positive?
      raise Refused, "reserved" unless first_in_line?(book, member)
    end

    def first_in_line?(book, member)
      queue = @reservations[book.isbn]
      queue.empty? || queue.first(available(book)).include?(member)
    end
  end
end
