"""Rules by which a price becomes lower."""

from dataclasses import dataclass
from datetime import date

from shop.money import Money

TIERS = ((100_00, 10), (50_00, 5))
MAX_PERCENT = 30


@dataclass(frozen=True)
class Coupon:
    """A code that is worth some percent, until a day, from an amount up."""

    code: str
    percent: int
    until: date
    minimum: Money = Money(0)

    def holds(self, amount: Money, today: date) -> bool:
        """Return whether the coupon can be used for the amount today; its last day counts."""
        return today <= self.until and amount.cents >= self.minimum.cents


def tier_percent(amount: Money) -> int:
    """Return the percent that an amount of this height earns."""
    for least, percent in TIERS:
        if amount.cents >= least:
            return percent
    return 0


def member_percent(years: int) -> int:
    """Return the percent for a member of so many years: one a year, at most seven."""
    return min(max(years, 0), 7)


def bundle_free(pieces: int, every: int = 4) -> int:
    """Return how many pieces are free where every fourth is."""
    return pieces // every


def combined(percents: list[int]) -> int:
    """Return what several discounts give together, never more than the maximum."""
    return min(sum(percents), MAX_PERCENT)


def discount(amount: Money, coupons: list[Coupon], years: int, today: date) -> Money:
    """Return what is taken off the amount: the best coupon, the tier and membership together."""
    usable = [coupon.percent for coupon in coupons if coupon.holds(amount, today)]
    best = max(usable, default=0)
    percent = combined([best, tier_percent(amount), member_percent(years)])
    return amount.share(percent)
