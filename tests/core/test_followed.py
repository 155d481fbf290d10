"""Of the runs on one branch of the service the newest counts: what an earlier one asked is moot."""

from dataclasses import replace

from fixloop_bot.core.followed import with_followers
from fixloop_bot.core.service_steps import service_steps
from fixloop_bot.core.standing import SUPERSEDED, status_of, told, waits_for
from fixloop_bot.model.history import RunFacts, RunOrigin, Standing
from fixloop_bot.model.outcome import Question, QuestionKind, Status
from fixloop_bot.model.state import End, Phase

CHOICE = Question(layer="test", question="Which?", option_a="this", option_b="that")


def run(run_id: str, branch: str = "octo/shop:a", question: Question | None = CHOICE) -> RunFacts:
    end = End(status=Status.NEED_DECISION, terminal=None, question=question) if question else None
    standing = Standing(
        phase=Phase.DECISION_WAIT, started_at=1.0, layer="", iterations=0, max_retries=3, cost_usd=0.0,
        error_hashes=(), end=end,
    )  # fmt: skip
    origin = RunOrigin(repository="octo/shop", repository_id=1, installation_id=1, branch=branch, pull_request=5)
    return RunFacts(run_id=run_id, origin=origin, standing=standing)


def test_only_what_waits_and_is_older_is_superseded() -> None:
    shell = replace(run("shell"), origin=None)
    found = with_followers([run("new", question=None), run("old"), run("other", "octo/shop:b"), shell, run("oldest")])
    assert {one.run_id: one.followed_by for one in found} == {
        "new": "", "old": "new", "other": "", "shell": "", "oldest": "new",
    }  # fmt: skip


def test_a_superseded_run_says_so_and_waits_for_nobody() -> None:
    _, old = with_followers([run("new", question=None), run("old")])
    assert status_of(old) == SUPERSEDED
    assert waits_for(old) == ""
    assert "Run new took its place." in told(old)
    assert service_steps(old) == ()


def test_what_to_do_about_a_run_of_the_service_is_a_comment() -> None:
    assert service_steps(run("r")) == ("/fixloop decide A   (this)", "/fixloop decide B   (that)")
    approval = replace(CHOICE, kind=QuestionKind.APPROVAL)
    assert [step.split("   ")[0] for step in service_steps(run("r", question=approval))] == [
        "/fixloop approve", "/fixloop deny",
    ]  # fmt: skip
    assert service_steps(run("r", question=None))[1].startswith("/fixloop stop")
