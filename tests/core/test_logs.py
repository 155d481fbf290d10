"""The lines that people read: one each, complete, and not to be broken by foreign text."""

from dataclasses import replace

import pytest

from fixloop_bot.core.logs import attempt_line, recovery_line, stop_line
from fixloop_bot.model.attempt import Rung
from fixloop_bot.model.outcome import Breaker, Status, Terminal, TerminalState
from fixloop_bot.model.state import End, LoopState
from tests.adapters.test_repair_record import RECORD

ENDED = LoopState(
    run_id="r1",
    clean_commit="c" * 40,
    rungs=(Rung.PATCH, Rung.REPLAN, Rung.REVERT, Rung.STOP),
    end=End(status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET, breaker=Breaker.NO_PROGRESS),
)
TERMINAL = Terminal(
    run_id="r1",
    state=TerminalState.FAILED_BUDGET,
    status=Status.BLOCKED,
    reason="no `more`\n- ideas",
    criteria_met={},
    evidence=(),
    false_completion=False,
    iteration_id=None,
    terminated_at="2026-01-01T00:00:00Z",
)


def test_an_attempt_tells_its_rung_and_what_it_repeats() -> None:
    told = attempt_line(replace(RECORD, rung="replan", repeats="r0-2", hypothesis="a `b`\n- c"))
    assert told == (
        "2026-01-01T00:00:00Z `r1-1` test deterministic-fail sonnet replan productive repeats r0-2 0.50 → 1.00 $0.04"
        " cccccccccccc a 'b' - c"
    )


@pytest.mark.parametrize(
    ("state", "line"),
    [
        pytest.param(
            ENDED,
            "2026-01-01T00:00:00Z `r1-stop` revert → stop no-progress FailedBudget stands on cccccccccccc"
            " no 'more' - ideas",
            id="reverted, then stopped",
        ),
        pytest.param(
            replace(ENDED, rungs=(Rung.STOP,), error_hash_trail=("a" * 64, "b" * 64, "a" * 64)),
            "2026-01-01T00:00:00Z `r1-stop` stop no-progress FailedBudget stands on cccccccccccc"
            " circle aaaaaaaa → bbbbbbbb → aaaaaaaa no 'more' - ideas",
            id="with nothing to revert, in a circle",
        ),
        pytest.param(
            replace(ENDED, end=End(status=Status.DONE, terminal=TerminalState.SUCCEEDED)), "", id="a run that is done"
        ),
        pytest.param(replace(ENDED, end=None), "", id="a run that goes on"),
    ],
)
def test_the_last_rung_is_told_of_a_run_that_gave_up(state: LoopState, line: str) -> None:
    assert stop_line(state, TERMINAL) == line


def test_a_salvage_tells_when_why_whence_whither_and_how_to_get_it_back() -> None:
    manifest = {
        "created_at": "2026-01-01T00:00:00Z", "run_id": "r1", "attempt": 2, "why": "worse\n- `x`",
        "base": "b" * 40, "head": "h" * 40,
    }  # fmt: skip
    assert recovery_line("r1-2", "d" * 64, manifest) == (
        "2026-01-01T00:00:00Z `r1-2` (dddddddddddd) run r1, attempt 2: worse - 'x'. From hhhhhhhhhhhh back to"
        " bbbbbbbbbbbb. Patch: `salvage/r1-2/change.patch`. To apply it, with the state folder's path:"
        " `git apply --3way STATE_DIR/salvage/r1-2/change.patch`"
    )
    assert "attempt" not in recovery_line("r1-x", "d" * 64, {**manifest, "attempt": 0})
