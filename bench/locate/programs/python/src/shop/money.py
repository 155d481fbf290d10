"""Amounts of money in cents."""

from dataclasses import dataclass

SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£"}


class CurrencyMismatch(ValueError):
    """Amounts of two currencies were put together."""


@dataclass(frozen=True)
class Money:
    """An amount in the smallest unit of its currency."""

    cents: int
    currency: str = "EUR"

    def __add__(self, other: "Money") -> "Money":
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        self._same(other)
        return Money(self.cents - other.cents, self.currency)

    def times(self, factor: int) -> "Money":
        """Return the amount so many times."""
        return Money(self.cents * factor, self.currency)

    def share(self, percent: int) -> "Money":
        """Return so many percent of the amount, half a cent rounded up."""
        return Money(round_half_up(self.cents * percent, 100), self.currency)

    def split(self, parts: int) -> list["Money"]:
        """Return the amount in equal parts; the first ones take a cent more where it does not divide."""
        base, rest = divmod(self.cents, parts)
        return [Money(base + (1 if n < rest else 0), self.currency) for n in range(parts)]

    def is_negative(self) -> bool:
        """Return whether something is owed."""
        return self.cents < 0

    def _same(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")


def round_half_up(value: int, divisor: int) -> int:
    """Return value / divisor as an integer, halves away from zero."""
    sign = -1 if value < 0 else 1
    return sign * ((abs(value) * 2 + divisor) // (2 * divisor))


def total(amounts: list[Money], currency: str = "EUR") -> Money:
    """Return the sum, nothing for no amounts."""
    result = Money(0, currency)
    for amount in amounts:
        result = result + amount
    return result


def written(amount: Money) -> str:
    """Return the amount as people write it."""
    sign = "-" if amount.is_negative() else ""
    whole, rest = divmod(abs(amount.cents), 100)
    grouped = f"{whole:,}"
    return f"{sign}{SYMBOLS.get(amount.currency, amount.currency)}{grouped}.{rest:02d}"


def parsed(text: str) -> Money:
    """Return the amount that a text like `€12.50` or `12.5` tells."""
    text = text.strip()
    currency = "EUR"
    for code, symbol in SYMBOLS.items():
        if text.startswith(symbol):
            currency, text = code, text[len(symbol) :]
    whole, _, rest = text.replace(",", "").partition(".")
    return Money(int(whole) * 100 + int(rest.ljust(2, "0")[:2] or 0), currency)
