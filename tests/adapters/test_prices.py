"""What a call costs: by the library, by the settings, by alias, or honestly unknown."""

import pytest

from fixloop_bot.adapters.prices import OVERHEAD_TOKENS, PriceBook
from fixloop_bot.model.agent import ModelAlias, Usage
from fixloop_bot.model.config import ModelPrice

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model_id", "usage", "dollars"),
    [
        pytest.param("claude-sonnet-5-5", Usage(1_000, 1_000), 0.012, id="plain input and output"),
        pytest.param("claude-opus-5-5", Usage(0, 0, 1_000, 1_000), 0.0052, id="cache read and write, no plain input"),
        pytest.param("claude-haiku-5-5", Usage(10, 10, 10, 10), 0.00000735, id="everything at once"),
        pytest.param("claude-haiku-5-5", Usage(200_000, 10), 0.100025, id="a prompt in the tier of long ones"),
        pytest.param("claude-sonnet-5-5", Usage(), 0.0, id="nothing used"),
    ],
)
def test_the_library_knows_the_current_models(model_id: str, usage: Usage, dollars: float) -> None:
    assert PriceBook().price(model_id, usage, ModelAlias.SONNET) == pytest.approx(dollars)


@pytest.mark.parametrize("key", ["claude-next-9", "sonnet"])
def test_settings_price_an_id_that_the_library_does_not_know(key: str) -> None:
    book = PriceBook({key: ModelPrice(input=1, output=2, cache_read=3, cache_write=4)})
    used = Usage(MILLION, MILLION, MILLION, MILLION)
    assert book.price("claude-next-9", used, ModelAlias.SONNET) == pytest.approx(10.0)


def test_the_library_goes_before_the_settings() -> None:
    book = PriceBook({"claude-sonnet-5-5": ModelPrice(input=100, output=100)})
    assert book.price("claude-sonnet-5-5", Usage(MILLION), ModelAlias.SONNET) == pytest.approx(2.0)


def test_settings_without_cache_prices_do_not_make_the_cache_free() -> None:
    book = PriceBook({"opus": ModelPrice(input=10, output=1)})
    assert book.price("x", Usage(0, 0, MILLION, MILLION), ModelAlias.OPUS) == pytest.approx(1.0 + 12.5)


@pytest.mark.parametrize(
    ("alias", "dollars"),
    [(ModelAlias.SONNET, 3 + 15 + 0.3), (ModelAlias.OPUS, 15 + 75 + 1.5), (ModelAlias.HAIKU, None)],
)
def test_an_unknown_id_is_priced_by_its_alias_or_not_at_all(alias: ModelAlias, dollars: float | None) -> None:
    used = Usage(MILLION, MILLION, MILLION)
    price = PriceBook().price("claude-next-9", used, alias)
    assert price == (None if dollars is None else pytest.approx(dollars))


def test_the_most_that_a_call_can_cost_is_its_bytes_written_to_the_cache_and_a_full_reply() -> None:
    most = PriceBook().most("claude-sonnet-5-5", input_bytes=9_000, max_tokens=1_000, alias=ModelAlias.SONNET)
    assert most == pytest.approx(((9_000 + OVERHEAD_TOKENS) * 2.5 + 1_000 * 10) / 1e6)
    assert PriceBook().most("claude-next-9", input_bytes=1, max_tokens=1, alias=ModelAlias.HAIKU) is None
