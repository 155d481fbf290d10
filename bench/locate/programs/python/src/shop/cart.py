"""A cart: lines of products before they are ordered."""

from dataclasses import dataclass, field
from datetime import date

from shop import discounts
from shop.catalog import Catalog, Product
from shop.money import Money, total

MAX_PIECES = 99


@dataclass(frozen=True)
class Line:
    """So many pieces of one product."""

    product: Product
    pieces: int

    def net(self) -> Money:
        """Return the price of the line, free pieces of a bundle left out."""
        paid = self.pieces
        if self.product.category == "bundle":
            paid -= discounts.bundle_free(self.pieces)
        return self.product.price.times(paid)

    def weight_g(self) -> int:
        """Return the weight of all pieces."""
        return self.product.weight_g * self.pieces


@dataclass
class Cart:
    """What somebody wants to buy."""

    catalog: Catalog
    pieces: dict[str, int] = field(default_factory=dict)
    coupons: list[discounts.Coupon] = field(default_factory=list)

    def put(self, number: str, pieces: int = 1) -> None:
        """Put pieces of a product in; what lies there already is added to."""
        wanted = self.pieces.get(number, 0) + pieces
        if not self.catalog.available(number, wanted):
            raise ValueError(f"{number} is sold out")
        self.pieces[number] = min(wanted, MAX_PIECES)

    def remove(self, number: str, pieces: int | None = None) -> None:
        """Take pieces out, all of them by default."""
        left = 0 if pieces is None else self.pieces[number] - pieces
        if left > 0:
            self.pieces[number] = left
        else:
            del self.pieces[number]

    def lines(self) -> list[Line]:
        """Return the lines in the order of product numbers."""
        return [Line(self.catalog.product(number), count) for number, count in sorted(self.pieces.items())]

    def goods(self) -> Money:
        """Return the net price of all lines."""
        return total([line.net() for line in self.lines()])

    def weight_g(self) -> int:
        """Return the weight of all lines."""
        return sum(line.weight_g() for line in self.lines())

    def discount(self, years: int, today: date) -> Money:
        """Return what is taken off the goods."""
        return discounts.discount(self.goods(), self.coupons, years, today)
