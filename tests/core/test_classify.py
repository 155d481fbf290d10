"""Environment or code, rule by rule."""

import pytest

from fixloop_bot.core.classify import Symptoms, classify
from fixloop_bot.model.attempt import FailureMode
from fixloop_bot.model.command import Limit
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.environment import Lack, Unresolved, Weight

TEST = Diagnostic(path="t.py", message="assert 1 == 2", test_id="t", kind=DiagnosticKind.TEST_FAILURE)
PLACED = Diagnostic(path="t.py", message="boom", kind=DiagnosticKind.BUILD_ERROR)
ABSENT = Diagnostic(path="t.py", message="No module named 'requests'", test_id="t", kind=DiagnosticKind.TEST_FAILURE)
REQUESTS = Unresolved(name="requests", declared=True)
SLIP = Unresolved(name="requsts")
OWN = Unresolved(name="./utilz", in_repository=True, declared=True)
LACK = Lack("make has no target lint")
DISK = Lack("disk: no space is left", Weight.DECISIVE)


@pytest.mark.parametrize(
    "symptoms",
    [
        Symptoms(exit_code=None, missing_program="ruff"),
        Symptoms(exit_code=127),
        Symptoms(exit_code=126, diagnostics=[PLACED]),
        Symptoms(exit_code=137, diagnostics=[TEST]),
        Symptoms(exit_code=-9),
        Symptoms(exit_code=143),
        Symptoms(exit_code=1, unresolved=[REQUESTS], diagnostics=[ABSENT]),
        Symptoms(exit_code=1, lacks=[LACK]),
        Symptoms(exit_code=1, lacks=[DISK], diagnostics=[PLACED]),
        Symptoms(exit_code=1, lacks=[DISK], unresolved=[SLIP]),
    ],
    ids=[
        "the program is missing",
        "exit 127",
        "exit 126",
        "killed from outside",
        "killed by signal 9",
        "ended with nothing said",
        "a declared package is not installed",
        "a tool's own line and nothing else",
        "a decisive line beside a place",
        "a decisive line beside an undeclared module",
    ],
)
def test_the_environment_is_at_fault_and_says_what_is_missing(symptoms: Symptoms) -> None:
    verdict = classify(symptoms)
    assert verdict.mode is FailureMode.ENVIRONMENTAL
    assert verdict.missing
    assert all(verdict.missing)


@pytest.mark.parametrize(
    "symptoms",
    [
        Symptoms(exit_code=1),
        Symptoms(exit_code=1, diagnostics=[TEST]),
        Symptoms(exit_code=127, diagnostics=[TEST]),
        Symptoms(exit_code=-9, limit=Limit.WALL),
        Symptoms(exit_code=143, diagnostics=[TEST]),
        Symptoms(exit_code=-11),
        Symptoms(exit_code=1, unresolved=[SLIP]),
        Symptoms(exit_code=1, unresolved=[OWN]),
        Symptoms(exit_code=1, unresolved=[REQUESTS, SLIP]),
        Symptoms(exit_code=1, unresolved=[REQUESTS], diagnostics=[ABSENT, TEST]),
        Symptoms(exit_code=1, unresolved=[OWN], lacks=[LACK]),
        Symptoms(exit_code=1, lacks=[LACK], diagnostics=[PLACED]),
        Symptoms(exit_code=1, lacks=[DISK], diagnostics=[TEST]),
    ],
    ids=[
        "nothing is known",
        "a test failed",
        "127 tests failed, for a runner that exits with their number",
        "our own limit ended it",
        "ended after a test failed",
        "it crashed",
        "an undeclared module",
        "a path of the repository",
        "a declared and an undeclared module",
        "a package is missing and a test fails besides",
        "a path of the repository, whatever else is said",
        "a tool's own line beside a place",
        "a test that prints such a line",
    ],
)
def test_the_code_is_at_fault(symptoms: Symptoms) -> None:
    assert classify(symptoms).mode is FailureMode.DETERMINISTIC_FAIL
    assert classify(symptoms).missing == ()


def test_a_missing_program_is_named_with_a_way_out() -> None:
    (words,) = classify(Symptoms(exit_code=None, missing_program="pytest")).missing
    assert words == (
        "pytest is not installed in the project's environment; install it, or declare a `setup` command that does"
    )


DATABASE = Lack("a service at port 5432: nothing listens", Weight.EXPLAINING, ("refused",))
REFUSED = Diagnostic(path="t.py", message="Connection refused", test_id="t", kind=DiagnosticKind.TEST_FAILURE)


@pytest.mark.parametrize(
    ("diagnostics", "mode"),
    [
        ([REFUSED], FailureMode.ENVIRONMENTAL),
        ([], FailureMode.ENVIRONMENTAL),
        ([REFUSED, TEST], FailureMode.DETERMINISTIC_FAIL),
        ([TEST], FailureMode.DETERMINISTIC_FAIL),
    ],
    ids=["all are refused", "nothing else is told", "one fails otherwise", "none is refused"],
)
def test_a_missing_service_is_to_blame_only_where_it_explains_every_failure(
    diagnostics: list[Diagnostic], mode: FailureMode
) -> None:
    assert classify(Symptoms(exit_code=1, diagnostics=diagnostics, lacks=[DATABASE])).mode is mode


@pytest.mark.parametrize(
    ("symptoms", "tie"),
    [
        pytest.param(Symptoms(exit_code=1), True, id="it failed and nothing it said is known"),
        pytest.param(Symptoms(exit_code=1, diagnostics=[PLACED]), False, id="a parser knows it"),
        pytest.param(Symptoms(exit_code=1, unresolved=[SLIP]), False, id="a module is unresolved"),
        pytest.param(Symptoms(exit_code=1, lacks=[LACK]), False, id="a line speaks of the environment"),
        pytest.param(Symptoms(exit_code=1, lacks=[DISK], diagnostics=[TEST]), False, id="a line beside a failing test"),
        pytest.param(Symptoms(exit_code=1, limit=Limit.WALL), False, id="our own limit ended it"),
        pytest.param(Symptoms(exit_code=-11), False, id="it crashed"),
        pytest.param(Symptoms(exit_code=127), False, id="a program is missing"),
        pytest.param(Symptoms(exit_code=137), False, id="it was killed"),
        pytest.param(Symptoms(exit_code=0), False, id="it did not fail"),
    ],
)
def test_a_tie_is_where_nothing_speaks_for_either(symptoms: Symptoms, *, tie: bool) -> None:
    assert classify(symptoms).ambiguous is tie
