package parse

import (
	"strings"
	"testing"
	"time"

	"example.com/books/ledger"
)

func TestTheMissingAmountIsFilledIn(t *testing.T) {
	books, err := Ledger("2026-01-02 a\n  assets:x  1.50 EUR\n  income:y")
	if err != nil {
		t.Fatal(err)
	}
	if got := books.Balance("income", ledger.Period{})["EUR"].Units; got != -150 {
		t.Errorf("got %d", got)
	}
}

func TestWhatIsWrongIsToldWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-02 a\n  assets:x  1 EUR\n  income:y  1 EUR": "line 1: the entry is not balanced: 200 EUR too much",
		"\n  assets:x  1 EUR":                                "line 2: a posting without an entry",
		"2026-13-02 a":                                       "line 1: \"2026-13-02\" is no day",
		"2026-01-02 a\n  assets:x  1.234 EUR":                "line 2: \"1.234 EUR\" has too many digits",
		"2026-01-02 a\n  assets:x\n  income:y":               "line 1: two postings have no amount",
		"2026-01-02 a\n  bank:x  1 EUR\n  income:y":          "line 1: \"bank:x\" is no account",
		"2026-01-02 a\n  assets:x  0 EUR":                    "line 1: \"a\" has fewer than two postings",
	} {
		if _, err := Ledger(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestTagsAreNoWordsOfTheText(t *testing.T) {
	books, err := Ledger("2026-01-02 a #x # b\n  assets:x  1 EUR\n  income:y")
	if err != nil {
		t.Fatal(err)
	}
	entry := books.In(ledger.Period{})[0]
	if entry.Text != "a # b" || strings.Join(entry.Tags, " ") != "x" {
		t.Errorf("got %q %q", entry.Text, entry.Tags)
	}
}

func TestEntriesOfOneDayKeepTheirOrder(t *testing.T) {
	text := ""
	for _, name := range []string{"first", "second", "third"} {
		text += "2026-01-02 " + name + "\n  assets:x  1 EUR\n  income:y\n\n"
	}
	books, err := Ledger(text + "2026-01-01 zero\n  assets:x  1 EUR\n  income:y")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range books.In(ledger.Year(2026)) {
		names = append(names, entry.Text)
	}
	if got := strings.Join(names, " "); got != "zero first second third" {
		t.Errorf("got %s", got)
	}
}

func TestAReversalTakesAnEntryBack(t *testing.T) {
	books, err := Ledger("2026-01-02 a\n  assets:x  1 EUR\n  income:y")
	if err != nil {
		t.Fatal(err)
	}
	entry := books.In(ledger.Period{})[0]
	if err := books.Add(entry.Reversed(time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	if got := books.Balance("assets:x", ledger.Period{})["EUR"]; !got.IsZero() {
		t.Errorf("got %s", got)
	}
}
