"""Value added tax by country and category."""

from shop.money import Money, round_half_up

STANDARD = {"DE": 19, "FR": 20, "IT": 22, "NL": 21}
REDUCED = {"DE": 7, "FR": 10, "IT": 10, "NL": 9}
REDUCED_CATEGORIES = ("food", "books", "medicine")


def rate(country: str, category: str) -> int:
    """Return the percent of tax; nothing outside the union."""
    if country not in STANDARD:
        return 0
    table = REDUCED if category in REDUCED_CATEGORIES else STANDARD
    return table[country]


def tax_on(net: Money, country: str, category: str) -> Money:
    """Return the tax that comes on top of a net amount."""
    return net.share(rate(country, category))


def tax_within(gross: Money, country: str, category: str) -> Money:
    """Return the tax that a gross amount holds."""
    percent = rate(country, category)
    return Money(round_half_up(gross.cents * percent, 100 + percent), gross.currency)


def reverse_charge(country: str, vat_number: str | None) -> bool:
    """Return whether the buyer pays the tax: a business of another country of the union."""
    return vat_number is not None and vat_number[:2] == country and country != "DE"
