"""Files that only a filter program can write (git LFS): on disk they stay as they are, whatever happens around them."""

import os
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.staging import FilteredPathError
from tests.adapters.git.person import Person, opened, start


def with_lfs(tmp_path: Path, *, before: bool = True) -> Person:
    """Return a repository whose `big.bin` is stored as a pointer by a filter of the person's."""
    person = start(tmp_path)
    person.git("config", "filter.lfs.clean", "sed s/BIG/pointer/")
    person.git("config", "filter.lfs.smudge", "sed s/pointer/BIG/")
    person.git("config", "filter.lfs.required", "true")
    person.write(".gitattributes", "*.bin filter=lfs\n")
    if before:
        person.write("big.bin", "BIG content\n")
    person.commit_all()
    return person


def test_a_file_just_committed_or_touched_is_no_change_and_stays(tmp_path: Path) -> None:
    person = with_lfs(tmp_path)
    with opened(person) as worktree:
        assert worktree.dirty() == ()
        os.utime(person.root / "big.bin", (1, 1))
        person.write("app.py", "by a check\n")
        assert worktree.dirty() == ("app.py",)
        assert worktree.patch("HEAD", uncommitted=True).count(b"diff --git") == 1
        worktree.restore()
        worktree.restore(["big.bin", "app.py"])
        person.write("app.py", "fixed\n")
        first = worktree.head()
        assert worktree.commit(["app.py"], "fix")
        worktree.reset(first)

    assert person.read("big.bin") == b"BIG content\n"
    assert person.read("app.py") == b"print('hi')\n"
    assert person.status() == ""
    assert person.git("ls-files", "-v", "big.bin") == "H big.bin"


def test_the_agent_is_offered_no_such_file(tmp_path: Path) -> None:
    with opened(with_lfs(tmp_path)) as worktree:
        assert worktree.editable() == (".gitattributes", "app.py")


def test_to_change_one_is_refused_with_nothing_touched(tmp_path: Path) -> None:
    person = with_lfs(tmp_path)
    first = person.git("rev-parse", "HEAD")
    person.write("big.bin", "BIG other\n")
    person.write("app.py", "2\n")
    second = person.commit_all()
    with opened(person) as worktree:
        with pytest.raises(FilteredPathError, match=r"big\.bin"):
            worktree.reset(first)
        assert worktree.head() == second

    assert person.read("big.bin") == b"BIG other\n"
    assert person.read("app.py") == b"2\n"


def test_a_staged_one_cannot_be_kept_so_it_stays_staged(tmp_path: Path) -> None:
    person = with_lfs(tmp_path)
    person.write("big.bin", "BIG and staged\n")
    person.git("add", "big.bin")
    with opened(person) as worktree:
        assert worktree.dirty() == ("big.bin",)
        with pytest.raises(FilteredPathError, match=r"big\.bin"):
            worktree.stash("r1")
        assert worktree.stashes() == ()

    assert person.status() == "M  big.bin"
    assert person.read("big.bin") == b"BIG and staged\n"


def test_in_a_sparse_worktree_it_stays_too(tmp_path: Path) -> None:
    person = with_lfs(tmp_path)
    person.write("far/away.py", "1\n")
    person.write("near/big.bin", "BIG near\n")
    person.commit_all()
    person.git("sparse-checkout", "set", "near")
    assert not (person.root / "far").exists()
    with opened(person) as worktree:
        os.utime(person.root / "near/big.bin", (1, 1))
        person.write("app.py", "by a check\n")
        worktree.restore()

    assert person.read("near/big.bin") == b"BIG near\n"
    assert person.read("app.py") == b"print('hi')\n"
    assert not (person.root / "far").exists()
    assert person.status() == ""
