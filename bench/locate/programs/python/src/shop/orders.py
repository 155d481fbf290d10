"""From a cart to an order: totals, payment and what may happen to it."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum

from shop import shipping, tax
from shop.cart import Cart
from shop.money import Money, total

RETURN_DAYS = 14


class State(Enum):
    """How far an order is."""

    OPEN = "open"
    PAID = "paid"
    SENT = "sent"
    RETURNED = "returned"
    CANCELLED = "cancelled"


NEXT = {
    State.OPEN: (State.PAID, State.CANCELLED),
    State.PAID: (State.SENT, State.CANCELLED),
    State.SENT: (State.RETURNED,),
}


@dataclass(frozen=True)
class Customer:
    """Who buys."""

    name: str
    country: str = "DE"
    member_years: int = 0
    vat_number: str | None = None


@dataclass(frozen=True)
class Order:
    """What was bought, and what it costs."""

    customer: Customer
    day: date
    goods: Money
    discount: Money
    shipping: Money
    tax: Money
    pieces: int
    state: State = State.OPEN
    sent: date | None = None

    def total(self) -> Money:
        """Return what is to be paid."""
        return self.goods - self.discount + self.shipping + self.tax

    def instalments(self, months: int) -> list[Money]:
        """Return the monthly payments."""
        return self.total().split(months)

    def moved(self, state: State) -> "Order":
        """Return the order in another state; only some steps are possible."""
        if state not in NEXT.get(self.state, ()):
            raise ValueError(f"an order that is {self.state.value} cannot be {state.value}")
        return replace(self, state=state)


def place(cart: Cart, customer: Customer, today: date) -> Order:
    """Turn a cart into an order and take its goods out of stock."""
    if not cart.pieces:
        raise ValueError("the cart is empty")
    order = Order(
        customer=customer,
        day=today,
        goods=cart.goods(),
        discount=cart.discount(customer.member_years, today),
        shipping=shipping.cost(cart.weight_g(), customer.country, cart.goods()),
        tax=_tax(cart, customer),
        pieces=sum(line.pieces for line in cart.lines()),
    )
    for line in cart.lines():
        cart.catalog.take(line.product.number, line.pieces)
    return order


def _tax(cart: Cart, customer: Customer) -> Money:
    if tax.reverse_charge(customer.country, customer.vat_number):
        return Money(0)
    return total([tax.tax_on(line.net(), customer.country, line.product.category) for line in cart.lines()])


def send(order: Order, today: date) -> Order:
    """Send a paid order."""
    return replace(order.moved(State.SENT), sent=today)


def may_return(order: Order, today: date) -> bool:
    """Return whether the goods may still come back: two weeks after they arrived."""
    if order.sent is None:
        return False
    arrived = shipping.arrival(order.sent, order.customer.country)
    return today <= arrived + timedelta(days=RETURN_DAYS)


def refund(order: Order, today: date) -> Money:
    """Return what is paid back: all but the shipping."""
    if not may_return(order, today):
        return Money(0)
    return order.total() - order.shipping
