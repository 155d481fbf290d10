// Package report writes ledgers for people.
package report

import (
	"fmt"
	"strings"

	"example.com/books/ledger"
	"example.com/books/money"
)

// Row is one line of a report.
type Row struct {
	Name   string
	Depth  int
	Amount money.Amount
}

// Balances returns a row for each account in one currency, those without anything left out.
func Balances(books *ledger.Ledger, period ledger.Period, currency string, depth int) []Row {
	var rows []Row
	for _, name := range books.Accounts() {
		level := len(ledger.Parents(name))
		if level >= depth {
			continue
		}
		amount, ok := books.Balance(name, period)[currency]
		if !ok || amount.IsZero() {
			continue
		}
		rows = append(rows, Row{Name: name, Depth: level, Amount: shown(name, amount)})
	}
	return rows
}

// shown turns the sign, so that people see what they earned as more than nothing.
func shown(name string, amount money.Amount) money.Amount {
	if kind, ok := ledger.KindOf(name); ok && !kind.Grows() {
		return amount.Neg()
	}
	return amount
}

// Profit returns what was earned less what was spent.
func Profit(books *ledger.Ledger, period ledger.Period, currency string) money.Amount {
	earned := books.Balance("income", period)[currency]
	spent := books.Balance("expenses", period)[currency]
	return money.Amount{Units: -earned.Units - spent.Units, Currency: currency}
}

// Text writes rows, indented by their depth, the amounts right aligned.
func Text(rows []Row) string {
	name, amount := 0, 0
	for _, row := range rows {
		name = longer(name, 2*row.Depth+len(last(row.Name)))
		amount = longer(amount, len(row.Amount.String()))
	}
	var lines []string
	for _, row := range rows {
		left := strings.Repeat("  ", row.Depth) + last(row.Name)
		lines = append(lines, fmt.Sprintf("%-*s  %*s", name, left, amount, row.Amount))
	}
	return strings.Join(lines, "\n")
}

func longer(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func last(name string) string {
	return name[strings.LastIndex(name, ":")+1:]
}

// Journal writes the entries that touch an account, with the balance after each.
func Journal(books *ledger.Ledger, account, currency string, period ledger.Period) []string {
	var lines []string
	for _, entry := range books.In(period) {
		if !entry.Touches(account) {
			continue
		}
		until := ledger.Period{To: entry.Day}
		balance := books.Balance(account, until)[currency]
		lines = append(lines, fmt.Sprintf("%s %s: %s", entry.Day.Format("02.01."), entry.Text, balance))
	}
	return lines
}
