from datetime import date

from shop.cart import Cart
from shop.catalog import Catalog
from shop.orders import Customer, Order, State, place
from shop.reports import average, by_country, receipt, revenue, table

DAY = date(2026, 3, 2)


def order(catalog: Catalog, customer: Customer, number: str, pieces: int, state: State = State.PAID) -> Order:
    cart = Cart(catalog)
    cart.put(number, pieces)
    placed = place(cart, customer, DAY)
    return placed if state is State.OPEN else placed.moved(state)


def orders(catalog: Catalog) -> list[Order]:
    return [
        order(catalog, Customer("Ada"), "B1", 4),
        order(catalog, Customer("Bea", country="FR"), "A1", 1),
        order(catalog, Customer("Cyd", country="FR"), "A1", 2, State.CANCELLED),
        order(catalog, Customer("Dan", country="FR", member_years=9), "B2", 5),
    ]


def test_only_sold_orders_count(catalog: Catalog) -> None:
    assert revenue(orders(catalog)).cents == 1800 + 10800 + 1488


def test_countries_come_by_revenue(catalog: Catalog) -> None:
    assert list(by_country(orders(catalog))) == ["FR", "DE"]


def test_the_average_is_of_sold_orders(catalog: Catalog) -> None:
    assert average(orders(catalog)).cents == 4696
    assert average([]).cents == 0


def test_the_table_is_aligned(catalog: Catalog) -> None:
    assert table(orders(catalog)) == "FR €122.88\nDE  €18.00"


def test_a_large_sum_is_grouped(catalog: Catalog) -> None:
    catalog.stock["A1"] = 50
    assert table([order(catalog, Customer("Eve"), "A1", 12)]) == "DE €1,296.00"


def test_a_receipt_leaves_out_what_is_nothing(catalog: Catalog) -> None:
    text = receipt(order(catalog, Customer("Ada"), "B1", 12))
    assert text.split("\n") == [
        "Ada, 2026-03-02",
        "goods €54.00",
        "discount -€2.70",
        "shipping €4.90",
        "tax €3.78",
        "total €59.98",
    ]
