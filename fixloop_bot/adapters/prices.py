"""What a model call costs, and the most that it can cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fixloop_bot.model.agent import ModelAlias, Usage
from fixloop_bot.model.config import ModelPrice

OVERHEAD_TOKENS = 1_000
"""What the provider adds to a request with tools (its own system text, the framing of turns), rounded up."""

_BY_ALIAS: Mapping[ModelAlias, ModelPrice] = {
    ModelAlias.SONNET: ModelPrice(input=3.0, output=15.0, cache_read=0.30, cache_write=3.75),
    ModelAlias.OPUS: ModelPrice(input=15.0, output=75.0, cache_read=1.50, cache_write=18.75),
}


@dataclass(frozen=True, slots=True)
class PriceBook:
    """The library's prices, then the settings' (by id or alias), then Anthropic's by alias; else unknown, never 0."""

    settings: Mapping[str, ModelPrice] = field(default_factory=dict)
    provider_id: str = "anthropic"
    """The provider's name in the library."""
    factor: float = 1.0
    """How many times the library's price is charged."""

    def price(self, model_id: str, usage: Usage, alias: ModelAlias) -> float | None:
        """Return US dollars for one call as `model_id` served it, None where no price is known."""
        known = _library_price(model_id, usage, self.provider_id)
        if known is not None:
            return known * self.factor
        settled = self.settings.get(model_id) or self.settings.get(alias.value)
        if settled is None and self.provider_id == "anthropic":
            settled = _BY_ALIAS.get(alias)
        return None if settled is None else _multiply(settled, usage)

    def most(self, model_id: str, *, input_bytes: int, max_tokens: int, alias: ModelAlias) -> float | None:
        """Return the most that a call can cost, None where no price is known.

        No token is shorter than one byte of UTF-8, so the bytes bound the input tokens; they may all be written to
        the cache, which costs more than plain input.
        """
        tokens = input_bytes + OVERHEAD_TOKENS
        plain = self.price(model_id, Usage(tokens, max_tokens), alias)
        cached = self.price(model_id, Usage(0, max_tokens, 0, tokens), alias)
        return None if plain is None or cached is None else max(plain, cached)


def _library_price(model_id: str, usage: Usage, provider_id: str) -> float | None:
    """Return the price by the offline library's data; its input tokens include the cached ones."""
    import genai_prices  # noqa: PLC0415 - a quarter of a second that a run without a model call need not pay

    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        return float(genai_prices.calc_price(counted, model_id, provider_id=provider_id).total_price)
    except (LookupError, ValueError):
        return None


def _multiply(price: ModelPrice, usage: Usage) -> float:
    """Return the cost at a price per million tokens; cache prices that are not given are the API's usual multiples."""
    cache_read = price.cache_read or price.input * 0.1
    cache_write = price.cache_write or price.input * 1.25
    dollars = usage.input_tokens * price.input + usage.output_tokens * price.output
    return (dollars + usage.cache_read_tokens * cache_read + usage.cache_write_tokens * cache_write) / 1e6
