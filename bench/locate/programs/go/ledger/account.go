// Package ledger keeps accounts and what is booked on them.
package ledger

import "strings"

// Kind says what an account stands for.
type Kind int

// The kinds of accounts.
const (
	Asset Kind = iota
	Liability
	Income
	Expense
	Equity
)

// Account is one account, `assets:bank:giro`.
type Account struct {
	Name string
	Kind Kind
}

var kinds = map[string]Kind{
	"assets":      Asset,
	"liabilities": Liability,
	"income":      Income,
	"expenses":    Expense,
	"equity":      Equity,
}

// KindOf returns the kind that an account's name tells.
func KindOf(name string) (Kind, bool) {
	first, _, _ := strings.Cut(name, ":")
	kind, ok := kinds[strings.ToLower(first)]
	return kind, ok
}

// Parents returns the names of the accounts above one, the nearest first.
func Parents(name string) []string {
	var found []string
	for {
		cut := strings.LastIndex(name, ":")
		if cut < 0 {
			return found
		}
		name = name[:cut]
		found = append(found, name)
	}
}

// Within tells whether an account is another one or lies below it.
func Within(name, other string) bool {
	return name == other || strings.HasPrefix(name, other+":")
}

// Grows tells whether a positive booking makes more of what the account stands for.
func (k Kind) Grows() bool {
	return k == Asset || k == Expense
}

// OfYear tells whether the account begins every year with nothing.
func (k Kind) OfYear() bool {
	return k == Income || k == Expense
}
