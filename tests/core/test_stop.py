"""Tests of the check run that asks a run to stop."""

from fixloop_bot.core.stop import stopped_check_run
from fixloop_bot.model.check_run import Conclusion


def test_it_ends_the_check_run_of_that_run_as_cancelled() -> None:
    shown = stopped_check_run(run_id="r1", head_sha="a" * 40, by="pat")
    assert (shown.external_id, shown.head_sha, shown.conclusion) == ("r1", "a" * 40, Conclusion.CANCELLED)
    assert "pat asked fixloop to stop" in shown.summary


def test_a_name_carries_no_markup_and_no_end() -> None:
    shown = stopped_check_run(run_id="r1", head_sha="a" * 40, by="<b>@everyone</b>\n# big" + "x" * 10_000)
    assert "\n" not in shown.summary
    assert len(shown.summary) < 400
