"""A question on a pull request: answered by a comment or a button, in a job that has nothing but the pull request."""

from tests.e2e.github_stage import Hub
from tests.e2e.test_action_commands import in_order, replies
from tests.e2e.test_decision import ASKS, KEEPS_10, PATCH, PRICED, RAISED
from tests.fakes.github import PullRequest
from tests.fakes.model_server import ModelServer


def asked(hub: Hub) -> PullRequest:
    """Return a pull request on which fixloop has a question."""
    hub.shop.commit("main", PRICED, author="pat")
    hub.shop.branch("feature")
    hub.shop.commit("feature", RAISED, message="Raise the price to 12 cents a page", author="pat")
    pull = hub.shop.open_pull("feature", title="Raise prices", author="pat")
    with ModelServer([ASKS]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "NEED_DECISION", step.done.stdout + step.done.stderr
    return pull


def test_option_a_in_a_comment_is_pushed_as_exactly_the_diff_that_was_shown(hub: Hub) -> None:
    pull = asked(hub)
    head = hub.shop.head("feature")
    body = hub.report(pull)
    assert PATCH in body
    assert "test stale: tests/test_prices.py::test_price" in body
    assert hub.check.conclusion == "action_required"
    assert [action["identifier"] for action in hub.check.actions] == ["decide-a", "decide-b", "stop"]
    step = hub.on_comment(pull, "/fixloop decide A")
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.subjects("feature", head) == ["fix-loop: test clean (decision)"]
    assert "price(2) == 24" in (hub.shop.read("tests/test_prices.py", "feature") or "")
    assert "as allowed by pat" in hub.report(pull)
    assert hub.check.conclusion == "success"
    in_order(hub.on_comment(pull, "/fixloop decide A"))
    assert "No question of fixloop" in replies(hub, pull)[-1]


def test_option_b_by_a_button_goes_on_with_the_agent(hub: Hub) -> None:
    asked(hub)
    head = hub.shop.head("feature")
    payload = hub.github.payloads.check_run(
        hub.shop, hub.check, "requested_action", identifier="decide-b", sender="pat"
    )
    with ModelServer([KEEPS_10]) as model:
        step = hub.step("check_run", payload, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert "keep 10 a page" in model.requests[0].text
    assert hub.subjects("feature", head) == ["fix-loop: test clean (iteration 1)"]


def test_a_diff_for_another_commit_is_not_done(hub: Hub) -> None:
    pull = asked(hub)
    head = hub.shop.commit("feature", {"README.md": "more\n"}, author="pat")
    in_order(hub.on_comment(pull, "/fixloop decide A"))
    assert f"the head is {head[:7]}" in replies(hub, pull)[-1]
    assert hub.shop.head("feature") == head
