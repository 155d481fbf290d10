"""A verdict for each failing test: by what failed, what would be changed, and what the change says it is for."""

import pytest

from fixloop_bot.core.verdicts_of_tests import verdicts_of_tests, words
from fixloop_bot.model.agent import Proposal
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.test_verdict import TestVerdict

TEST = "tests/test_prices.py"
BEFORE, AFTER = "    assert price(2) == 20\n", "    assert price(2) == 24\n"


def failing(kind: DiagnosticKind = DiagnosticKind.TEST_FAILURE, test: str | None = "test_price") -> LayerResult:
    found = Diagnostic(path=TEST, line=3, message="assert 24 == 20", kind=kind, test_id=test)
    return LayerResult(name=Layer.TEST, status=LayerStatus.FAIL, diagnostics=(found,))


@pytest.mark.parametrize(
    ("intent", "verdict"),
    [
        pytest.param("Raise the price to 12 cents", TestVerdict.TEST_STALE, id="the intent names what is asserted"),
        pytest.param("Let it cost 24", TestVerdict.TEST_STALE, id="the intent names the new value"),
        pytest.param("Fix tests and update code", TestVerdict.AMBIGUOUS, id="words that say nothing"),
        pytest.param("Sort names", TestVerdict.AMBIGUOUS, id="another intent"),
        pytest.param("", TestVerdict.AMBIGUOUS, id="no intent"),
    ],
)
def test_a_proposed_edit_of_a_test_is_stale_only_where_the_change_says_so(intent: str, verdict: TestVerdict) -> None:
    proposal = Proposal(path=TEST, before=BEFORE, after=AFTER, is_test=True)
    assert verdicts_of_tests(failing(), [proposal], intent) == (("test_price", verdict),)


def test_without_a_proposal_the_code_is_wrong_and_what_does_not_compile_is_no_stale_test() -> None:
    proposal = Proposal(path=TEST, before=BEFORE, after=AFTER, is_test=True)
    assert verdicts_of_tests(failing(), [], "price 24") == (("test_price", TestVerdict.CODE_WRONG),)
    broken = failing(DiagnosticKind.SYNTAX_ERROR, test=None)
    assert verdicts_of_tests(broken, [proposal], "price 24") == ((TEST, TestVerdict.COMPILE_ERROR),)


def test_names_are_taken_apart_and_empty_words_left_out() -> None:
    assert words("fix test_totalPrice for Invoice2 to 24") == {"total", "price", "invoice", "2", "24"}
