"""What people say in comments, and what fixloop answers."""

import pytest

from tests.e2e.github_stage import REPAIR, Hub, Step
from tests.e2e.workspace import FAULTY_LINE, RIGHT_LINE
from tests.fakes.github import IssueComment, PullRequest
from tests.fakes.model_server import ModelServer


def replies(hub: Hub, pull: PullRequest) -> list[str]:
    """Return fixloop's replies, without its report."""
    return [one.body for one in hub.shop.comments_on(pull.number) if one.body.startswith("<!-- fixloop:reply")]


def said(hub: Hub, pull: PullRequest, body: str) -> IssueComment:
    """Return a person's comment."""
    return next(one for one in hub.shop.comments_on(pull.number) if one.body == body)


def repaired(hub: Hub) -> PullRequest:
    """Return a pull request on which a repair was pushed."""
    pull = hub.break_it()
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    return pull


def in_order(step: Step) -> None:
    """Check that the step did what it was to do."""
    assert step.done.code == 0, step.done.stdout + step.done.stderr


@pytest.mark.parametrize(
    ("body", "answer", "reaction"),
    [
        pytest.param("/fixloop help", "/fixloop revert", "rocket", id="help"),
        pytest.param("/fixloop status", "There is no run on this pull request", "rocket", id="status without a run"),
        pytest.param("/fixloop stop", "There is no run to stop", "confused", id="stop without a run"),
        pytest.param("/fixloop revert test", "There is no commit of fixloop", "confused", id="revert of nothing"),
        pytest.param("/fixloop decide A", "No question of fixloop", "confused", id="a decision"),
        pytest.param("/fixloop approve", "No question of fixloop", "confused", id="an approval"),
        pytest.param("/fixloop deny", "No question of fixloop", "confused", id="a denial"),
    ],
)
def test_a_command_gets_one_reply_and_two_reactions(hub: Hub, body: str, answer: str, reaction: str) -> None:
    pull = hub.break_it()
    in_order(hub.on_comment(pull, body))
    (reply,) = replies(hub, pull)
    assert answer in reply
    assert [one.content for one in said(hub, pull, body).reactions] == ["eyes", reaction]
    assert hub.github.pushes == []


def test_status_tells_how_the_last_run_ended(hub: Hub) -> None:
    pull = repaired(hub)
    in_order(hub.on_comment(pull, "/fixloop status"))
    (reply,) = replies(hub, pull)
    assert "DONE" in reply


@pytest.mark.parametrize("by", ["layer", "short id"])
def test_a_repair_is_taken_back_by_a_commit_on_top(hub: Hub, by: str) -> None:
    pull = repaired(hub)
    repair = hub.shop.head("feature")
    assert RIGHT_LINE in (hub.shop.read("app/pages.py", "feature") or "")
    in_order(hub.on_comment(pull, f"/fixloop revert {'test' if by == 'layer' else repair[:10]}"))
    assert FAULTY_LINE in (hub.shop.read("app/pages.py", "feature") or "")
    (message,) = hub.shop.messages("feature", repair)
    assert repair in message, "git's own way to say which commit is taken back"
    (reply,) = replies(hub, pull)
    assert f"{repair[:7]} is taken back by {hub.shop.head('feature')[:7]}" in reply


def test_a_repair_that_a_person_built_on_is_not_taken_back_by_itself(hub: Hub) -> None:
    pull = repaired(hub)
    text = (hub.shop.read("app/pages.py", "feature") or "").replace(RIGHT_LINE, "    return max(pages)\n")
    head = hub.shop.commit("feature", {"app/pages.py": text}, author="pat")
    in_order(hub.on_comment(pull, "/fixloop revert test"))
    assert hub.shop.head("feature") == head
    (reply,) = replies(hub, pull)
    assert "cannot be taken back by itself" in reply


def test_a_person_s_own_commit_is_never_taken_back(hub: Hub) -> None:
    pull = hub.break_it()
    in_order(hub.on_comment(pull, f"/fixloop revert {pull.head_sha[:10]}"))
    assert hub.github.pushes == []
    (reply,) = replies(hub, pull)
    assert "There is no commit of fixloop" in reply


def test_an_edited_comment_is_no_command(hub: Hub) -> None:
    pull = hub.break_it()
    comment = hub.shop.comment(pull.number, "a remark", author="pat")
    hub.shop.edit_comment(comment, "/fixloop")
    with ModelServer([]) as model:
        payload = hub.github.payloads.issue_comment(hub.shop, comment, "edited")
        in_order(hub.step("issue_comment", payload, model=model))
    assert model.requests == []
    assert comment.reactions == []


def test_a_command_older_than_the_head_is_refused_with_the_reason(hub: Hub) -> None:
    pull = hub.break_it()
    comment = hub.shop.comment(pull.number, "/fixloop", author="pat")
    hub.github.advance(60)
    sha = hub.shop.commit("feature", {"evil.py": "x = 1\n"}, author="rita")
    hub.shop.workflow_run(sha, [("test", "failure", "E   no\n")], branch="feature")
    with ModelServer([]) as model:
        in_order(hub.step("issue_comment", hub.github.payloads.issue_comment(hub.shop, comment), model=model))
    assert model.requests == []
    (reply,) = replies(hub, pull)
    assert f"{sha[:7]} was pushed after this comment was written" in reply.replace("\\", "")
