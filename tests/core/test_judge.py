"""Progress is a part of the failure gone and nothing hidden; what comes back is a circle."""

from dataclasses import replace

import pytest

from fixloop_bot.core.judge import judge, judge_repeated
from fixloop_bot.core.observe import circle, circle_words, detected, oscillates
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.attempt import Attempt, FailureMode
from fixloop_bot.model.fingerprint import Detail, Fingerprint, Tier
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.state import LoopState

EXECUTED_5 = TestReport(5)


def failing(
    *items: str, errors: int = 0, tests: TestReport | None = EXECUTED_5, says: tuple[str, ...] = (), tree: str = ""
) -> Validation:
    """Return a validation whose tests fail with these items, or with this text alone."""
    details = tuple(Detail(item=item) for item in items) or (Detail(said=says),)
    fine = "+".join(items) or "/".join(says)
    result = LayerResult(
        name=Layer.TEST,
        status=LayerStatus.FAIL,
        error_count=errors or len(items),
        tests=tests,
        fingerprint=Fingerprint(tier=Tier.PARSED, fine=fine, coarse=fine, items=items, details=details),
    )
    return Validation(project_type="x", layers=(result,), planned=(Layer.TEST,), tree=tree)


def attempted(state: LoopState) -> LoopState:
    attempt = Attempt(
        iteration=1, layer=Layer.TEST, mode=FailureMode.DETERMINISTIC_FAIL, model=ModelAlias.SONNET, changed=("a.py",)
    )
    return replace(state, pending=attempt)


def verdict(before: Validation, after: Validation) -> str:
    return str(judge(attempted(detected(LoopState(run_id="r", head="c0"), before)), after).verdict)


AB = failing("a", "b")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (AB, failing("a"), "progress"),
        (AB, failing("a", tests=TestReport(9)), "progress"),
        (failing("a", "b", tests=None), failing("a", tests=None), "progress"),
        (failing("a", "b", tests=None), failing("a"), "progress"),
        (AB, failing("a", tests=TestReport(1)), "regression"),
        (AB, failing("a", tests=None), "regression"),
        (AB, failing("c"), "changed"),
        (failing("a", "a", "b"), failing("b", "b"), "changed"),
        (AB, failing(says=("Segmentation fault: error",), errors=1), "changed"),
        (AB, AB, "same"),
    ],
    ids=[
        "one of two is gone",
        "and more tests run",
        "no tests are counted",
        "now they are",
        "fewer tests ran: a crash hides the other",
        "nobody knows whether tests ran",
        "another took their place",
        "fewer, but one that was not there so often",
        "a crash that names nothing",
        "nothing is gone",
    ],
)
def test_progress_is_a_strict_part_with_as_many_tests(before: Validation, after: Validation, expected: str) -> None:
    assert verdict(before, after) == expected


TEXT = failing(says=("Error: a", "Error: b 1", "2 errors"), errors=3, tests=None)


@pytest.mark.parametrize(
    ("says", "errors", "expected"),
    [
        (("Error: a", "1 errors"), 2, "progress"),
        (("Error: a", "chatter", "1 errors"), 2, "progress"),
        (("Error: cannot start",), 1, "changed"),
        (("Error: a", "Error: c"), 2, "changed"),
    ],
    ids=["one is gone", "with other words that are no error", "a crash", "another"],
)
def test_a_failure_that_names_nothing_makes_progress_only_where_no_error_is_new(
    says: tuple[str, ...], errors: int, expected: str
) -> None:
    assert verdict(TEXT, failing(says=says, errors=errors, tests=None)) == expected


@pytest.mark.parametrize(
    ("trees", "failures", "circle"),
    [
        (("t0", "t1", "t2"), ("a", "b", "c"), False),
        (("t0", "t1", "t2"), ("a", "b", "a"), True),
        (("t0", "t1", "t1"), ("a", "b", "c"), True),
        (("t0", "t1", "t2"), ("a", "a", "a"), False),
        (("", "", ""), ("a", "b", "c"), False),
    ],
    ids=["ever new", "a failure that was gone", "a tree tried before", "always the same failure", "trees unknown"],
)
def test_what_was_there_before_is_a_circle(trees: tuple[str, ...], failures: tuple[str, ...], circle: bool) -> None:
    state = detected(LoopState(run_id="r", head="c0"), failing(failures[0], tree=trees[0]))
    why = ""
    for tree, failure in zip(trees[1:], failures[1:], strict=True):
        judgement = judge(attempted(state), failing(failure, tree=tree))
        state, why = judgement.state, judgement.why
    assert oscillates(state) is circle
    assert why.endswith("in a circle") is circle


@pytest.mark.parametrize(
    ("failures", "trees", "shown"),
    [
        ("aba", "", "a → b → a"),
        ("abab", "", "b → a → b"),
        ("abcda", "", "a → b → c → d → a"),
        ("abbba", "", "a → b → a"),
        ("aaaa", "", ""),
        ("abc", "xyx", "x → y → x"),
        ("abc", "xyy", "y → y"),
        ("aba", "xyx", "a → b → a"),
        ("", "", ""),
    ],
)
def test_the_last_circle_is_shown_step_by_step(failures: str, trees: str, shown: str) -> None:
    state = LoopState(run_id="r", error_hash_trail=tuple(failures), tree_trail=tuple(trees))
    assert circle_words(state) == shown
    assert bool(circle(state)) is bool(shown)


def test_a_circle_is_shown_with_short_hashes() -> None:
    state = LoopState(run_id="r", error_hash_trail=("a" * 64, "b" * 64, "a" * 64))
    assert circle_words(state) == "aaaaaaaa → bbbbbbbb → aaaaaaaa"


def test_an_attempt_that_leads_to_a_known_tree_comes_to_what_that_one_came_to() -> None:
    state = attempted(detected(LoopState(run_id="r", head="c0"), failing("a", tree="t0")))
    first = judge(state, failing("b", tree="t1"))
    again = attempted(first.state)
    assert again.pending
    again = replace(again, pending=replace(again.pending, iteration=2, tree="t1"))
    judgement = judge_repeated(again, first.attempt)
    assert (judgement.verdict, judgement.undo_to) == ("same", "c0")
    assert judgement.why == "the same change as attempt 1, which is not verified again"
    assert (judgement.attempt.hash_after, judgement.attempt.failing_after) == ("b", first.attempt.failing_after)
    assert sum(judgement.state.unproductive_by_mode.values()) == 2
    assert judgement.state.tree_trail == ("t0", "t1", "t1")
    assert judgement.state.error_hash_trail == ("a", "b", "b")
