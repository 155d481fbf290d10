"""The fix agent's model over the Anthropic Messages API: one layer of retries under a deadline of ours."""

import gc
import threading
from collections.abc import Callable, Sequence
from importlib import import_module

import tenacity

from fixloop_bot.adapters.anthropic_settings import HOW_TO_SIGN_IN, AnthropicSettings, Provider
from fixloop_bot.adapters.anthropic_tries import Again, Answered, Refused, TooLong, Try, until_settled
from fixloop_bot.adapters.messages_payload import size, to_payload
from fixloop_bot.model.agent import (
    ModelAlias,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    Usage,
)
from fixloop_bot.ports import Clock

DETAIL_LIMIT = 300
_NO_ANSWER = "The provider did not answer in time: see its status page and anthropic-base-url, or try again later."


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
        self._prices = settings.price_book()

    def model_id(self, alias: ModelAlias) -> str:
        """Return the id that is asked for."""
        return self._settings.model_id(alias)

    def prepare(self) -> None:
        """Load the SDK in the background, unless no call can be made anyway."""
        if not self._settings.missing():
            # No daemon: a thread that the interpreter's end cuts off inside a library in Rust aborts the process.
            threading.Thread(target=load_sdk).start()

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
        if missing := self._settings.missing():
            return missing
        load_sdk()
        from fixloop_bot.adapters.anthropic_call import Caller  # noqa: PLC0415
        from fixloop_bot.adapters.anthropic_client import SignInError  # noqa: PLC0415

        payload = to_payload(request, self.model_id(request.model), redact=self._redact)
        try:
            caller = Caller(self._settings, lambda: request.deadline - self._clock.now())
        except SignInError as error:
            return ProviderDown(self._redact(str(error))[:DETAIL_LIMIT], HOW_TO_SIGN_IN[self._settings.provider])
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
        key = self._settings.api_key.strip()
        detail = self._redact(tried.detail.replace(key, "[key]") if key else tried.detail)[:DETAIL_LIMIT]
        if isinstance(tried, TooLong) and not wasted:
            return PromptTooLong(detail)
        return ProviderDown(detail, self._advice(tried), self._cost(request, wasted))

    def _cost(self, request: ModelRequest, used: Sequence[Usage], model_id: str = "") -> float | None:
        """Return the price of several calls, each priced alone because tiers apply per call."""
        asked = self.model_id(request.model)
        # A cloud answers with Anthropic's id, but charges by the one that was asked for.
        served_by = model_id if model_id and self._settings.provider is Provider.ANTHROPIC else asked
        costs = [self._prices.price(served_by, usage, request.model) for usage in used]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def _advice(self, tried: Again | TooLong | Refused) -> str:
        if isinstance(tried, Again):
            return _NO_ANSWER
        if isinstance(tried, Refused):
            return self._settings.advice(402 if "credit" in tried.detail.lower() else tried.status)
        return ""


def load_sdk() -> None:
    """Import the SDK, which takes a second or two.

    Meanwhile nothing is collected: thousands of classes come to stay, and to look through them for garbage takes a
    tenth of that time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        import_module("fixloop_bot.adapters.anthropic_call")
    finally:
        if collecting:
            gc.enable()
