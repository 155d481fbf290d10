"""The pull request's code comes to disk: the right commit under its own name, with as much history as is needed."""

from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.checkout import CheckoutLimits, checkout, fetch_head, stand_on
from fixloop_bot.model.delivery import BranchHead, Checkout, CheckoutProblem, HeadMoved, PullHead, RemoteTrouble
from tests.adapters.git.forge import Forge, at, fix
from tests.adapters.git.person import found


@pytest.mark.parametrize(
    "branch",
    [
        "feature",
        "feat(x)-#1,a+b",
        "grün/Ünïcode-分支",
        "-leading-dash",
        "a@b",
        "user/deep/er",
        "it's;$HOME&`x`",
        "origin/main",
    ],
)
def test_a_branch_of_any_legal_name_is_checked_out_under_that_name(tmp_path: Path, branch: str) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "broken\n", ref=branch)
    clone = forge.checked_out(branch, sha)
    assert (clone.branch, clone.head_sha, clone.base_sha, clone.merge_base) == (branch, sha, forge.base, forge.base)
    assert Path(clone.root, "app.py").read_text() == "broken\n"
    assert found(Path(clone.root)).branch == branch


def test_a_forks_main_stands_beside_the_base_main(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "from the fork\n", ref="refs/pull/7/head")
    clone = forge.checked_out(PullHead(7, branch="main"), sha)
    git = at(clone.root).git
    assert (clone.branch, git("rev-parse", "HEAD"), git("rev-parse", "origin/main")) == ("main", sha, forge.base)


def test_a_head_branch_whose_name_no_file_system_holds_is_checked_out_detached(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "x\n", ref="refs/pull/7/head")
    clone = forge.checked_out(PullHead(7, branch="n" * 300), sha)
    assert clone.branch is None
    assert found(Path(clone.root)).branch is None
    assert at(clone.root).git("rev-parse", "HEAD") == sha


def test_the_engine_works_in_the_checkout_and_a_person_sees_it_clean(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "broken\n"))
    commit = fix(clone, "app.py", "mended\n")
    person = at(clone.root)
    assert (person.git("rev-parse", "feature"), person.status()) == (commit, "")
    assert person.git("log", "--format=%s") == "fix-loop: lint clean (iteration 1)\nchange app.py\nbegin"


def test_a_push_between_event_and_fetch_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    seen = forge.work("app.py", "seen\n")
    new = forge.work("app.py", "newer\n")
    assert checkout(forge.remote, forge.request("feature", seen)) == HeadMoved(new)
    assert not (tmp_path / "clone").exists()


def test_of_three_hundred_branches_only_two_are_fetched(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "x\n")
    forge.feed("".join(f"create refs/heads/other-{number} {sha}\n" for number in range(300)), "update-ref", "--stdin")
    forge.publish("refs/tags/v1")
    clone = forge.checked_out("feature", sha)
    assert len(forge.refs()) == 303
    assert at(clone.root).git("for-each-ref", "--format=%(refname)").splitlines() == [
        "refs/fixloop/head", "refs/heads/feature", "refs/remotes/origin/main",
    ]  # fmt: skip


@pytest.mark.parametrize("length", [10, 60, 300, 1500])
def test_history_is_fetched_until_the_merge_base_is_in_it(tmp_path: Path, length: int) -> None:
    forge = Forge(tmp_path)
    sha = forge.grow(length)
    clone = forge.checked_out("feature", sha)
    assert clone.merge_base == forge.base
    assert at(clone.root).git("rev-list", "--count", "HEAD") == f"{length + 1}"


