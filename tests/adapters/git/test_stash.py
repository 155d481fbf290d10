"""A person's uncommitted work waits in a ref of their own repository and comes back, or stays there."""

from pathlib import Path

from tests.adapters.git.person import Person, opened, start


def with_work(tmp_path: Path) -> Person:
    """Return a repository with work of each kind: staged, unstaged, both, added, deleted, executable."""
    person = start(tmp_path)
    for name in ("staged", "unstaged", "both", "deleted", "mode"):
        person.write(name, "1\n")
    person.commit_all()
    person.write("staged", "2\n")
    person.write("both", "2\n")
    person.write("added", "new\n")
    person.git("add", "staged", "both", "added")
    person.write("both", "3\n")
    person.write("unstaged", b"\0binary")
    (person.root / "deleted").unlink()
    (person.root / "mode").chmod(0o755)
    return person


def test_staged_and_unstaged_work_comes_back_as_it_was_over_our_commit(tmp_path: Path) -> None:
    person = with_work(tmp_path)
    before = person.status()
    with opened(person) as worktree:
        ref = worktree.stash("run/1 é")
        assert ref
        assert worktree.dirty() == ()
        assert person.status() == ""
        person.write("app.py", "fixed\n")
        worktree.commit(["app.py"], "fix")
        assert worktree.unstash(ref) is False

    assert person.status() == before
    assert person.read("both") == b"3\n"
    assert person.git("show", ":both") == "2"
    assert person.git("for-each-ref", "refs/fixloop") == ""


def test_nothing_to_keep_is_none(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("untracked", "x")
    with opened(person) as worktree:
        assert worktree.stash("r") is None


def test_a_conflict_leaves_our_commit_clean_and_their_work_in_the_ref(tmp_path: Path) -> None:
    person = with_work(tmp_path)
    person.write("app.py", "the person's\n")
    with opened(person) as worktree:
        ref = worktree.stash("r1")
        assert ref
        person.write("app.py", "fixloop's\n")
        commit = worktree.commit(["app.py"], "fix")
        assert worktree.unstash(ref) is True
        assert worktree.dirty() == ()
        assert worktree.head() == commit

    assert person.status() == ""
    assert person.read("app.py") == b"fixloop's\n"
    person.git("reset", "-q", "--hard", "HEAD^")
    person.git("stash", "apply", "-q", "--index", ref)
    assert person.read("app.py") == b"the person's\n"
    assert person.git("show", ":both") == "2"


def test_work_that_overlaps_only_in_the_index_still_comes_back(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("app.py", "".join(f"{n}\n" for n in range(20)))
    person.commit_all()
    person.write("app.py", "".join(f"{n}\n" for n in range(19)) + "theirs\n")
    person.git("add", "app.py")
    with opened(person) as worktree:
        ref = worktree.stash("r")
        assert ref
        person.write("app.py", "ours\n" + "".join(f"{n}\n" for n in range(1, 20)))
        worktree.commit(["app.py"], "fix")
        assert worktree.unstash(ref) is False

    assert person.read("app.py").splitlines()[::19] == [b"ours", b"theirs"]


def test_a_second_call_for_the_same_run_never_overwrites_the_first(tmp_path: Path) -> None:
    person = with_work(tmp_path)
    with opened(person) as worktree:
        ref = worktree.stash("r")
        first = person.git("rev-parse", str(ref))
        assert worktree.stash("r") == ref
        person.write("app.py", "half way\n")
        assert worktree.stash("r") == ref
        assert worktree.dirty() == ()

    assert person.git("rev-parse", str(ref)) == first
    assert person.git("show", f"{ref}-2:app.py") == "half way"
