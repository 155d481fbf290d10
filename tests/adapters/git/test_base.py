"""What a branch changes against its base, told by real repositories."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.git.base import changed_since, fork_of
from fixloop_bot.adapters.git.repository import Repository, find_repository
from tests.adapters.git.person import Person, start


@pytest.fixture
def clone(tmp_path: Path) -> Person:
    """A clone whose upstream has gone on, with a branch of one commit checked out."""
    upstream = start(tmp_path)
    upstream.git("clone", "-q", str(upstream.root), str(tmp_path / "clone"), cwd=tmp_path)
    person = Person(tmp_path / "clone")
    person.git("checkout", "-q", "-b", "topic")
    person.write("web/a b.ts", "")
    person.write("app.py", "print('ho')\n")
    person.commit_all("topic")
    upstream.write("elsewhere.py", "")
    upstream.commit_all("upstream goes on")
    person.git("fetch", "-q")
    return person


def repository(person: Person) -> Repository:
    found = find_repository(str(person.root))
    assert isinstance(found, Repository)
    return found


def changed(person: Person, base: str = "") -> tuple[str, ...]:
    return changed_since(repository(person), fork_of(repository(person), base))


def test_a_clone_knows_the_upstream_default_branch(clone: Person) -> None:
    assert changed(clone) == ("app.py", "web/a b.ts")


def test_a_base_that_is_named_counts_before_that(clone: Person) -> None:
    first = clone.git("rev-parse", "HEAD")
    clone.write("more.py", "")
    clone.commit_all("more")
    assert changed(clone, first) == ("more.py",)


def test_both_ends_of_a_rename_are_changed(clone: Person) -> None:
    clone.git("mv", "app.py", "shop.py")
    clone.commit_all("rename")
    assert changed(clone) == ("app.py", "shop.py", "web/a b.ts")


def test_on_the_default_branch_itself_nothing_is_known(clone: Person) -> None:
    clone.git("checkout", "-q", "main")
    assert changed(clone) == ()


@pytest.mark.parametrize("base", ["", "0" * 40, "--output=planted", "no-such-branch"])
def test_without_a_base_nothing_is_known(tmp_path: Path, base: str) -> None:
    person = start(tmp_path)
    assert changed(person, base) == ()
    assert person.status() == ""


def test_an_unrelated_history_tells_nothing(clone: Person) -> None:
    clone.git("checkout", "-q", "--orphan", "other")
    clone.commit_all("other")
    assert changed(clone) == ()
