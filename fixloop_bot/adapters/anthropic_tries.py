"""How one try of a provider call can go, and trying again with backoff until it is settled or time is up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import tenacity

from fixloop_bot.model.agent import AssistantTurn, Usage
from fixloop_bot.ports import Clock

TRIES_LIMIT = 12
_BACKOFF = tenacity.wait_exponential_jitter(initial=1, max=30, jitter=1)


@dataclass(frozen=True, slots=True)
class Answered:
    """A whole reply."""

    turn: AssistantTurn
    usage: Usage
    model_id: str
    stop_reason: str


@dataclass(frozen=True, slots=True)
class Again:
    """Worth another try, after `after_s` seconds if the provider said so; `wasted` was paid all the same."""

    detail: str
    after_s: float | None = None
    wasted: Usage | None = None


@dataclass(frozen=True, slots=True)
class TooLong:
    """The prompt does not fit."""

    detail: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Another try would end the same way; `status` is HTTP's."""

    detail: str
    status: int


Try = Answered | Again | TooLong | Refused


def until_settled(
    send: Callable[[], Try],
    *,
    end: float,
    clock: Clock,
    sleep: Callable[[float], None],
    affordable: Callable[[Sequence[Usage]], bool],
) -> tuple[Try, tuple[Usage, ...]]:
    """Return the last try and what tries that broke off have used.

    No try starts at or after `end` (seconds since the epoch), nor when after what is wasted another is not
    `affordable`; a wait that the provider asks for and that would pass `end` is not begun.
    """
    wasted: list[Usage] = []

    def once() -> Try:
        tried = send()
        wasted.extend([tried.wasted] if isinstance(tried, Again) and tried.wasted else [])
        return tried

    def stop(state: tenacity.RetryCallState) -> bool:
        late = clock.now() + state.upcoming_sleep >= end
        return late or state.attempt_number >= TRIES_LIMIT or not affordable(wasted)

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_result(lambda tried: isinstance(tried, Again)),
        wait=_wait,
        stop=stop,
        sleep=sleep,
        retry_error_callback=_last,
    )
    return retrying(once), tuple(wasted)


def _wait(state: tenacity.RetryCallState) -> float:
    return max(_BACKOFF(state), _last(state).after_s or 0.0)


def _last(state: tenacity.RetryCallState) -> Again:
    tried = state.outcome.result() if state.outcome else None
    return tried if isinstance(tried, Again) else Again("no try was made")
