"""Where a run stands, and what to type next, in words that a person can act on."""

from dataclasses import replace

import pytest

from fixloop_bot.core.render.history_text import Lines, status_blocks
from fixloop_bot.core.standing import (
    check_of,
    cost_of,
    known_cost_of,
    next_steps,
    proposed,
    run_json,
    status_json,
    status_of,
    told,
    waits_for,
)
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.outcome import QuestionKind
from fixloop_bot.model.proof import Verdict
from fixloop_bot.model.state import Phase
from tests.core.histories import ASKS, CIRCLE, DONE, FALSE, LOST, OPEN


@pytest.mark.parametrize(
    ("run", "status", "waits", "step"),
    [
        (DONE, "DONE", "", "fixloop verify 20270116T080000-done"),
        (CIRCLE, "BLOCKED", "", "raise --max-retries"),
        (
            ASKS,
            "NEED_DECISION",
            "a decision: is the limit 10 or 12?",
            "asks A --worktree-path /srv/web   (10)",
        ),
        (OPEN, "UNFINISHED", "fixloop resume, if it is not running now", "fixloop resume 20270118T080000-open"),
        (LOST, "UNKNOWN", "", "its state.json cannot be read"),
    ],
    ids=lambda value: value.run_id if isinstance(value, RunFacts) else None,
)
def test_each_run_has_a_status_and_a_next_step(run: RunFacts, status: str, waits: str, step: str) -> None:
    assert (status_of(run), waits_for(run)) == (status, waits)
    assert step in "\n".join(next_steps(run))
    assert all("\n" not in line for line in (*told(run), *next_steps(run)))


def test_a_command_can_be_typed_anywhere_and_names_the_state_folder_again() -> None:
    state = ("--state-dir", "/a folder")
    spaced = replace(DONE, repository="/srv/my shop")
    place = "--state-dir '/a folder' --worktree-path '/srv/my shop'"
    assert next_steps(spaced, state)[0].startswith(f"fixloop verify {DONE.run_id} {place}   (")
    assert f"fixloop run {place}" in status_json(replace(CIRCLE, repository="/srv/my shop"), state)["next"][1]


def test_an_approval_is_waited_for_by_its_name() -> None:
    assert ASKS.standing
    assert ASKS.standing.end
    assert ASKS.standing.end.question
    question = replace(ASKS.standing.end.question, kind=QuestionKind.APPROVAL, patch="--- a\n+++ b\n")
    end = replace(ASKS.standing.end, question=question)
    waiting = replace(ASKS, standing=replace(ASKS.standing, phase=Phase.APPROVAL_WAIT, end=end))
    assert waits_for(waiting).startswith("an approval: ")
    assert [line.split()[1] for line in next_steps(waiting)] == ["approve", "deny"]
    assert proposed(waiting) == status_json(waiting)["proposed_diff"] == "--- a\n+++ b\n"
    assert proposed(ASKS) == ""
    shown = next(block for block in status_blocks(waiting) if isinstance(block, Lines) and "The diff:" in block.lines)
    assert shown.lines == ("The diff:", "--- a", "+++ b")


def test_what_verifications_found_of_a_done_is_told() -> None:
    unchecked = replace(DONE, verified=(replace(DONE.verified[0], verdict=Verdict.UNCHECKED),))
    runs = (DONE, FALSE, unchecked, replace(DONE, verified=()), CIRCLE)
    assert [check_of(run) for run in runs] == [
        "holds", "does not hold", "could not be checked", "not checked again", "",
    ]  # fmt: skip
    assert "a false completion" in "\n".join(told(FALSE))


def test_a_cost_that_is_not_known_in_full_is_null() -> None:
    assert run_json(CIRCLE)["cost_usd"] is None
    assert cost_of(replace(CIRCLE, standing=None)) is None
    assert cost_of(replace(DONE, standing=None)) == pytest.approx(0.0124)
    assert known_cost_of(CIRCLE) == pytest.approx(0.0124 * (1 + 3 + 4))
    assert known_cost_of(DONE) == pytest.approx(0.0124)
    assert "Cost: at least $0.10, a part is not known." in "\n".join(told(CIRCLE))


def test_the_question_of_a_waiting_run_is_in_the_json() -> None:
    value = status_json(ASKS)
    assert (value["reason"], value["option_a"], value["option_b"]) == ("is the limit 10 or 12?", "10", "12")
    assert (value["phase"], value["layer"], value["breaker"]) == ("decision-wait", "test", "decision")


def test_of_a_lost_state_nothing_is_guessed() -> None:
    assert [status_json(LOST)[name] for name in ("branch", "started_at", "phase", "reason", "terminal_state")] == [
        None
    ] * 5


def test_a_question_with_line_breaks_stays_one_line() -> None:
    assert ASKS.standing
    assert ASKS.standing.end
    assert ASKS.standing.end.question
    question = replace(ASKS.standing.end.question, question="a\n::error::b\r\nc", option_a="x\ny")
    end = replace(ASKS.standing.end, question=question)
    run = replace(ASKS, standing=replace(ASKS.standing, end=end))
    assert waits_for(run) == "a decision: a ::error::b c"
    assert next_steps(run)[0].endswith("(x y)")
