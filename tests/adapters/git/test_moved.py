"""The person moves the branch while fixloop works there: nothing is written over it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.worktree import GitWorktree
from fixloop_bot.ports.worktree import HeadMovedError
from tests.adapters.git.person import Opened, Person, opened, start

Move = Callable[[Person], object]


def commit(person: Person) -> None:
    person.write("app.py", "theirs\n")
    person.commit_all("theirs")


def switch(person: Person) -> None:
    person.git("checkout", "-q", "-b", "other")
    commit(person)


def rename(person: Person) -> None:
    person.git("branch", "-m", "renamed")


def detach(person: Person) -> None:
    person.git("checkout", "-q", "--detach")


@pytest.mark.parametrize("move", [commit, switch, rename, detach])
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda worktree: worktree.reset("HEAD"), id="reset"),
        pytest.param(lambda worktree: worktree.restore(), id="restore"),
        pytest.param(lambda worktree: worktree.restore(["app.py"]), id="restore a path"),
        pytest.param(lambda worktree: worktree.stash("r2"), id="stash"),
        pytest.param(lambda worktree: worktree.unstash(worktree.stash_ref("r1")), id="unstash"),
        pytest.param(lambda worktree: worktree.check_unmoved(), id="check"),
        pytest.param(lambda worktree: worktree.squash("HEAD", "x"), id="squash"),
    ],
)
def test_no_call_touches_a_file_then(tmp_path: Path, move: Move, call: Callable[[GitWorktree], object]) -> None:
    person = start(tmp_path)
    person.write("app.py", "kept\n")
    with opened(person) as worktree:
        worktree.stash("r1")
        worktree.check_unmoved()
        move(person)
        before = (person.status(), person.read("app.py"), person.git("rev-parse", "HEAD"))
        with pytest.raises(HeadMovedError):
            call(worktree)

    assert (person.status(), person.read("app.py"), person.git("rev-parse", "HEAD")) == before


def test_its_own_moves_are_known_by_their_ids(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        assert worktree.last_move() == ("", "")
        first = worktree.head()
        person.write("app.py", "1\n")
        made = worktree.commit(["app.py"], "fix")
    with opened(person) as worktree:
        assert worktree.last_move() == (first, made)
    person.git("commit", "-q", "--amend", "--no-edit", "--date=2001-01-01T00:00:00Z")
    with opened(person) as worktree:
        assert worktree.head() not in worktree.last_move()


def test_changes_kept_in_one_worktree_are_not_another_ones(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = Person(person.root)
    linked.root = tmp_path / "linked"
    for who in (person, linked):
        who.write("app.py", f"work in {who.root.name}\n")
        with opened(who, tmp_path / "state") as worktree:
            ref = worktree.stash("r1")
            assert ref == worktree.stash_ref("r1")
            assert worktree.stashes() == (ref,)
    for who in (person, linked):
        with Opened(who.root, tmp_path / "state") as worktree:
            (ref,) = worktree.stashes()
            assert worktree.unstash(ref) is False
            assert worktree.unstash(ref) is False, "already back"
        assert who.read("app.py") == f"work in {who.root.name}\n".encode()
