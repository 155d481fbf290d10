"""A layer that ran twice on one tree: noise, flakiness, and what the state makes of them."""

from dataclasses import replace

import pytest

from fixloop_bot.core.fingerprint import fingerprint
from fixloop_bot.core.noise import Noise
from fixloop_bot.core.normalise import Masker
from fixloop_bot.core.observe import detected
from fixloop_bot.core.twice import compare_runs, learned, learned_from
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.state import LoopState

PASSED = LayerResult(name=Layer.TEST, status=LayerStatus.PASS)


def failed(*tests: str, says: str = "1 is not 2", text: str = "", named: bool = True) -> LayerResult:
    found = [
        Diagnostic(path="t.py", test_id=name, message=says, kind=DiagnosticKind.TEST_FAILURE)
        for name in (tests if named else ())
    ]
    return LayerResult(
        name=Layer.TEST,
        status=LayerStatus.FAIL,
        error_count=len(tests),
        diagnostics=tuple(found),
        tests=TestReport(5, failed=tests) if named else None,
        fingerprint=fingerprint(
            Layer.TEST,
            tier=Tier.PARSED,
            diagnostics=found,
            text=text,
            masks=(Masker(), Noise()),
            source_line=lambda _path, _line: None,
        ),
    )


@pytest.mark.parametrize(
    ("first", "second", "failures", "flaky", "same"),
    [
        (failed("a"), failed("a"), 2, (), True),
        (failed("a", says="port 4711"), failed("a", says="port 815"), 2, (), True),
        (failed("a"), PASSED, 1, ("a",), False),
        (failed("a", "b"), failed("a"), 2, ("b",), False),
        (failed("a"), failed("b"), 2, ("a", "b"), False),
        (failed(named=False, text="boom 17"), failed(named=False, text="boom 18"), 2, (), True),
        (failed(named=False, text="Error: x"), failed(named=False, text="Error: y z"), 2, (), False),
    ],
    ids=[
        "the same failure",
        "a number differs",
        "it passes now",
        "one of two passes now",
        "another test fails",
        "text with a number",
        "another error",
    ],
)
def test_two_runs_tell_noise_from_flakiness(
    first: LayerResult, second: LayerResult, failures: int, flaky: tuple[str, ...], same: bool
) -> None:
    twice = compare_runs(first, second)
    assert (twice.failed, twice.flaky, twice.same) == (failures, flaky, same)


def validation(result: LayerResult, tree: str = "t0") -> Validation:
    return Validation(project_type="python", layers=(result,), planned=(Layer.TEST,), tree=tree)


def test_what_is_learned_renames_the_failure_that_the_state_holds() -> None:
    first, second = failed("a", says="port 4711"), failed("a", says="port 815")
    state = detected(LoopState(run_id="r"), validation(first))
    known = learned(state, Layer.TEST, compare_runs(first, second).noise)
    assert known.noise == {Layer.TEST: ("port \ue001",)}
    assert known.failure
    assert known.best
    new = known.failure.error_hash
    assert new != state.last_error_hash
    assert (known.last_error_hash, known.error_hash_trail, known.error_hash_counts) == (new, (new,), {new: 1})
    assert known.best.failure.error_hash == new


def test_nothing_learned_changes_nothing() -> None:
    state = detected(LoopState(run_id="r"), validation(failed("a")))
    assert learned(state, Layer.TEST, frozenset()) is state


def test_a_second_look_at_one_tree_is_the_same_failure_again() -> None:
    state = detected(LoopState(run_id="r"), validation(failed("a", says="port 4711")))
    state, again = learned_from(state, validation(failed("a", says="port 815")))
    state = detected(state, again)
    assert list(state.error_hash_counts.values()) == [2]


@pytest.mark.parametrize(
    "second",
    [
        validation(failed("a", says="port 815"), tree="t1"),
        validation(failed("a", says="port 815"), tree=""),
        validation(PASSED),
    ],
    ids=["another tree", "an unknown tree", "a pass"],
)
def test_a_look_at_something_else_teaches_nothing(second: Validation) -> None:
    state = detected(LoopState(run_id="r"), validation(failed("a", says="port 4711")))
    assert learned_from(state, second) == (state, second)


def test_another_layer_keeps_its_noise() -> None:
    state = detected(LoopState(run_id="r", noise={Layer.LINT: ("x",)}), validation(failed("a", says="port 4711")))
    state, _ = learned_from(state, validation(failed("a", says="port 815")))
    assert state.noise == {Layer.LINT: ("x",), Layer.TEST: ("port \ue001",)}
    assert replace(state, noise={}) != state
