package ledger

import (
	"sort"
	"time"

	"example.com/books/money"
)

// Ledger is all entries.
type Ledger struct {
	entries []Entry
}

// Period is the days from From to To, both included; zero days are open ends.
type Period struct {
	From, To time.Time
}

// Holds tells whether the day lies in the period.
func (p Period) Holds(day time.Time) bool {
	if !p.From.IsZero() && day.Before(p.From) {
		return false
	}
	return p.To.IsZero() || !day.After(p.To)
}

// Year returns the period of one year.
func Year(year int) Period {
	return Period{
		From: time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC),
		To:   time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC),
	}
}

// Add takes an entry in, in the order of days.
func (l *Ledger) Add(entry Entry) error {
	if err := entry.Check(); err != nil {
		return err
	}
	at := sort.Search(len(l.entries), func(i int) bool {
		return l.entries[i].Day.After(entry.Day)
	})
	l.entries = append(l.entries, Entry{})
	copy(l.entries[at+1:], l.entries[at:])
	l.entries[at] = entry
	return nil
}

// In returns the entries of a period.
func (l *Ledger) In(period Period) []Entry {
	var found []Entry
	for _, entry := range l.entries {
		if period.Holds(entry.Day) {
			found = append(found, entry)
		}
	}
	return found
}

// Balance returns what is booked on an account and those below it, by currency.
func (l *Ledger) Balance(account string, period Period) map[string]money.Amount {
	sums := map[string]money.Amount{}
	for _, entry := range l.In(period) {
		for _, posting := range entry.Postings {
			if !Within(posting.Account, account) {
				continue
			}
			currency := posting.Amount.Currency
			sum, ok := sums[currency]
			if !ok {
				sum = money.Amount{Currency: currency}
			}
			sum, _ = sum.Add(posting.Amount)
			sums[currency] = sum
		}
	}
	return sums
}

// Accounts returns the names of all accounts that were used, and of those above them, in order.
func (l *Ledger) Accounts() []string {
	seen := map[string]bool{}
	for _, entry := range l.entries {
		for _, posting := range entry.Postings {
			seen[posting.Account] = true
			for _, parent := range Parents(posting.Account) {
				seen[parent] = true
			}
		}
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Close books what a year earned onto an account of equity.
func (l *Ledger) Close(year int, onto string) error {
	period := Year(year)
	entry := Entry{Day: period.To, Text: "closing", Tags: []string{"closing"}}
	for _, name := range l.Accounts() {
		kind, ok := KindOf(name)
		if !ok || !kind.OfYear() || len(Parents(name)) == 0 {
			continue
		}
		for _, sum := range l.own(name, period) {
			if sum.IsZero() {
				continue
			}
			entry.Postings = append(entry.Postings, Posting{name, sum.Neg()}, Posting{onto, sum})
		}
	}
	return l.Add(entry)
}

func (l *Ledger) own(account string, period Period) []money.Amount {
	sums := map[string]money.Amount{}
	for _, entry := range l.In(period) {
		for _, posting := range entry.Postings {
			if posting.Account == account {
				currency := posting.Amount.Currency
				sums[currency] = money.Amount{Units: sums[currency].Units + posting.Amount.Units, Currency: currency}
			}
		}
	}
	var found []money.Amount
	for _, sum := range sums {
		found = append(found, sum)
	}
	return found
}
