// Package money counts in the smallest unit of a currency.
package money

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCurrency says that amounts of two currencies were put together.
var ErrCurrency = errors.New("currencies differ")

// Amount is so many units of a currency.
type Amount struct {
	Units    int64
	Currency string
}

var digits = map[string]int{"EUR": 2, "USD": 2, "JPY": 0, "BHD": 3}

// Digits returns how many digits stand behind the point.
func Digits(currency string) int {
	if count, ok := digits[currency]; ok {
		return count
	}
	return 2
}

// Add returns the sum.
func (a Amount) Add(other Amount) (Amount, error) {
	if a.Currency != other.Currency {
		return Amount{}, fmt.Errorf("%w: %s and %s", ErrCurrency, a.Currency, other.Currency)
	}
	return Amount{a.Units + other.Units, a.Currency}, nil
}

// Neg returns what is left when the amount is paid.
func (a Amount) Neg() Amount {
	return Amount{-a.Units, a.Currency}
}

// IsZero tells whether nothing is owed.
func (a Amount) IsZero() bool {
	return a.Units == 0
}

// Percent returns a share of the amount in thousandths, rounded half up.
func (a Amount) Percent(thousandths int64) Amount {
	product := a.Units * thousandths
	if product < 0 {
		return Amount{-((-product + 500) / 1000), a.Currency}
	}
	return Amount{(product + 500) / 1000, a.Currency}
}

func power(count int) int64 {
	result := int64(1)
	for i := 0; i < count; i++ {
		result *= 10
	}
	return result
}

// String writes the amount with its digits and currency.
func (a Amount) String() string {
	count := Digits(a.Currency)
	units, sign := a.Units, ""
	if units < 0 {
		units, sign = -units, "-"
	}
	if count == 0 {
		return fmt.Sprintf("%s%d %s", sign, units, a.Currency)
	}
	scale := power(count)
	return fmt.Sprintf("%s%d.%0*d %s", sign, units/scale, count, units%scale, a.Currency)
}

// Parse reads what String writes.
func Parse(text string) (Amount, error) {
	number, currency, found := strings.Cut(strings.TrimSpace(text), " ")
	if !found {
		return Amount{}, fmt.Errorf("%q has no currency", text)
	}
	negative := strings.HasPrefix(number, "-")
	number = strings.TrimPrefix(number, "-")
	whole, rest, _ := strings.Cut(number, ".")
	count := Digits(currency)
	if len(rest) > count {
		return Amount{}, fmt.Errorf("%q has too many digits", text)
	}
	rest += strings.Repeat("0", count-len(rest))
	units, err := strconv.ParseInt(whole+rest, 10, 64)
	if err != nil {
		return Amount{}, fmt.Errorf("%q is no amount", text)
	}
	if negative {
		units = -units
	}
	return Amount{units, currency}, nil
}
