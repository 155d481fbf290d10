"""Where repaired commits go: onto the branch, beside it, or into people's hands, and never over somebody's work."""

from collections.abc import Mapping

import pytest

from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE
from tests.fakes.github import PullRequest
from tests.fakes.model_server import ModelServer, edit, finish, turn

INSTALLS = {
    ".fixloop.yml": "setup: ['mkdir -p deps && cp parts/*.py deps/']\n",
    ".gitignore": "deps/\n__pycache__/\n",
    "parts/one.py": "N = 1\n",
}
NEEDS_MORE = {
    "notes.md": "mine\n",
    "parts/two.py": "N = 2\n",
    "tests/test_two.py": "from deps.two import N\n\n\ndef test_two() -> None:\n    assert N == 2\n",
}


def test_a_person_s_push_during_the_run_survives_and_ours_comes_on_top(hub: Hub) -> None:
    hub.shop.commit("main", INSTALLS, author="pat")
    pull = hub.break_it()
    pushed: list[str] = []

    def person_pushes(_request: object) -> None:
        if not pushed:
            pushed.append(hub.shop.commit("feature", NEEDS_MORE, author="pat"))

    with ModelServer([REPAIR]) as model:
        hub.github.conditions.before("GET", "*/branches/feature", person_pushes)
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert pushed, "what it needs is installed before the gate on top of it"
    assert hub.subjects("feature", pushed[0]) == ["fix-loop: test clean (iteration 1)"]
    assert hub.shop.read("notes.md", "feature") == "mine\n"


def test_a_protected_branch_gets_a_pull_request_of_fixloop_s_own(hub: Hub) -> None:
    pull = hub.break_it()
    hub.shop.protect("feature")
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.shop.head("feature") == pull.head_sha
    (own,) = [one for one in hub.shop.pulls.values() if one.number != pull.number]
    assert own.head_ref == "fixloop/feature"
    assert f"/pull/{own.number}" in hub.report(pull)


