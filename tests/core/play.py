"""Plays the loop's arithmetic without a worktree: what each attempt leads to goes in, the decisions come out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fixloop_bot.core.attribute import attributed
from fixloop_bot.core.decide import decide, escalated, unproductive
from fixloop_bot.core.judge import judge, judge_no_change
from fixloop_bot.core.ladder import rung_of
from fixloop_bot.core.observe import detected
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.attempt import Attempt
from fixloop_bot.model.attribution import Attribution
from fixloop_bot.model.decision import Attribute, Escalate, Gate, Repair, Stop
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import ORDER, Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.state import Limits, LoopState

PLANNED = (Layer.COMPILE, Layer.LINT, Layer.TEST)


def failing(name: str, *, layer: Layer = Layer.TEST, errors: int = 1, tests: TestReport | None = None) -> Validation:
    """Return a validation whose `layer` fails with the failure called `name`."""
    below = tuple(LayerResult(name=each, status=LayerStatus.PASS) for each in ORDER if each.rank < layer.rank)
    items = tuple(f"{name[0]}{number}" for number in range(errors))  # names that begin alike have parts in common
    result = LayerResult(
        name=layer,
        status=LayerStatus.FAIL,
        error_count=errors,
        tests=tests,
        fingerprint=Fingerprint(tier=Tier.PARSED, fine=name, coarse=name, items=items),
    )
    return Validation(project_type="python", layers=(*below, result), planned=PLANNED)


def green() -> Validation:
    """Return a validation that passes everywhere."""
    layers = tuple(LayerResult(name=each, status=LayerStatus.PASS) for each in PLANNED)
    return Validation(project_type="python", layers=layers, planned=PLANNED)


NOTHING = "the agent changed nothing"
Effect = Validation | str


@dataclass(frozen=True)
class Played:
    """What happened."""

    log: tuple[str, ...]
    state: LoopState
    stop: Stop | None

    @property
    def models(self) -> list[str]:
        """Return the model of each attempt."""
        return [str(attempt.model) for attempt in self.state.attempts]

    @property
    def verdicts(self) -> list[str]:
        """Return the verdict of each attempt."""
        return [str(attempt.verdict) for attempt in self.state.attempts]


def start(first: Validation, *, cap: int = 3, **more: Any) -> LoopState:
    """Return the state after the first look."""
    state = LoopState(run_id="r", head="c0", start_commit="c0", clean_commit="c0", limits=Limits(max_retries=cap))
    return replace(detected(state, first), **more)


def play(first: Validation, effects: Sequence[Effect], *, cap: int = 3, **more: Any) -> Played:
    """Run decide and judge against each other; the last effect repeats for ever."""
    state, log = start(first, cap=cap, **more), []
    for _ in range(100):
        decision = decide(state, now=0.0)
        log.append(type(decision).__name__)
        match decision:
            case Attribute():  # another run says the same
                log.pop()
                state = attributed(state, Attribution(layer=decision.layer, commit=state.head, runs=2))
            case Stop():
                return Played(tuple(log), state, decision)
            case Gate():
                return Played(tuple(log), state, None)
            case Escalate():
                state = escalated(state)
            case Repair():
                effect = effects[min(state.iteration_count, len(effects) - 1)]
                state = tried(state, decision, effect)
            case _:
                raise AssertionError(decision)
    raise AssertionError("the loop does not end")


def tried(state: LoopState, decision: Repair, effect: Effect) -> LoopState:
    """Return the state after one attempt with that effect."""
    assert state.failure
    replanned = state.replanned or decision.replan
    due = replanned and unproductive(state) >= state.limits.max_attempts
    attempt = Attempt(
        iteration=decision.iteration,
        rung=rung_of(state.failure.mode, replan=due),
        layer=state.failure.layer,
        mode=state.failure.mode,
        model=ModelAlias(decision.model),
        replan=decision.replan,
    )
    count = state.iteration_count + 1
    state = replace(state, pending=attempt, iteration_count=count, head=f"c{count}", replanned=replanned)
    judgement = judge_no_change(state, effect) if isinstance(effect, str) else judge(state, effect)
    return replace(judgement.state, head=judgement.undo_to or judgement.state.head)
