"""fixloop's commits reach the branch as they are meant to, or nothing does; every refusal is told apart."""

from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.checkout import CheckoutRequest, checkout, fetch_head
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.push import push
from fixloop_bot.adapters.git.rebase import rebase_onto
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.model.delivery import BranchHead, Checkout, HeadMoved, Landed, PushOrder, PushRefused, Rebased, Refusal
from tests.adapters.git.forge import Forge, at, fix
from tests.fakes.github import FakeGitHub, Repository


def order(clone: Checkout, commit: str) -> PushOrder:
    assert clone.branch is not None
    return PushOrder(commit=commit, onto=clone.head_sha, branch=clone.branch, expected_old=clone.head_sha)


def start(tmp_path: Path) -> tuple[Forge, Checkout]:
    forge = Forge(tmp_path)
    return forge, forge.checked_out("feature", forge.work("app.py", "broken\n"))


def refusal(outcome: object) -> Refusal:
    assert isinstance(outcome, PushRefused), outcome
    return outcome.kind


def test_a_fix_lands_on_the_branch_and_a_repeated_push_has_landed(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    assert push(clone, order(clone, commit), forge.remote) == Landed(commit)
    assert push(clone, order(clone, commit), forge.remote) == Landed(commit)
    assert forge.tip("feature") == commit
    assert forge.tip("main") == forge.base


def test_clean_layers_can_go_without_those_above(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    first = fix(clone, "app.py", "compiles\n", layer="compile")
    fix(clone, "app.py", "lints\n", layer="lint")
    assert push(clone, order(clone, first), forge.remote) == Landed(first)
    assert forge.tip("feature") == first


def test_a_push_out_of_a_shallow_clone_lands_and_follows_a_moved_head(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.grow(60), base=None)
    assert at(clone.root).git("rev-parse", "--is-shallow-repository") == "true"
    commit = fix(clone, "app.py", "mended\n")
    forge.person.git("fetch", "-q", str(forge.bare), "refs/heads/feature")
    forge.person.git("reset", "-q", "--hard", "FETCH_HEAD")
    theirs = forge.work("other.py", "theirs\n")
    assert push(clone, order(clone, commit), forge.remote) == HeadMoved(theirs)
    assert fetch_head(clone, forge.remote, BranchHead("feature")) == theirs
    rebased = rebase_onto(clone, [commit], theirs)
    assert isinstance(rebased, Rebased)
    again = PushOrder(commit=rebased.commits[0], onto=theirs, branch="feature", expected_old=theirs)
    assert push(clone, again, forge.remote) == Landed(rebased.commits[0])
    assert forge.person.git("rev-list", "--count", "feature", cwd=forge.bare) == "63"


def test_a_person_who_pushed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    theirs = forge.work("app.py", "theirs\n")
    assert push(clone, order(clone, commit), forge.remote) == HeadMoved(theirs)
    assert forge.tip("feature") == theirs


def test_a_branch_that_its_person_took_back_does_not_get_their_commit_again(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    forge.publish("feature", forge.base)
    assert push(clone, order(clone, commit), forge.remote) == HeadMoved(forge.base)
    assert forge.tip("feature") == forge.base


def test_a_branch_that_its_person_deleted_does_not_come_back(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    forge.person.git("update-ref", "-d", "refs/heads/feature", cwd=forge.bare)
    assert push(clone, order(clone, commit), forge.remote) == HeadMoved(None)
    assert "refs/heads/feature" not in forge.refs()


def test_a_proposal_makes_a_branch_and_takes_none_that_is_there(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    proposal = replace(order(clone, commit), branch="fixloop/feature", expected_old=None)
    assert push(clone, proposal, forge.remote) == Landed(commit)
    theirs = forge.publish("fixloop/taken", forge.base)
    assert push(clone, replace(proposal, branch="fixloop/taken"), forge.remote) == HeadMoved(theirs)


def test_only_commits_of_fixloop_are_pushed(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    person = at(clone.root)
    person.write("app.py", "by hand\n")
    by_hand = person.commit_all("fix-loop: lint clean\n\nFixloop-Run: r1")
    untold = fix(clone, "app.py", "mended\n", message="no trailer\n")
    outside = replace(order(clone, forge.base), onto=forge.base)
    for commit in (by_hand, untold, clone.head_sha):
        assert refusal(push(clone, order(clone, commit), forge.remote)) is Refusal.NOT_OURS
    assert refusal(push(clone, outside, forge.remote)) is Refusal.NOT_OURS
    assert refusal(push(clone, order(clone, "f" * 40), forge.remote)) is Refusal.NOT_OURS
    assert forge.tip("feature") == clone.head_sha


def test_a_commit_beside_the_expected_one_is_never_forced_in(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", "mended\n")
    theirs = forge.work("other.py", "theirs\n")
    at(clone.root).git("fetch", "-q", str(forge.bare), "refs/heads/feature")
    seen = replace(order(clone, commit), expected_old=theirs)
    assert refusal(push(clone, seen, forge.remote)) is Refusal.NOT_OURS
    assert forge.tip("feature") == theirs


def test_a_hook_of_the_forge_that_says_no_is_named(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    hook = forge.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    outcome = push(clone, order(clone, fix(clone, "app.py", "mended\n")), forge.remote)
    assert refusal(outcome) is Refusal.HOOK_DECLINED
    assert "not today" in str(outcome)


def test_a_name_that_is_no_branch_is_refused_without_asking(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    bad = replace(order(clone, fix(clone, "app.py", "mended\n")), branch="x:refs/heads/main")
    assert refusal(push(clone, bad, forge.remote)) is Refusal.BAD_ADDRESS


def test_a_forge_that_is_away_is_a_network_fault(tmp_path: Path) -> None:
    _, clone = start(tmp_path)
    away = Remote(url="http://127.0.0.1:9/octo/shop.git")
    assert refusal(push(clone, order(clone, fix(clone, "app.py", "mended\n")), away)) is Refusal.NETWORK


class GitHubSide:
    """A checkout of `octo/shop` over HTTP, with GITHUB_TOKEN."""

    def __init__(self, github: FakeGitHub, tmp_path: Path, *, fork: bool = False) -> None:
        github.user("pat", permission="write")
        self.github = github
        self.shop = github.repository("octo/shop", files={"app.py": "x = 1\n"}, private=True)
        self.home: Repository = self.shop.fork("pat") if fork else self.shop
        self.sha = self.home.commit("feature", {"app.py": "x = \n"}, author="pat")
        self.remote = Remote(url=github.clone_url(self.home), credential=Credential(github.actions_token(self.shop)))
        reading = Remote(url=github.clone_url(self.home), credential=Credential(github.user_token("pat")))
        request = CheckoutRequest(
            head=BranchHead("feature"), head_sha=self.sha, base_branch="main", folder=tmp_path / "clone"
        )
        clone = checkout(reading, request)
        assert isinstance(clone, Checkout), clone
        self.clone = clone


def test_a_push_to_github_moves_the_branch_as_the_bot(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        commit = fix(side.clone, "app.py", "x = 2\n")
        assert push(side.clone, order(side.clone, commit), side.remote) == Landed(commit)
        assert [(event.update.old, event.update.new) for event in github.pushes] == [(side.sha, commit)]
        assert github.pushes[0].actor.login == "github-actions[bot]"


def test_a_person_who_pushes_during_the_push_is_not_written_over(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        commit = fix(side.clone, "app.py", "x = 2\n")
        came: list[str] = []
        github.conditions.before(
            "POST",
            "*/git-receive-pack",
            lambda _request: came.append(side.shop.commit("feature", {"new.py": "y\n"}, author="pat")),
        )
        assert push(side.clone, order(side.clone, commit), side.remote) == HeadMoved(came[0])
        assert side.shop.head("feature") == came[0]


def test_an_answer_that_gets_lost_is_asked_for_again(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        commit = fix(side.clone, "app.py", "x = 2\n")
        assert push(side.clone, order(side.clone, commit), side.remote) == Landed(commit)
        again = replace(order(side.clone, commit), commit=commit)
        github.conditions.fail(status=502, times=1)
        assert push(side.clone, again, side.remote) == Landed(commit)


def test_a_protected_branch_is_told_apart(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        side.shop.protect("feature")
        outcome = push(side.clone, order(side.clone, fix(side.clone, "app.py", "x = 2\n")), side.remote)
        assert refusal(outcome) is Refusal.PROTECTED_BRANCH


def test_a_workflow_file_needs_its_own_permission(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        outcome = push(
            side.clone, order(side.clone, fix(side.clone, ".github/workflows/ci.yml", "on: push\n")), side.remote
        )
        assert refusal(outcome) is Refusal.WORKFLOW_PERMISSION
        assert ".github/workflows/ci.yml" in str(outcome)


@pytest.mark.parametrize("status", [403, 404])
def test_a_fork_that_the_token_may_not_write_to_is_told_apart(tmp_path: Path, status: int) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path, fork=True)
        side.home.private = status == 404
        outcome = push(side.clone, order(side.clone, fix(side.clone, "app.py", "x = 2\n")), side.remote)
        assert refusal(outcome) is (Refusal.NO_PERMISSION if status == 403 else Refusal.NOT_FOUND)


def test_an_archived_repository_takes_no_push(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        side.shop.refuses_pushes = "This repository was archived so it is read-only."
        outcome = push(side.clone, order(side.clone, fix(side.clone, "app.py", "x = 2\n")), side.remote)
        assert refusal(outcome) is Refusal.NO_PERMISSION
        assert "archived" in str(outcome)


def test_a_token_that_has_ended_is_no_permission(tmp_path: Path) -> None:
    with FakeGitHub() as github:
        side = GitHubSide(github, tmp_path)
        ended = replace(side.remote, credential=Credential("ghs_" + "0" * 36))
        outcome = push(side.clone, order(side.clone, fix(side.clone, "app.py", "x = 2\n")), ended)
        assert refusal(outcome) is Refusal.NO_PERMISSION
