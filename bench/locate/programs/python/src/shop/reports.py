"""What the shop sold, as texts and tables."""

from collections import defaultdict

from shop.money import Money, total, written
from shop.orders import Order, State

SOLD = (State.PAID, State.SENT)


def sold(orders: list[Order]) -> list[Order]:
    """Return the orders that brought money."""
    return [order for order in orders if order.state in SOLD]


def revenue(orders: list[Order]) -> Money:
    """Return what all sold orders brought, tax and shipping left out."""
    return total([order.goods - order.discount for order in sold(orders)])


def by_country(orders: list[Order]) -> dict[str, Money]:
    """Return the revenue of each country, the largest first."""
    groups: dict[str, list[Order]] = defaultdict(list)
    for order in orders:
        groups[order.customer.country].append(order)
    sums = {country: revenue(group) for country, group in groups.items()}
    return dict(sorted(sums.items(), key=lambda pair: -pair[1].cents))


def average(orders: list[Order]) -> Money:
    """Return the mean revenue of a sold order, nothing where none was sold."""
    count = len(sold(orders))
    return Money(revenue(orders).cents // count) if count else Money(0)


def table(orders: list[Order]) -> str:
    """Return the countries and what they brought as aligned lines."""
    rows = [(country, written(amount)) for country, amount in by_country(orders).items()]
    width = max((len(amount) for _, amount in rows), default=0)
    return "\n".join(f"{country} {amount.rjust(width)}" for country, amount in rows)


def receipt(order: Order) -> str:
    """Return an order as a text for its customer."""
    lines = [
        f"{order.customer.name}, {order.day.isoformat()}",
        f"goods {written(order.goods)}",
        f"discount {written(Money(0) - order.discount)}",
        f"shipping {written(order.shipping)}",
        f"tax {written(order.tax)}",
        f"total {written(order.total())}",
    ]
    return "\n".join(line for line in lines if not line.endswith("€0.00"))
