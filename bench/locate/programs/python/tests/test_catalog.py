import pytest

from shop.catalog import Catalog, UnknownProduct
from shop.money import Money


def test_a_catalog_is_read_from_lines(catalog: Catalog) -> None:
    assert len(catalog.products) == 5
    assert catalog.product("B1").price == Money(450)
    assert catalog.product("C1").weight_g == 700


def test_an_unknown_number_is_an_error(catalog: Catalog) -> None:
    with pytest.raises(UnknownProduct):
        catalog.product("Z9")


def test_all_words_must_be_in_the_name_and_the_cheapest_comes_first(catalog: Catalog) -> None:
    assert [one.number for one in catalog.search("tea")] == ["B2", "B1", "C1"]
    assert [one.number for one in catalog.search("green TEA")] == ["B1"]


def test_the_last_pieces_can_be_taken(catalog: Catalog) -> None:
    assert catalog.take("C1", 2) == 0
    with pytest.raises(ValueError, match="only 0"):
        catalog.take("C1", 1)


def test_what_runs_out_is_listed(catalog: Catalog) -> None:
    assert catalog.running_out() == ["C1"]
    assert catalog.running_out(below=5) == ["C1"]
