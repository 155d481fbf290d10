from shop.prices import total
from shop.stock import pages, parse_count


def test_total_takes_the_discount_off() -> None:
    assert total([1000, 500], discount_percent=10) == 1350


def test_a_count_that_is_no_number_is_none() -> None:
    assert parse_count("many") == 0


def test_a_full_page_does_not_open_another() -> None:
    assert pages(20, per_page=10) == 2


def test_a_started_page_is_a_page() -> None:
    assert pages(21, per_page=10) == 3
