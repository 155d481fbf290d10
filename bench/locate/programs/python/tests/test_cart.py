from datetime import date

import pytest

from shop.cart import Cart
from shop.discounts import Coupon
from shop.money import Money


def test_pieces_add_up(cart: Cart) -> None:
    cart.put("B1", 2)
    cart.put("B1")
    assert cart.pieces == {"B1": 3}
    assert cart.goods() == Money(1350)
    assert cart.weight_g() == 750


def test_no_more_than_the_maximum_of_one_product(cart: Cart) -> None:
    cart.put("B1", 150)
    assert cart.pieces["B1"] == 99


def test_what_is_sold_out_cannot_be_put_in(cart: Cart) -> None:
    with pytest.raises(ValueError, match="sold out"):
        cart.put("C1", 3)


def test_pieces_can_be_removed(cart: Cart) -> None:
    cart.put("B1", 3)
    cart.remove("B1", 2)
    assert cart.pieces == {"B1": 1}
    cart.remove("B1", 1)
    assert cart.pieces == {}


def test_every_fourth_pencil_set_is_free(cart: Cart) -> None:
    cart.put("D1", 9)
    assert cart.goods() == Money(1400)


def test_a_coupon_holds_on_its_last_day(cart: Cart, coupon: Coupon) -> None:
    cart.put("C1", 2)
    cart.coupons.append(coupon)
    assert cart.discount(0, date(2026, 3, 31)) == Money(567)
    assert cart.discount(0, date(2026, 4, 1)) == Money(0)


def test_discounts_together_have_a_limit(cart: Cart, coupon: Coupon) -> None:
    cart.put("A1", 1)
    cart.coupons += [coupon, Coupon("SMALL", 5, date(2026, 12, 31))]
    assert cart.discount(3, date(2026, 3, 1)) == Money(33_60)
    assert cart.discount(20, date(2026, 3, 1)) == Money(36_00)
