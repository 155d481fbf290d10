from datetime import date

import pytest

from shop.cart import Cart
from shop.money import Money
from shop.orders import Customer, State, may_return, place, refund, send

DAY = date(2026, 3, 2)


def test_an_order_of_food_at_home(cart: Cart) -> None:
    cart.put("B1", 10)
    order = place(cart, Customer("Ada"), DAY)
    assert order.total() == Money(4500 + 490 + 315)
    assert cart.catalog.stock["B1"] == 190


def test_dear_goods_are_sent_free(cart: Cart) -> None:
    cart.put("A1", 1)
    order = place(cart, Customer("Ada"), DAY)
    assert order.shipping == Money(0)
    assert order.discount == Money(1200)


def test_exactly_the_limit_is_sent_free(cart: Cart) -> None:
    cart.put("D1", 40)
    assert place(cart, Customer("Ada"), DAY).shipping == Money(0)


def test_a_heavy_order_goes_in_two_parcels(cart: Cart) -> None:
    cart.put("A1", 2)
    assert place(cart, Customer("Bea", country="FR"), DAY).shipping == Money(1980)


def test_a_full_parcel_is_one_parcel(cart: Cart) -> None:
    cart.put("D1", 80)
    cart.put("B2", 8)
    assert place(cart, Customer("Bea", country="US"), DAY).shipping == Money(2490)


def test_a_business_elsewhere_pays_the_tax_itself(cart: Cart) -> None:
    cart.put("C1", 1)
    assert place(cart, Customer("Firm", country="NL", vat_number="NL123"), DAY).tax == Money(0)
    cart.put("C1", 1) if cart.catalog.available("C1", 2) else cart.remove("C1")


def test_a_business_at_home_does_not(cart: Cart) -> None:
    cart.put("B1", 2)
    assert place(cart, Customer("Firm", vat_number="DE123"), DAY).tax == Money(63)


def test_outside_the_union_there_is_no_tax(cart: Cart) -> None:
    cart.put("B1", 2)
    order = place(cart, Customer("Joe", country="JP"), DAY)
    assert (order.tax, order.shipping) == (Money(0), Money(3490))


def test_instalments_add_up_to_the_total(cart: Cart) -> None:
    cart.put("B2", 3)
    order = place(cart, Customer("Ada"), DAY)
    assert [one.cents for one in order.instalments(4)] == [380, 379, 379, 379]


def test_an_empty_cart_is_no_order(cart: Cart) -> None:
    with pytest.raises(ValueError, match="empty"):
        place(cart, Customer("Ada"), DAY)


def test_only_paid_orders_are_sent(cart: Cart) -> None:
    cart.put("B1")
    order = place(cart, Customer("Ada"), DAY)
    with pytest.raises(ValueError, match="cannot be sent"):
        send(order, DAY)
    assert send(order.moved(State.PAID), DAY).state is State.SENT


def test_a_paid_order_can_be_cancelled(cart: Cart) -> None:
    cart.put("B1")
    order = place(cart, Customer("Ada"), DAY).moved(State.PAID)
    assert order.moved(State.CANCELLED).state is State.CANCELLED


def test_goods_may_come_back_for_two_weeks(cart: Cart) -> None:
    cart.put("B1")
    order = send(place(cart, Customer("Ada"), DAY).moved(State.PAID), date(2026, 3, 6))
    assert may_return(order, date(2026, 3, 23))
    assert not may_return(order, date(2026, 3, 24))
    assert refund(order, date(2026, 3, 10)) == order.total() - Money(490)
    assert refund(order, date(2026, 4, 10)) == Money(0)
