// Package parse reads ledgers from text.
package parse

import (
	"fmt"
	"strings"
	"time"

	"example.com/books/ledger"
	"example.com/books/money"
)

// Error tells in which line a text cannot be read.
type Error struct {
	Line int
	What string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d: %s", e.Line, e.What)
}

// Ledger reads entries: a line with day, text and #tags, then indented lines of account and amount.
func Ledger(text string) (*ledger.Ledger, error) {
	books := &ledger.Ledger{}
	var entry *ledger.Entry
	start := 0
	finish := func() error {
		if entry == nil {
			return nil
		}
		if err := complete(entry); err != nil {
			return &Error{start, err.Error()}
		}
		if err := books.Add(*entry); err != nil {
			return &Error{start, err.Error()}
		}
		entry = nil
		return nil
	}
	for index, line := range strings.Split(text, "\n") {
		line = withoutComment(line)
		switch {
		case strings.TrimSpace(line) == "":
			if err := finish(); err != nil {
				return nil, err
			}
		case line[0] == ' ' || line[0] == '\t':
			if entry == nil {
				return nil, &Error{index + 1, "a posting without an entry"}
			}
			posting, err := posting(line)
			if err != nil {
				return nil, &Error{index + 1, err.Error()}
			}
			entry.Postings = append(entry.Postings, posting)
		default:
			if err := finish(); err != nil {
				return nil, err
			}
			head, err := heading(line)
			if err != nil {
				return nil, &Error{index + 1, err.Error()}
			}
			entry, start = &head, index+1
		}
	}
	if err := finish(); err != nil {
		return nil, err
	}
	return books, nil
}

func withoutComment(line string) string {
	if at := strings.Index(line, ";"); at >= 0 {
		return strings.TrimRight(line[:at], " \t")
	}
	return line
}

func heading(line string) (ledger.Entry, error) {
	first, rest, _ := strings.Cut(line, " ")
	day, err := time.Parse("2006-01-02", first)
	if err != nil {
		return ledger.Entry{}, fmt.Errorf("%q is no day", first)
	}
	var words, tags []string
	for _, word := range strings.Fields(rest) {
		if strings.HasPrefix(word, "#") && len(word) > 1 {
			tags = append(tags, word[1:])
		} else {
			words = append(words, word)
		}
	}
	return ledger.Entry{Day: day, Text: strings.Join(words, " "), Tags: tags}, nil
}

func posting(line string) (ledger.Posting, error) {
	account, amount, found := strings.Cut(strings.TrimSpace(line), "  ")
	if !found {
		return ledger.Posting{Account: account}, nil
	}
	parsed, err := money.Parse(amount)
	if err != nil {
		return ledger.Posting{}, err
	}
	return ledger.Posting{Account: account, Amount: parsed}, nil
}

// complete gives the one posting without an amount what is missing.
func complete(entry *ledger.Entry) error {
	open := -1
	for index, posting := range entry.Postings {
		if posting.Amount.Currency != "" {
			continue
		}
		if open >= 0 {
			return fmt.Errorf("two postings have no amount")
		}
		open = index
	}
	if open < 0 {
		return nil
	}
	sums := entry.Sums()
	delete(sums, "")
	if len(sums) != 1 {
		return fmt.Errorf("the missing amount could be of %d currencies", len(sums))
	}
	for currency, sum := range sums {
		entry.Postings[open].Amount = money.Amount{Units: -sum, Currency: currency}
	}
	return nil
}
