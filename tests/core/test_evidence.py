"""The termination gate's evidence: what is written is what is read, and nothing else passes for it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.evidence import claim_of, command_key, evidence
from fixloop_bot.core.record import to_record
from fixloop_bot.model.layer import Evidence, Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.proof import Ended, TestCounts
from fixloop_bot.model.state import LoopState
from tests.core.render.states import DONE, HEAD, MAX_RETRIES

TREE = "d" * 40


def done_with(*ran: Evidence, tests: TestReport | None = None) -> LoopState:
    """Return a DONE run whose gate ran these commands as its tests."""
    layer = LayerResult(name=Layer.TEST, status=LayerStatus.PASS, evidence=ran, tests=tests)
    return replace(DONE, gate=Validation(project_type="x", layers=(layer,), tree=TREE))


def ran(command: str, project: str = ".") -> Evidence:
    return Evidence(command=command, project=project, exit_code=0, duration_s=1.0, output_sha256="e" * 64)


def test_a_gate_is_read_as_it_was_written() -> None:
    state = done_with(ran("pytest"), tests=TestReport(4, passed=("a",), skipped=("b", "c")))
    claim = claim_of(evidence(state), run_id="r")
    assert (claim.commit, claim.tree, claim.person_head) == (state.head, TREE, HEAD)
    assert claim.commands == {"test: [.] pytest": Ended(0, "e" * 64)}
    assert claim.tests == {"test": TestCounts(4, 0, 2)}


@given(command=st.text(min_size=1, max_size=60), project=st.text(min_size=1, max_size=20))
def test_no_command_can_say_anything_else_by_its_text(command: str, project: str) -> None:
    claim = claim_of(evidence(done_with(ran(command, project))), run_id="r")
    assert list(claim.commands) == [command_key("test", project, command)]
    assert claim.tests == {}


@pytest.mark.parametrize(
    "command",
    ["a\ntest: 9 tests ran, 0 failed, 0 skipped", "x\ncommit " + "f" * 40, "y -> exit 0, output sha256 " + "0" * 64],
    ids=lambda command: command[:12].replace("\n", " "),
)
def test_a_command_that_looks_like_evidence_is_a_command(command: str) -> None:
    state = done_with(ran(command))
    claim = claim_of(evidence(state), run_id="r")
    assert (claim.commit, len(claim.commands), claim.tests) == (state.head, 1, {})


def test_a_fresh_checkout_is_told_and_says_nothing_else() -> None:
    state = done_with(ran("pytest"))
    setup = ("npm ci", "a\ntest: 9 tests ran, 0 failed, 0 skipped", "x" * 1000)
    afresh = replace(state, gate=replace(state.gate, setup=setup)) if state.gate else state
    (line,) = set(evidence(afresh)) - set(evidence(state))
    assert line.startswith("in a fresh checkout, after setup: npm ci && a test: 9 tests")
    assert len(line) < 500
    assert claim_of(evidence(afresh), run_id="r") == claim_of(evidence(state), run_id="r")


def test_only_a_gate_that_made_done_is_told_as_one() -> None:
    lines = evidence(MAX_RETRIES)
    assert lines[0].startswith("branch at ")
    with pytest.raises(ValueError, match="names no commit"):
        claim_of(lines, run_id="r")


def test_the_repair_records_of_what_the_gate_proves_have_its_evidence_and_no_others() -> None:
    records = [to_record(DONE, attempt, created_at="2027-01-15T08:00:00Z") for attempt in DONE.attempts]
    assert [record.evidence for record in records] == [evidence(DONE), (), evidence(DONE)]
