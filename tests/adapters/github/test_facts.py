"""What triggers are judged by, as GitHub tells it."""

import pytest

from fixloop_bot.model.event import PullRequest, RepositoryRef
from fixloop_bot.model.forge import Comment, ForgeErrorKind
from fixloop_bot.model.ticket import Absent, Permission
from fixloop_bot.ports.forge import Forge, ForgeError
from tests.adapters.github.scene import Scene, scene
from tests.fakes.github.conditions import SECONDARY


@pytest.mark.parametrize("enterprise", [False, True], ids=["api at the root", "api below /api/v3"])
def test_a_pull_request_is_read_over_either_address(*, enterprise: bool) -> None:
    with scene(enterprise=enterprise) as stage, stage.forge() as forge:
        assert stage.github.url.endswith("/api/v3") is enterprise
        found = stage.pull_request(forge)
        assert (found.head_sha, found.head_branch, found.author.login) == (stage.head, "feature/a#b", "pat")
        assert not found.from_fork
        assert [one.pull_request for one in forge.open_pull_requests()] == [found]
        assert isinstance(forge.write_comment(1, "hello"), Comment)


def test_what_is_not_there_is_absent(forge: Forge) -> None:
    assert forge.pull_request(99) == Absent()
    assert forge.branch_head("no such/branch#1") == Absent()
    assert forge.commit_message("0" * 40) == Absent()
    assert forge.is_protected("nothing") == Absent()
    assert forge.file("nothing.yml", "main") is None
    assert forge.pull_requests_with_head("0" * 40) == ()


def test_branches_and_commits_are_read(stage: Scene, forge: Forge) -> None:
    stage.shop.protect("main")
    assert forge.branch_head("feature/a#b") == stage.head
    assert forge.commit_message(stage.head) == "Break\n\nit"
    assert [(one.name, one.protected) for one in forge.branches()] == [("feature/a#b", False), ("main", True)]
    assert (forge.is_protected("main"), forge.is_protected("feature/a#b")) == (True, False)
    assert forge.repository().default_branch == "main"


def test_a_file_is_read_from_the_ref_that_is_named(stage: Scene, forge: Forge) -> None:
    assert forge.file("app.py", "main") == "a = 1\nb = 2\nc = 3\n"
    assert forge.file("app.py", stage.head) == "a = 1\nb = \nc = 3\n"


@pytest.mark.parametrize("path", ["data.bin", "link.yml"])
def test_a_file_that_is_there_but_no_text_is_never_taken_for_none(stage: Scene, forge: Forge, path: str) -> None:
    stage.shop.commit("main", {"link.yml": "/etc/passwd"}, modes={"link.yml": "120000"})
    with pytest.raises(ForgeError, match="regular file"):
        forge.file(path, "main")


@pytest.mark.parametrize("level", [*Permission])
def test_a_permission_is_the_one_of_this_moment(stage: Scene, forge: Forge, level: Permission) -> None:
    assert forge.permission("pat") is Permission.WRITE
    stage.github.user("pat", permission=str(level))
    assert forge.permission("pat") is level


@pytest.mark.parametrize("login", ["nobody", "a/../b", "x?y#z"])
def test_a_stranger_has_no_permission(forge: Forge, login: str) -> None:
    assert forge.permission(login) is Permission.NONE


def test_a_pull_request_is_found_by_its_head(stage: Scene, forge: Forge) -> None:
    older = stage.head
    assert [one.number for one in forge.pull_requests_with_head(older)] == [1]
    stage.shop.commit("feature/a#b", {"app.py": "x\n"}, author="pat")
    assert forge.pull_requests_with_head(older) == ()


def test_a_forks_pull_request_is_found_by_its_branch_where_the_commit_is_unknown(stage: Scene, forge: Forge) -> None:
    fork = stage.shop.fork("zoe")
    head = fork.commit("main", {"app.py": "fork\n"}, author="zoe")
    pull = stage.shop.open_pull("main", source=fork, author="zoe")
    stage.github.conditions.fail(status=422, message=f"No commit found for SHA: {head}", path="*/commits/*/pulls")
    told = RepositoryRef(full_name=fork.full_name, id=fork.id)
    found = forge.pull_requests_with_head(head, head_branch="main", head_repository=told)
    assert [(one.number, one.from_fork) for one in found] == [(pull.number, True)]


def test_the_time_of_the_push_is_githubs_and_the_latest_arrival_counts(stage: Scene, forge: Forge) -> None:
    pull_request = stage.pull_request(forge)
    assert forge.head_pushed_at(pull_request) == Absent()
    first = stage.shop.workflow_run(stage.head, event="pull_request")
    stage.shop.workflow_run(stage.head, branch="elsewhere")
    assert forge.head_pushed_at(pull_request) == pytest.approx(first.created_at.timestamp(), abs=1)
    stage.github.advance(600)
    again = stage.shop.workflow_run(stage.head, event="pull_request")
    stage.github.advance(600)
    stage.shop.workflow_run(stage.head, branch="elsewhere")
    assert forge.head_pushed_at(pull_request) == pytest.approx(again.created_at.timestamp(), abs=1)


def test_a_rate_limit_that_lasts_too_long_is_told(stage: Scene, forge: Forge) -> None:
    stage.github.exhaust_rate(seconds=3_000)
    with pytest.raises(ForgeError, match="rate limit") as raised:
        forge.pull_request(1)
    assert raised.value.kind is ForgeErrorKind.RATE_LIMITED


@pytest.mark.parametrize(
    ("status", "kind"), [(403, ForgeErrorKind.RATE_LIMITED), (503, ForgeErrorKind.UNAVAILABLE)], ids=["limit", "away"]
)
def test_a_wait_longer_than_the_patience_is_not_begun(
    stage: Scene, forge: Forge, status: int, kind: ForgeErrorKind
) -> None:
    stage.github.conditions.fail(status=status, message=SECONDARY, times=5, retry_after=3_000)
    with pytest.raises(ForgeError, match="5 seconds or more") as raised:
        forge.pull_request(1)
    assert raised.value.kind is kind
    assert stage.github.conditions.faults[0].times == 4, "it was not asked again"
    with pytest.raises(ForgeError, match="5 seconds or more"):
        forge.write_comment(1, "words")


def test_a_server_error_that_passes_is_not_noticed(stage: Scene, forge: Forge) -> None:
    stage.github.conditions.fail(status=502, times=2)
    assert isinstance(forge.pull_request(1), PullRequest)


def test_a_server_error_that_stays_is_told(stage: Scene, forge: Forge) -> None:
    stage.github.conditions.fail(status=502, times=9)
    with pytest.raises(ForgeError) as raised:
        forge.pull_request(1)
    assert raised.value.kind is ForgeErrorKind.UNAVAILABLE


def test_a_bad_credential_is_told_without_showing_it(stage: Scene) -> None:
    with stage.forge("ghp_wrong") as forge, pytest.raises(ForgeError) as raised:
        forge.pull_request(1)
    assert raised.value.kind is ForgeErrorKind.BAD_CREDENTIALS
    assert "ghp_wrong" not in raised.value.advice


def test_a_missing_permission_is_named(stage: Scene) -> None:
    token = stage.github.actions_token(stage.shop, permissions={"contents": "read", "pull_requests": "read"})
    with stage.forge(token) as forge, pytest.raises(ForgeError) as raised:
        forge.write_comment(1, "hello")
    assert (raised.value.kind, raised.value.status) == (ForgeErrorKind.NOT_PERMITTED, 403)
    assert "needs `issues: write` or `pull-requests: write`" in raised.value.advice
