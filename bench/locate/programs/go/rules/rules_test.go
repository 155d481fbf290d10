package rules

import (
	"testing"
	"time"

	"example.com/books/ledger"
	"example.com/books/money"
	"example.com/books/parse"
)

const text = `
2026-01-01 start
  assets:savings  1000.00 EUR
  equity:opening

2026-01-15 shop #sales
  income:shop  -119.00 EUR
  assets:savings

2026-01-31 food
  expenses:food  80.00 EUR
  assets:cash

2026-02-01 food
  expenses:food  80.00 EUR
  assets:cash

2026-02-05 food
  expenses:food  80.00 EUR
  assets:cash

2026-02-06 shop
  income:shop  -50.00 EUR
  assets:cash
`

func books(t *testing.T) *ledger.Ledger {
	t.Helper()
	read, err := parse.Ledger(text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func euros(text string) money.Amount {
	amount, err := money.Parse(text + " EUR")
	if err != nil {
		panic(err)
	}
	return amount
}

func TestABudgetHoldsForAMonth(t *testing.T) {
	budget := Budget{"expenses:food", euros("100")}
	if left := budget.Left(books(t), 2026, time.January); left != euros("20") {
		t.Errorf("January: %s", left)
	}
	if left := budget.Left(books(t), 2026, time.February); left != euros("-60") {
		t.Errorf("February: %s", left)
	}
}

func TestABudgetUsedUpIsNotExceeded(t *testing.T) {
	budgets := []Budget{{"expenses:food", euros("160")}, {"expenses:food", euros("159.99")}}
	found := Exceeded(budgets, books(t), 2026, time.February)
	if len(found) != 1 || found[0] != budgets[1] {
		t.Errorf("got %v", found)
	}
}

func TestWhatIsBookedTwiceWithinThreeDaysIsFound(t *testing.T) {
	found := Duplicates(books(t), ledger.Period{})
	if len(found) != 1 || found[0].Day.Day() != 1 {
		t.Errorf("got %v", found)
	}
}

func TestInterestIsOfTheBalanceAtTheBeginning(t *testing.T) {
	got := Interest(books(t), "assets:savings", "EUR", ledger.Year(2026), 25)
	if got != euros("25") {
		t.Errorf("got %s", got)
	}
}

func TestTaxIsDueOnWhatIsTagged(t *testing.T) {
	if got := Tax(books(t), Month(2026, time.January), "sales", "EUR", 195); got != euros("23.21") {
		t.Errorf("got %s", got)
	}
	if got := Tax(books(t), Month(2026, time.February), "sales", "EUR", 190); !got.IsZero() {
		t.Errorf("got %s", got)
	}
}

func TestALossRoundsLikeAGain(t *testing.T) {
	if got := euros("-0.50").Percent(30); got != euros("-0.02") {
		t.Errorf("got %s", got)
	}
}
