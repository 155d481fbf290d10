"""What a failure teaches in general, and what becomes of it over many runs."""

from dataclasses import replace

import pytest

from fixloop_bot.core.learn import MOST_APPROACHES, MOST_ENFORCEMENTS, failed_approach, generalised, lessons, merged
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.learning import Approach, Learnings, Lesson, Seen, ToolError, ToolErrorKind
from tests.core.play import failing, start

FAILED = LayerResult(name=Layer.LINT, status=LayerStatus.FAIL)
ABSENT = ToolError(ToolErrorKind.COMMAND_NOT_FOUND, "ruff", "sh: 1: ruff: not found")
MODULE = ToolError(ToolErrorKind.MODULE_NOT_FOUND, "yaml", "No module named 'yaml'")
RUFF = Lesson(pattern="command not found: ruff", evidence="sh: 1: ruff: not found")


@pytest.mark.parametrize(
    ("result", "errors", "patterns"),
    [
        pytest.param(FAILED, [ABSENT, ABSENT], ["command not found: ruff"], id="a tool error, once"),
        pytest.param(FAILED, [MODULE], ["cannot find module: yaml"], id="a module of a tool"),
        pytest.param(replace(FAILED, name=Layer.TEST), [MODULE], [], id="a module of a test is the test's matter"),
        pytest.param(replace(FAILED, missing=("ruff is not installed; install it",)), [],
                     ["environment: ruff is not installed"], id="what is said to be missing"),
        pytest.param(replace(FAILED, missing=("ruff is not installed",)), [ABSENT], ["command not found: ruff"],
                     id="a line that tells more goes first"),
        pytest.param(
            replace(FAILED, diagnostics=(
                Diagnostic(path=None, message="disk is full", kind=DiagnosticKind.ENVIRONMENT),
                Diagnostic(path="a.py", message="unused", kind=DiagnosticKind.LINT_ERROR),
            )), [], ["environment: disk is full"], id="a diagnostic of the environment alone"),
    ],
)  # fmt: skip
def test_a_failing_layer_teaches_what_its_tools_said(
    result: LayerResult, errors: list[ToolError], patterns: list[str]
) -> None:
    assert [lesson.pattern for lesson in lessons(result, errors)] == patterns


@pytest.mark.parametrize(
    ("subject", "general"),
    [
        ("/tmp/fixloop-83721/home/.npmrc", ".npmrc"),
        ("/root/.cache/", ".cache"),
        ("--cov=app", "--cov=app"),
        ("build-20260131.log", "build-*.log"),
        ("a\x1b[0m\x00b\nc", "a [0m b c"),
        ("x" * 999, "x" * 160),
    ],
)
def test_what_differs_from_run_to_run_is_left_out(subject: str, general: str) -> None:
    assert generalised(subject) == general


def seen(run: int) -> Seen:
    return Seen(f"r{run}", f"2026-01-{run:02}T00:00:00Z")


def test_a_lesson_counts_once_for_each_run() -> None:
    known = Learnings()
    for run in (1, 1, 2, 3, 3):
        known = merged(known, [RUFF, RUFF], None, seen(run))
    (item,) = known.enforcements
    assert (item.occurrences, item.type, item.status) == (3, "infrastructure", "active")
    assert (item.first_seen, item.last_seen) == ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")


def test_the_latest_evidence_is_kept_and_little_of_it() -> None:
    known = Learnings()
    for run in range(1, 9):
        known = merged(known, [replace(RUFF, evidence=f"line {run}")], None, seen(run))
    assert known.enforcements[0].evidence == ("line 6", "line 7", "line 8")


@pytest.mark.parametrize(("said", "after"), [("resolved", "active"), ("ignored", "ignored"), ("active", "active")])
def test_a_person_s_word_holds_until_it_is_proven_wrong(said: str, after: str) -> None:
    known = merged(Learnings(), [RUFF], None, seen(1))
    told = replace(known, enforcements=(replace(known.enforcements[0], status=said),))
    assert merged(told, [RUFF], None, seen(2)).enforcements[0].status == after


def test_what_is_known_does_not_grow_for_ever_and_the_oldest_goes_first() -> None:
    known = Learnings()
    for number in range(200):
        approach = Approach(branch="b", layer="test", start_commit=f"c{number}", failure_mode="x")
        known = merged(known, [Lesson(pattern=f"p{number}", evidence="")], approach, seen(1))
    assert (len(known.enforcements), len(known.approaches)) == (MOST_ENFORCEMENTS, MOST_APPROACHES)
    assert (known.enforcements[-1].pattern, known.approaches[-1].approach.start_commit) == ("p199", "c199")


def test_a_target_s_approach_is_told_once_as_it_was_last() -> None:
    state = start(failing("A"), branch="b")
    first, second = failed_approach(state, ["one"]), failed_approach(state, ["one", "two\nlines"])
    known = merged(merged(Learnings(), [], first, seen(1)), [], second, seen(2))
    (learned,) = known.approaches
    assert (learned.run_id, learned.approach.layer, learned.approach.hypotheses) == ("r2", "test", ("one", "two lines"))
