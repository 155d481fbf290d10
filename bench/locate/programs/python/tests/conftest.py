from datetime import date

import pytest

from shop.cart import Cart
from shop.catalog import Catalog, read_catalog
from shop.discounts import Coupon
from shop.money import Money

LINES = [
    "# number;name;price;category;grams;pieces",
    "A1;Oak table;€120.00;furniture;9000;5",
    "B1;Green tea;€4.50;food;250;200",
    "B2;Black tea;€3.20;food;250;40",
    "C1;Tea book;€18.90;books;700;2",
    "D1;Pencil set;€2.00;bundle;100;100",
    "",
]


@pytest.fixture
def catalog() -> Catalog:
    return read_catalog(LINES)


@pytest.fixture
def cart(catalog: Catalog) -> Cart:
    return Cart(catalog)


@pytest.fixture
def coupon() -> Coupon:
    return Coupon("SPRING", 15, date(2026, 3, 31), Money(20_00))
