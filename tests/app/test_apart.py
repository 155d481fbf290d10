"""What a run is that cannot hold its gate."""

from fixloop_bot.app.apart import where_looked, without_proof
from fixloop_bot.model.layer import Validation
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import Limits, LoopState

STATE = LoopState(run_id="r", limits=Limits(deadline=100.0))


def test_a_gate_that_cannot_be_held_is_the_environment_s_fault_in_words() -> None:
    ending = without_proof(STATE, "setup `npm ci`: exit code 1", now=99.0).ending
    assert ending is not None
    assert (ending.status, ending.terminal) == (Status.BLOCKED, TerminalState.FAILED_BLOCKED)
    assert (ending.breaker, ending.reason) == (Breaker.ENVIRONMENT, "setup `npm ci`: exit code 1")
    assert "`setup`" in ending.suggestion


def test_a_setup_that_the_run_s_end_cuts_short_is_nobody_s_fault() -> None:
    assert without_proof(STATE, "setup `npm ci`: wall", now=100.0) == STATE, "the next decision names the time limit"


def test_a_person_hears_where_the_gate_looked() -> None:
    seen = Validation(project_type="x", layers=())
    assert where_looked(seen) == "on the committed tree alone"
    afresh = where_looked(Validation(project_type="x", layers=(), setup=("npm ci",)))
    assert afresh.startswith("in a fresh checkout after `setup`; ")
