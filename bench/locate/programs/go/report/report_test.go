package report

import (
	"reflect"
	"strings"
	"testing"

	"example.com/books/ledger"
	"example.com/books/parse"
)

const text = `
2026-01-02 wages #job
  income:wages  -2500.00 EUR
  assets:bank:giro  2500.00 EUR

2026-01-05 rent
  expenses:home:rent  800.00 EUR
  assets:bank:giro

2026-01-05 lunch ; with friends
  expenses:food  12.5 EUR
  assets:cash  -12.50 EUR

2025-12-31 before
  assets:cash  50.00 EUR
  equity:opening

2026-02-01 trip
  expenses:travel  3000 JPY
  liabilities:card
`

func books(t *testing.T) *ledger.Ledger {
	t.Helper()
	read, err := parse.Ledger(text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestBalancesOfAYearAreIndented(t *testing.T) {
	got := Text(Balances(books(t), ledger.Year(2026), "EUR", 2))
	want := "assets    1687.50 EUR\n" +
		"  bank    1700.00 EUR\n" +
		"  cash     -12.50 EUR\n" +
		"expenses   812.50 EUR\n" +
		"  food      12.50 EUR\n" +
		"  home     800.00 EUR\n" +
		"income    2500.00 EUR\n" +
		"  wages   2500.00 EUR"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAmountsHaveTheDigitsOfTheirCurrency(t *testing.T) {
	got := Text(Balances(books(t), ledger.Period{}, "JPY", 1))
	if want := "expenses     3000 JPY\nliabilities  3000 JPY"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAccountsAreShownToTheirDepth(t *testing.T) {
	rows := Balances(books(t), ledger.Year(2026), "EUR", 3)
	if len(rows) != 10 {
		t.Errorf("got %d rows, want 10", len(rows))
	}
	if got := Text(rows); !strings.Contains(got, "\n    giro ") {
		t.Errorf("got\n%s", got)
	}
}

func TestTheProfitIsWhatIsLeft(t *testing.T) {
	if got := Profit(books(t), ledger.Year(2026), "EUR").String(); got != "1687.50 EUR" {
		t.Errorf("got %s", got)
	}
}

func TestTheJournalShowsTheBalanceAfterEachEntry(t *testing.T) {
	got := Journal(books(t), "assets", "EUR", ledger.Year(2026))
	want := []string{"02.01. wages: 2550.00 EUR", "05.01. rent: 1737.50 EUR", "05.01. lunch: 1737.50 EUR"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheJournalOfOneAccountLeavesOutItsNeighbours(t *testing.T) {
	if got := Journal(books(t), "assets:ca", "EUR", ledger.Period{}); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestAClosedYearHasNoProfit(t *testing.T) {
	all := books(t)
	if err := all.Close(2026, "equity:profit"); err != nil {
		t.Fatal(err)
	}
	if got := Profit(all, ledger.Year(2026), "EUR"); !got.IsZero() {
		t.Errorf("got %s", got)
	}
	rows := Balances(all, ledger.Year(2026), "EUR", 1)
	if len(rows) != 2 || rows[1].Name != "equity" || rows[1].Amount.Units != 168750 {
		t.Errorf("got %v", rows)
	}
}
