"""Whose failure it is: tables of runs, and what the loop makes of them."""

from dataclasses import replace

import pytest

from fixloop_bot.core.attribute import attributed, attribution_due, flaky_words, weigh
from fixloop_bot.core.decide import decide
from fixloop_bot.core.ending import gate_end
from fixloop_bot.core.observe import failure_of
from fixloop_bot.core.verdict import regression
from fixloop_bot.model.attempt import Failure, FailureMode
from fixloop_bot.model.attribution import Attribution, Flaky
from fixloop_bot.model.decision import Attribute, Repair, Stop
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Evidence, Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.outcome import Breaker, TerminalState
from fixloop_bot.model.state import Limits, LoopState
from tests.core.play import failing, green, start


def run(*failed: str, passed: tuple[str, ...] = (), layer: Layer = Layer.TEST, took: float = 1.0) -> LayerResult:
    """Return one run of a layer in which these tests failed."""
    told = "+".join(sorted(failed))
    evidence = Evidence(command="pytest", project=".", exit_code=1 if failed else 0, duration_s=took, output_sha256="")
    return LayerResult(
        name=layer,
        status=LayerStatus.FAIL if failed else LayerStatus.PASS,
        error_count=len(failed),
        evidence=(evidence,),
        tests=TestReport(executed=len(failed) + len(passed), failed=failed, passed=passed),
        fingerprint=Fingerprint(tier=Tier.STRUCTURED, fine=told, coarse=told, items=failed) if failed else None,
    )


def mute(*, fails: bool = True, hashed: str = "x") -> LayerResult:
    """Return a run of a layer whose tool names nothing."""
    print_ = Fingerprint(tier=Tier.TEXT, fine=hashed, coarse=hashed)
    status = LayerStatus.FAIL if fails else LayerStatus.PASS
    return LayerResult(name=Layer.LINT, status=status, fingerprint=print_ if fails else None)


STATE = LoopState(run_id="r", head="c1", base_commit="b0", limits=Limits(deadline=1_000.0))


@pytest.mark.parametrize(
    ("runs", "base", "flaky", "pre_existing", "own"),
    [
        ([run("a"), run("a")], None, (), (), True),
        ([run("a"), run(), run("a"), run(), run()], None, (Flaky("a", 2),), (), False),
        ([run("a", "b"), run("b"), run("a", "b"), run("b"), run("b")], None, (Flaky("a", 2),), (), True),
        ([run("a"), run("b"), run("a"), run("a"), run("a")], None, (Flaky("a", 4), Flaky("b", 1)), (), False),
        ([run("a", "b"), run("a", "b")], run("b", "c"), (), ("b",), True),
        ([run("a"), run("a")], run(), (), (), True),
        ([mute(), mute()], mute(), (), ("the lint layer",), True),
        ([mute(), mute()], mute(hashed="y"), (), (), True),
        ([mute(), mute(fails=False), mute()], None, (Flaky("the lint layer", 2),), (), False),
    ],
    ids=[
        "the same each time is the branch's own",
        "2 of 5 is flaky",
        "one is flaky, the other is not",
        "one hides the other, and none fails each time",
        "one fails on the merge base too",
        "the merge base is green",
        "a tool that names nothing fails on the base in the same way",
        "a tool that names nothing fails on the base in another way",
        "a tool that names nothing is flaky as a whole",
    ],
)
def test_what_several_runs_say(
    runs: list[LayerResult],
    base: LayerResult | None,
    flaky: tuple[Flaky, ...],
    pre_existing: tuple[str, ...],
    own: bool,
) -> None:
    found = weigh(STATE, runs, base)
    assert (found.flaky, found.pre_existing, found.own, found.runs) == (flaky, pre_existing, own, len(runs))


def failure(result: LayerResult, **more: object) -> Failure:
    mode = FailureMode.DETERMINISTIC_FAIL
    return replace(Failure(layer=result.name, result=result, mode=mode, score=0.5), **more)  # type: ignore[arg-type]


TESTED = Attribution(layer=Layer.TEST, commit="c1", runs=2)


@pytest.mark.parametrize(
    ("state", "due"),
    [
        (replace(STATE, failure=failure(run("a"))), True),
        (replace(STATE, failure=failure(run("a", layer=Layer.LINT))), True),
        (replace(STATE, base_commit="", failure=failure(run("a", layer=Layer.LINT))), False),
        (replace(STATE, base_commit="", failure=failure(run("a"))), True),
        (replace(STATE, failure=failure(run("a")), attributions=(TESTED,)), False),
        (replace(STATE, failure=failure(run("a"), from_context=True)), False),
        (replace(STATE, failure=failure(run("a"), mode=FailureMode.ENVIRONMENTAL)), False),
        (replace(STATE, failure=failure(run("a", took=400.0))), False),
        (STATE, False),
    ],
    ids=[
        "tests on a pull request",
        "lint on a pull request",
        "lint in a shell",
        "tests in a shell",
        "looked at already",
        "only a text so far",
        "the environment's",
        "a run that takes too much of the time left",
        "nothing fails",
    ],
)
def test_when_it_is_due(state: LoopState, due: bool) -> None:
    assert attribution_due(state, now=0.0) is due


def test_it_comes_before_the_first_paid_call_and_once() -> None:
    state = start(failing("a"))
    assert isinstance(decide(state, 0.0), Attribute)
    state = attributed(state, weigh(state, [run("a"), run("a")], None))
    assert isinstance(decide(state, 0.0), Repair)


def test_a_failure_of_which_nothing_is_steady_ends_unverifiable_with_its_evidence() -> None:
    state = start(failing("a"))
    state = attributed(state, weigh(state, [run("a"), run(), run(), run("a"), run()], None))
    decision = decide(state, 0.0)
    assert isinstance(decision, Stop)
    assert (decision.end.breaker, decision.end.terminal) == (Breaker.FLAKY, TerminalState.FAILED_UNVERIFIABLE)
    assert "a failed in 2 of 5 runs on the same tree" in decision.end.reason


def flaky_b() -> LoopState:
    """Return a state in which `b` is known as flaky beside the steady `a`."""
    state = replace(STATE, failure=failure(run("a", "b")))
    return attributed(state, weigh(state, [run("a", "b"), run("a"), run("a"), run("a"), run("a")], None))


def test_what_is_left_when_only_the_flaky_fails_is_no_work_for_the_agent() -> None:
    left = run("b", passed=("a",))
    validation = Validation(project_type="python", layers=(left,), planned=(Layer.TEST,))
    assert failure_of(validation, left, flaky_b()).mode is FailureMode.FLAKY
    both = run("a", "b")
    assert failure_of(validation, both, flaky_b()).mode is FailureMode.DETERMINISTIC_FAIL


def test_a_flaky_test_speaks_against_no_attempt() -> None:
    before = failure(run("a", passed=("b", "c")), flaky=("b",))
    assert regression(before, run("b", passed=("a", "c"))) == ""
    assert regression(before, run("c", passed=("a", "b"))) != ""


def test_a_green_gate_is_no_proof_where_something_is_flaky() -> None:
    end = gate_end(green(), (), flaky_words(flaky_b()))
    assert end is not None
    assert (end.status, end.breaker) == ("BLOCKED", Breaker.FLAKY)
    assert "b failed in 1 of 5 runs" in end.reason