def test_any_legal_branch_name(hub: Hub) -> None:
    pull = hub.break_it("feat(x)-#1,a+b")
    start = pull.head_sha
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.subjects("feat(x)-#1,a+b", start) == ["fix-loop: test clean (iteration 1)"]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        pytest.param(
            {"app/pages.py": OFF_BY_ONE["app/pages.py"].replace("- 2]", "- 3]")},
            "app/pages.py no longer fits",
            id="changes the same line",
        ),
        pytest.param(
            {"tests/test_more.py": "def test_more() -> None:\n    assert False\n"},
            "on the new head the checks do not pass",
            id="breaks another check",
        ),
    ],
)
def test_a_push_that_the_repair_does_not_go_with_gets_it_as_a_patch(
    hub: Hub, files: Mapping[str, str], why: str
) -> None:
    pull = hub.break_it()
    pushed: list[str] = []
    with ModelServer([REPAIR]) as model:
        hub.github.conditions.before(
            "GET", "*/branches/feature", lambda _: pushed.append(hub.shop.commit("feature", dict(files), author="pat"))
        )
        step = hub.on_pull(pull, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert hub.shop.head("feature") == pushed[0]
    assert hub.github.pushes == []
    report = hub.report(pull)
    assert why in report, report
    assert f"+{RIGHT_LINE}" in report
    assert step.outputs["commits"] == ""


def test_a_fork_is_pushed_to_where_it_is_and_never_our_branch_of_the_same_name(hub: Hub) -> None:
    pull = hub.fork_it()
    ours, start = hub.shop.head("main"), pull.head_sha
    with ModelServer([REPAIR]) as model:
        step = hub.on_comment(pull, "/fixloop", model=model, token=hub.github.user_token("pat"))
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.shop.head("main") == ours
    assert [message.splitlines()[0] for message in pull.head_repo.messages("main", start)] == [
        "fix-loop: test clean (iteration 1)"
    ]


@pytest.mark.parametrize(
    ("modifiable", "refuses", "whose"),
    [
        pytest.param(False, None, "person", id="its owner takes no pushes of maintainers"),
        pytest.param(True, "Permission to rita/shop.git denied to pat.", "person", id="it refuses the push"),
        pytest.param(True, None, "job", id="the job's token does not reach it"),
    ],
)
def test_a_fork_that_cannot_be_pushed_to_gets_suggestions(
    hub: Hub, modifiable: bool, refuses: str | None, whose: str
) -> None:
    pull = hub.fork_it(modifiable=modifiable, refuses_pushes=refuses)
    ours, start = hub.shop.head("main"), pull.head_sha
    token = hub.github.user_token("pat") if whose == "person" else ""
    with ModelServer([REPAIR]) as model:
        step = hub.on_comment(pull, "/fixloop", model=model, token=token)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert (hub.shop.head("main"), pull.head_sha) == (ours, start)
    (suggestion,) = hub.shop.review_comments.values()
    assert suggestion.path == "app/pages.py"
    assert RIGHT_LINE in suggestion.body
    assert "1 suggestion" in hub.report(pull)


def test_what_lies_outside_a_fork_s_diff_comes_as_a_patch(hub: Hub) -> None:
    pull = _broken_beside_the_diff(hub)
    with ModelServer([REPAIR]) as model:
        step = hub.on_comment(pull, "/fixloop", model=model, token=hub.github.user_token("pat"))
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert not hub.shop.review_comments
    report = hub.report(pull)
    assert "git apply" in report
    assert f"-{FAULTY_LINE}+{RIGHT_LINE}" in report


def _broken_beside_the_diff(hub: Hub) -> PullRequest:
    """Let base and fork have the same fault, so that the pull request's diff does not show it."""
    hub.shop.commit("main", dict(BREAK), author="pat")
    fork = hub.shop.fork("rita")
    fork.permit("pat", "read")
    sha = fork.commit("main", {"notes.md": "mine\n"}, author="rita")
    hub.shop.workflow_run(sha, [("test", "failure", "E   assert 2 == 3\n")], head_repository=fork.full_name)
    return hub.shop.open_pull("main", author="rita", source=fork)


def test_the_default_branch_gets_a_pull_request_by_dispatch(hub: Hub) -> None:
    head = hub.shop.commit("main", dict(BREAK), author="pat")
    payload = hub.github.payloads.workflow_dispatch(hub.shop, {"branch": "main"}, sender="pat")
    with ModelServer([REPAIR]) as model:
        step = hub.step("workflow_dispatch", payload, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.shop.head("main") == head
    (own,) = hub.shop.pulls.values()
    assert (own.head_ref, own.base_ref) == ("fixloop/main", "main")
    assert step.outputs["commits"] == own.head_sha
    assert hub.check.conclusion == "action_required", "the branch itself still fails until the repair is merged"


def test_a_newer_repair_never_writes_over_an_older_proposal(hub: Hub) -> None:
    first = hub.shop.commit("main", dict(BREAK), author="pat")
    payload = hub.github.payloads.workflow_dispatch(hub.shop, {"branch": "main"}, sender="pat")
    with ModelServer([REPAIR]) as model:
        hub.step("workflow_dispatch", payload, model=model)
    older = hub.shop.head("fixloop/main")
    second = hub.shop.commit("main", {"notes.md": "more\n"}, author="pat")
    assert second != first
    with ModelServer([REPAIR]) as model:
        step = hub.step("workflow_dispatch", payload, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.shop.head("fixloop/main") == older
    own = {pull.head_ref: pull.head_sha for pull in hub.shop.pulls.values()}
    assert own == {"fixloop/main": older, f"fixloop/main-{second[:7]}": step.outputs["commits"]}


def test_an_agent_that_wants_a_workflow_changed_gets_no_further_than_saying_so(hub: Hub) -> None:
    lint = '{run: ["grep -q timeout-minutes .github/workflows/ci.yml"]}'
    hub.shop.commit("main", {".fixloop.yml": f"layers: {{lint: {lint}}}\n"}, author="pat")
    workflow = "name: CI\non: push\njobs: {}\n"
    pull = hub.break_it(files={".github/workflows/ci.yml": workflow})
    start = pull.head_sha
    tries = turn(edit(".github/workflows/ci.yml", "jobs: {}", "jobs: {}\n# timeout-minutes"))
    gives_up = turn(finish("blocked", reason="the workflow needs a limit, and I may not touch it"))
    with ModelServer([tries, gives_up]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert (step.outputs["status"], hub.shop.head("feature")) == ("BLOCKED", start)
    assert "I may not touch it" in hub.report(pull)
    assert (hub.check.status, hub.check.conclusion) == ("completed", "failure")


def test_a_fixer_s_change_of_a_workflow_stays_behind(hub: Hub) -> None:
    lint = '{run: ["! grep -rq BAD app/mark.txt"], fix: ["sed -i s/BAD/GOOD/ app/mark.txt .github/workflows/ci.yml"]}'
    hub.shop.commit("main", {".fixloop.yml": f"layers: {{lint: {lint}}}\n"}, author="pat")
    workflow = "name: BAD\non: push\njobs: {}\n"
    pull = hub.break_it(files={"app/mark.txt": "BAD\n", ".github/workflows/ci.yml": workflow})
    start = pull.head_sha
    step = hub.on_pull(pull)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert hub.subjects("feature", start) == ["fix-loop: lint clean (free)"]
    assert hub.shop.read("app/mark.txt", "feature") == "GOOD\n"
    assert hub.shop.read(".github/workflows/ci.yml", "feature") == workflow
    assert "DONE" in hub.report(pull)
    assert (hub.check.status, hub.check.conclusion) == ("completed", "success")
