package ledger

import (
	"errors"
	"fmt"
	"time"

	"example.com/books/money"
)

// ErrUnbalanced says that the postings of an entry do not add up to nothing.
var ErrUnbalanced = errors.New("the entry is not balanced")

// Posting moves an amount onto an account.
type Posting struct {
	Account string
	Amount  money.Amount
}

// Entry is what happened on one day.
type Entry struct {
	Day      time.Time
	Text     string
	Postings []Posting
	Tags     []string
}

// Sums returns the sum of the postings by currency.
func (e Entry) Sums() map[string]int64 {
	sums := map[string]int64{}
	for _, posting := range e.Postings {
		sums[posting.Amount.Currency] += posting.Amount.Units
	}
	return sums
}

// Check returns an error unless the entry is whole.
func (e Entry) Check() error {
	if len(e.Postings) < 2 {
		return fmt.Errorf("%q has fewer than two postings", e.Text)
	}
	for _, posting := range e.Postings {
		if _, ok := KindOf(posting.Account); !ok {
			return fmt.Errorf("%q is no account", posting.Account)
		}
	}
	for currency, sum := range e.Sums() {
		if sum != 0 {
			return fmt.Errorf("%w: %d %s too much", ErrUnbalanced, sum, currency)
		}
	}
	return nil
}

// Has tells whether the entry bears a tag.
func (e Entry) Has(tag string) bool {
	for _, one := range e.Tags {
		if one == tag {
			return true
		}
	}
	return false
}

// Touches tells whether the entry moves something on the account or below it.
func (e Entry) Touches(account string) bool {
	for _, posting := range e.Postings {
		if Within(posting.Account, account) {
			return true
		}
	}
	return false
}

// Reversed returns the entry that takes this one back.
func (e Entry) Reversed(day time.Time) Entry {
	back := Entry{Day: day, Text: "reversal of " + e.Text, Tags: e.Tags}
	for _, posting := range e.Postings {
		back.Postings = append(back.Postings, Posting{posting.Account, posting.Amount.Neg()})
	}
	return back
}
