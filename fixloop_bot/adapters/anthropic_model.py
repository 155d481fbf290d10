"""The fix agent's model over the Anthropic Messages API: one layer of retries under a deadline of ours."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module

import tenacity

from fixloop_bot.adapters.anthropic_tries import Again, Answered, Refused, TooLong, Try, until_settled
from fixloop_bot.adapters.messages_payload import size, to_payload
from fixloop_bot.adapters.prices import PriceBook
from fixloop_bot.model.agent import (
    ModelAlias,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    Usage,
)
from fixloop_bot.model.config import ModelPrice
from fixloop_bot.ports import Clock

DEFAULT_IDS: Mapping[ModelAlias, str] = {
    ModelAlias.HAIKU: "claude-haiku-5-5",
    ModelAlias.SONNET: "claude-sonnet-5-5",
    ModelAlias.OPUS: "claude-opus-5-5",
}
HOW_TO_SET_KEY = (
    "Set the anthropic-api-key input from a repository secret (on GitHub) or ANTHROPIC_API_KEY (in a shell) to a key "
    "from the Anthropic Console."
)
HOW_TO_REPLACE_KEY = f"The key was refused: it may be mistyped, revoked or without access. {HOW_TO_SET_KEY}"
_ADVICE: Mapping[int, str] = {
    401: HOW_TO_REPLACE_KEY,
    402: "The account has no credit left: add some in the Anthropic Console.",
    403: HOW_TO_REPLACE_KEY,
    404: "The provider does not know the model or the address: see models.ids and anthropic-base-url.",
}
_NO_ANSWER = "The provider did not answer in time: see its status page and anthropic-base-url, or try again later."


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicSettings:
    """How the provider is reached."""

    api_key: str = field(default="", repr=False)
    base_url: str = ""
    """Empty: the provider's own."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Model ids by alias, where they differ from the defaults."""
    prices: Mapping[str, ModelPrice] = field(default_factory=dict)
    """By model id or alias, for ids that the price library does not know."""
    patience_s: float = 300.0
    """Seconds after which no new try of one call starts."""


class AnthropicModel:
    """The port `Model`.

    `sleep` waits between tries; `redact` takes the secrets out of all that is sent.
    """

    def __init__(
        self,
        settings: AnthropicSettings,
        clock: Clock,
        *,
        sleep: Callable[[float], None] = tenacity.nap.sleep,
        redact: Callable[[str], str] = str,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._sleep = sleep
        self._redact = redact
        self._prices = PriceBook(settings.prices)

    def model_id(self, alias: ModelAlias) -> str:
        """Return the id that is asked for."""
        return self._settings.ids.get(alias.value) or DEFAULT_IDS[alias]

    def quote(self, request: ModelRequest) -> float | None:
        """Return the most that the call can cost in US dollars, None where no price is known."""
        return self._prices.most(
            self.model_id(request.model),
            input_bytes=size(request),
            max_tokens=request.max_tokens,
            alias=request.model,
        )

    def reply(self, request: ModelRequest) -> ModelOutcome:
        """Make the call, with retries until its deadline or the end of patience, whichever comes first."""
        key = self._settings.api_key.strip()
        if not key:
            return ProviderDown("no API key for Anthropic", HOW_TO_SET_KEY)
        if not (key.isascii() and key.isprintable() and " " not in key):
            return ProviderDown("the API key has characters that no key has", HOW_TO_SET_KEY)
        from fixloop_bot.adapters.anthropic_call import Caller  # noqa: PLC0415 - the SDK takes seconds to import

        payload = to_payload(request, self.model_id(request.model), redact=self._redact)
        caller = Caller(key, self._settings.base_url, lambda: request.deadline - self._clock.now())
        try:
            tried, wasted = until_settled(
                lambda: caller.send(payload),
                end=min(request.deadline, self._clock.now() + self._settings.patience_s),
                clock=self._clock,
                sleep=self._sleep,
                affordable=lambda wasted: self._affordable(request, wasted),
            )
        finally:
            caller.close()
        return self._outcome(request, tried, wasted)

    def _affordable(self, request: ModelRequest, wasted: Sequence[Usage]) -> bool:
        if request.max_usd is None or not wasted:
            return True
        lost, quote = self._cost(request, wasted), self.quote(request)
        return lost is not None and quote is not None and lost + quote <= request.max_usd

    def _outcome(self, request: ModelRequest, tried: Try, wasted: tuple[Usage, ...]) -> ModelOutcome:
        if isinstance(tried, Answered):
            return ModelReply(
                turn=tried.turn,
                usage=sum(wasted, tried.usage),
                model_id=tried.model_id,
                cost_usd=self._cost(request, (*wasted, tried.usage), tried.model_id),
                stop_reason=tried.stop_reason,
            )
        detail = self._redact(tried.detail.replace(self._settings.api_key.strip(), "[key]"))
        if isinstance(tried, TooLong) and not wasted:
            return PromptTooLong(detail)
        return ProviderDown(detail, _advice(tried), self._cost(request, wasted))

    def _cost(self, request: ModelRequest, used: Sequence[Usage], model_id: str = "") -> float | None:
        """Return the price of several calls, each priced alone because tiers apply per call."""
        served_by = model_id or self.model_id(request.model)
        costs = [self._prices.price(served_by, usage, request.model) for usage in used]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def _advice(tried: Again | TooLong | Refused) -> str:
    if isinstance(tried, Again):
        return _NO_ANSWER
    if isinstance(tried, Refused) and "credit" in tried.detail.lower():
        return _ADVICE[402]
    return _ADVICE.get(tried.status, "") if isinstance(tried, Refused) else ""


def warm_up() -> None:
    """Start the SDK's slow import in the background, so that it is there when the first call needs it."""
    name = "fixloop_bot.adapters.anthropic_call"
    threading.Thread(target=import_module, args=(name,), daemon=True).start()
