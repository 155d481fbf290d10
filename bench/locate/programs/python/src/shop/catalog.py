"""What is sold: products, their prices and how much of them lies in stock."""

from dataclasses import dataclass, field

from shop.money import Money, parsed


class UnknownProduct(KeyError):
    """No product has this number."""


@dataclass(frozen=True)
class Product:
    """One product."""

    number: str
    name: str
    price: Money
    category: str = "other"
    weight_g: int = 500


@dataclass
class Catalog:
    """All products by their numbers."""

    products: dict[str, Product] = field(default_factory=dict)
    stock: dict[str, int] = field(default_factory=dict)

    def add(self, product: Product, pieces: int = 0) -> None:
        """Take a product in, with so many pieces of it."""
        self.products[product.number] = product
        self.stock[product.number] = self.stock.get(product.number, 0) + pieces

    def product(self, number: str) -> Product:
        """Return the product of that number."""
        if number not in self.products:
            raise UnknownProduct(number)
        return self.products[number]

    def available(self, number: str, pieces: int) -> bool:
        """Return whether so many pieces can be sold."""
        return self.stock.get(number, 0) >= pieces

    def take(self, number: str, pieces: int) -> int:
        """Take pieces out of stock and return how many are left."""
        if not self.available(number, pieces):
            raise ValueError(f"only {self.stock.get(number, 0)} of {number}")
        self.stock[number] -= pieces
        return self.stock[number]

    def search(self, words: str) -> list[Product]:
        """Return the products whose names hold all words, the cheapest first."""
        wanted = words.lower().split()
        found = [one for one in self.products.values() if all(word in one.name.lower() for word in wanted)]
        return sorted(found, key=lambda one: one.price.cents)

    def running_out(self, below: int = 3) -> list[str]:
        """Return the numbers of products of which fewer pieces are left."""
        return sorted(number for number, pieces in self.stock.items() if pieces < below)


def read_catalog(lines: list[str]) -> Catalog:
    """Return the catalog in lines of `number;name;price;category;grams;pieces`."""
    catalog = Catalog()
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        number, name, price, category, grams, pieces = (part.strip() for part in line.split(";"))
        catalog.add(Product(number, name, parsed(price), category, int(grams)), int(pieces))
    return catalog
