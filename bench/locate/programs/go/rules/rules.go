// Package rules finds what is odd about a ledger, and what is due.
package rules

import (
	"time"

	"example.com/books/ledger"
	"example.com/books/money"
)

// Budget is what may be spent on an account in a month.
type Budget struct {
	Account string
	Limit   money.Amount
}

// Month returns the period of a month.
func Month(year int, month time.Month) ledger.Period {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return ledger.Period{From: first, To: first.AddDate(0, 1, -1)}
}

// Left returns what is left of a budget in a month.
func (b Budget) Left(books *ledger.Ledger, year int, month time.Month) money.Amount {
	spent := books.Balance(b.Account, Month(year, month))[b.Limit.Currency]
	return money.Amount{Units: b.Limit.Units - spent.Units, Currency: b.Limit.Currency}
}

// Exceeded returns the budgets of which nothing is left.
func Exceeded(budgets []Budget, books *ledger.Ledger, year int, month time.Month) []Budget {
	var found []Budget
	for _, budget := range budgets {
		if budget.Left(books, year, month).Units < 0 {
			found = append(found, budget)
		}
	}
	return found
}

// Interest returns what a balance earned in a period at a rate in thousandths a year, day by day of 365.
func Interest(books *ledger.Ledger, account, currency string, period ledger.Period, rate int64) money.Amount {
	days := int64(period.To.Sub(period.From).Hours()/24) + 1
	balance := books.Balance(account, ledger.Period{To: period.From})[currency]
	return money.Amount{Units: balance.Units * days / 365, Currency: currency}.Percent(rate)
}

// Duplicates returns entries that look as if they had been booked twice within three days.
func Duplicates(books *ledger.Ledger, period ledger.Period) []ledger.Entry {
	var found []ledger.Entry
	entries := books.In(period)
	for i, later := range entries {
		for _, earlier := range entries[:i] {
			if later.Text == earlier.Text && near(earlier, later) && same(earlier, later) {
				found = append(found, later)
				break
			}
		}
	}
	return found
}

func near(earlier, later ledger.Entry) bool {
	return later.Day.Sub(earlier.Day) <= 3*24*time.Hour
}

func same(a, b ledger.Entry) bool {
	if len(a.Postings) != len(b.Postings) {
		return false
	}
	for index, posting := range a.Postings {
		if posting != b.Postings[index] {
			return false
		}
	}
	return true
}

// Tax returns the value added tax within what was earned with a tag, the rate in thousandths.
func Tax(books *ledger.Ledger, period ledger.Period, tag, currency string, rate int64) money.Amount {
	sum := money.Amount{Currency: currency}
	for _, entry := range books.In(period) {
		if !entry.Has(tag) {
			continue
		}
		for _, posting := range entry.Postings {
			kind, _ := ledger.KindOf(posting.Account)
			if kind == ledger.Income && posting.Amount.Currency == currency {
				sum, _ = sum.Add(posting.Amount.Neg())
			}
		}
	}
	return sum.Percent(rate)
}
