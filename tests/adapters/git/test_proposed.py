"""Commits that nobody checked out: what a question freezes is exactly what an answer does, here or in another clone."""

import os
from pathlib import Path

import pytest

from tests.adapters.git.person import Person, opened, start


@pytest.mark.parametrize(
    "name", ["tests/a b.py", "é/分.txt", os.fsdecode(b"latin-\xe9.txt")], ids=["a space", "letters", "bytes"]
)
def test_a_proposal_touches_neither_branch_nor_files_and_its_patch_does_just_it(tmp_path: Path, name: str) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        full = person.write(name, "one\r\ntwo\n")
        full.chmod(0o755)
        before = worktree.commit([name], "add")
        assert before is not None
        wanted = worktree.with_files(before, {name: "one\r\nthree\n", "new.txt": "new\n"}, "proposed")
        patch = worktree.patch_between(before, wanted)
        assert (worktree.head(), full.read_bytes()) == (before, b"one\r\ntwo\n")
        assert not (full.parent / "new.txt").exists()
        done = worktree.apply(patch, "decided")
        assert done is not None
        assert worktree.head() == done
        assert full.read_bytes() == b"one\r\nthree\n"
        assert full.stat().st_mode & 0o111
        assert worktree.patch_between(wanted, done) == b""
        assert (worktree.dirty(), worktree.untracked()) == ((), ())


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no patch", id="no patch"),
        pytest.param(b"--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n", id="of a file that is not there"),
        pytest.param(b"--- /dev/null\n+++ b/../out\n@@ -0,0 +1 @@\n+x\n", id="out of the worktree"),
        pytest.param(b"--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n", id="into git's own folder"),
    ],
)
def test_a_patch_that_does_not_apply_as_it_is_changes_nothing(tmp_path: Path, patch: bytes) -> None:
    with opened(start(tmp_path)) as worktree:
        head = worktree.head()
        assert worktree.apply(patch, "x") is None
        assert (worktree.head(), worktree.dirty(), worktree.untracked()) == (head, (), ())
    assert not (tmp_path / "out").exists()


def test_another_clone_takes_the_commits_and_not_half_of_them(tmp_path: Path) -> None:
    person = start(tmp_path)
    other = Person(tmp_path / "their clone")
    other.git("pull", "-q", str(person.root), "main")
    with opened(person) as here, opened(other) as there:
        base = here.head()
        person.write("big.txt", "x\n" * 1_000)
        commit = here.commit(["big.txt"], "more")
        assert commit is not None
        assert here.bundle(base, base) == b""
        bundle = here.bundle(base, commit)
        assert (there.has(base), there.has(commit)) == (True, False)
        assert not there.unbundle(bundle[: len(bundle) // 2])
        assert not there.unbundle(b"nothing of the kind")
        assert not there.has(commit)
        assert there.unbundle(bundle)
        assert there.has(commit)
        there.reset(commit)
    assert other.read("big.txt") == b"x\n" * 1_000