def test_only_the_end_of_a_long_history_is_fetched_where_that_is_enough(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    forge.grow(400)
    forge.person.git("fetch", "-q", str(forge.bare), "refs/heads/main")
    forge.person.git("reset", "-q", "--hard", "FETCH_HEAD")
    sha = forge.work("app.py", "x\n")
    clone = forge.checked_out("feature", sha)
    assert clone.merge_base == clone.base_sha == forge.tip("main")
    assert at(clone.root).git("rev-list", "--count", "HEAD") == "51"


def test_unrelated_histories_have_no_merge_base(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    forge.person.git("checkout", "-q", "--orphan", "feature")
    clone = forge.checked_out("feature", forge.work("app.py", "x\n"))
    assert (clone.base_sha, clone.merge_base) == (forge.base, None)


def test_a_base_that_is_gone_or_not_wanted_is_none(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "x\n")
    gone = forge.checked_out("feature", sha, "one", base="deleted")
    unwanted = forge.checked_out("feature", sha, "two", base=None)
    assert [(clone.base_sha, clone.merge_base) for clone in (gone, unwanted)] == [(None, None)] * 2


def test_a_head_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    problem = checkout(forge.remote, forge.request(PullHead(9, branch="x"), forge.base))
    assert problem == CheckoutProblem(RemoteTrouble.GONE, "fatal: couldn't find remote ref refs/pull/9/head")


@pytest.mark.parametrize("branch", ["a..b", "a:b", "a b", "x*", "+x:refs/heads/main", "", "a\nb", "a.lock", "a\0b"])
def test_what_is_no_name_of_a_branch_is_never_handed_to_a_fetch(tmp_path: Path, branch: str) -> None:
    forge = Forge(tmp_path)
    for request in (forge.request(branch, forge.base), forge.request("main", forge.base, base=branch)):
        problem = checkout(forge.remote, request)
        assert isinstance(problem, CheckoutProblem)
        assert problem.kind is RemoteTrouble.BAD_ADDRESS


@pytest.mark.parametrize(
    "limits",
    [CheckoutLimits(files=1), CheckoutLimits(size=5), CheckoutLimits(fetched=10)],
    ids=["more files", "larger files", "more to fetch"],
)
def test_what_is_too_large_is_refused_before_a_file_is_written(tmp_path: Path, limits: CheckoutLimits) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("second.py", "x\n")
    problem = checkout(forge.remote, replace(forge.request("feature", sha), limits=limits))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.TOO_LARGE
    assert not (tmp_path / "clone").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "mine").write_text("keep")
    problem = checkout(forge.remote, forge.request("main", forge.base))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.OCCUPIED
    assert (tmp_path / "clone" / "mine").read_text() == "keep"


def test_a_head_that_moved_is_fetched_and_stood_on(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "old\n"))
    new = forge.work("lib/new.py", "new\n")
    assert fetch_head(clone, forge.remote, BranchHead("feature")) == new
    assert not Path(clone.root, "lib").exists()
    stand_on(clone, new)
    person = at(clone.root)
    assert (person.git("rev-parse", "feature"), person.status(), person.read("lib/new.py")) == (new, "", b"new\n")


def test_a_head_that_went_away_cannot_be_fetched(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "old\n"))
    problem = fetch_head(clone, forge.remote, BranchHead("renamed"))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.GONE


def test_a_clone_survives_a_git_process_that_was_killed(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "old\n"))
    new = forge.work("app.py", "new\n")
    for name in ("index.lock", "HEAD.lock", "refs/fixloop/head.lock", "refs/heads/feature.lock"):
        Path(clone.git_dir, name).write_text("")
    assert fetch_head(clone, forge.remote, BranchHead("feature")) == new
    Path(clone.git_dir, "index.lock").write_text("")
    stand_on(clone, new)
    assert Path(clone.root, "app.py").read_text() == "new\n"


def test_a_repository_that_is_not_there_is_a_value(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    nowhere = replace(forge.remote, url=f"file://{tmp_path}/nowhere.git")
    result: Checkout | HeadMoved | CheckoutProblem = checkout(nowhere, forge.request("main", forge.base))
    assert isinstance(result, CheckoutProblem)
    assert result.kind is RemoteTrouble.NOT_FOUND
