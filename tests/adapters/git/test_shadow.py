"""Nothing that the repository sets up to run does run, and the person's git sees what it should."""

import contextlib
import hashlib
import os
import struct
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.repository import NotAWorktree, find_repository
from fixloop_bot.ports.worktree import HeadMovedError
from tests.adapters.git.person import Person, opened, start

HOOKS = ("pre-commit", "post-commit", "commit-msg", "reference-transaction", "post-checkout", "post-index-change")


def trap(person: Person, name: str) -> Path:
    """Return a program outside the worktree that leaves a mark when it runs."""
    program = person.root.parent / "traps" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\ntouch '{person.root.parent}/sprung-{name}'\ncat\nexit 0\n")
    program.chmod(0o755)
    return program


def sprung(person: Person) -> list[str]:
    return sorted(path.name for path in person.root.parent.glob("sprung-*"))


def set_traps(person: Person, git_dir: Path) -> None:
    """Plant every way that git offers to start a program."""
    for hook in HOOKS:
        trap(person, hook).rename(git_dir / "hooks" / hook)
    settings = {
        "core.fsmonitor": "fsmonitor",
        "filter.evil.clean": "clean",
        "filter.evil.smudge": "smudge",
        "gpg.program": "gpg",
        "diff.external": "external",
        "diff.evil.textconv": "textconv",
        "diff.evil.command": "command",
        "merge.evil.driver": "merge",
        "core.sshCommand": "ssh",
        "core.pager": "pager",
        "core.editor": "editor",
        "credential.helper": "credential",
        "alias.status": "alias",
    }
    included = git_dir / "more-config"
    included.write_text(f"[core]\n\thooksPath = {git_dir / 'hooks'}\n\tfsmonitor = '{trap(person, 'included')}'\n")
    config = "".join(
        f"[{key.rpartition('.')[0].replace('.', ' ', 1).replace(' evil', chr(32) + chr(34) + 'evil' + chr(34))}]\n"
        f'\t{key.rpartition(".")[2]} = "{quote}{trap(person, name)}{quote}"\n'
        for key, name in settings.items()
        for quote in ["" if name == "gpg" else "'"]
    )
    with (git_dir / "config").open("a") as file:
        file.write(f'{config}[include]\n\tpath = {included}\n[commit]\n\tgpgSign = true\n[filter "evil"]\n\trequired\n')


def test_the_traps_are_real(tmp_path: Path) -> None:
    person = start(tmp_path)
    set_traps(person, person.root / ".git")
    person.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    person.git("add", "-A")
    person.git("commit", "-q", "--no-gpg-sign", "-m", "x")
    person.git("checkout", "-q", "-b", "other")
    with contextlib.suppress(AssertionError):
        person.git("commit", "-q", "--allow-empty", "-m", "signed")

    told = {name.removeprefix("sprung-") for name in sprung(person)}
    assert told >= {"clean", "included", "gpg", *HOOKS}


def test_no_program_of_the_repository_runs_in_any_of_our_calls(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    first = person.commit_all("attributes")
    person.write("app.py", "print('staged')\n")
    person.git("add", "app.py")
    person.write("app.py", "print('dirty')\n")
    person.write("mine.txt", "untracked\n")
    set_traps(person, person.root / ".git")

    with opened(person) as worktree:
        ref = worktree.stash("run-1")
        assert ref
        person.write("app.py", "print('fixed')\n")
        assert worktree.dirty() == ("app.py",)
        assert b"fixed" in worktree.patch("HEAD", uncommitted=True)
        commit = worktree.commit(["app.py"], "fix")
        assert commit
        assert worktree.changed_between(first, commit) == {"app.py": "M"}
        assert worktree.patch(first)
        assert worktree.diff_stat(first, commit)
        squashed = worktree.squash(first, "squashed")
        worktree.set_aside(worktree.untracked())
        worktree.put_back()
        worktree.reset(first)
        worktree.reset(squashed)
        worktree.restore(["app.py"])
        worktree.reset(first)
        assert worktree.unstash(ref) is False

    assert sprung(person) == []
    assert person.read("app.py") == b"print('dirty')\n"


def test_a_submodule_with_traps_is_left_alone(tmp_path: Path) -> None:
    library = Person(tmp_path / "library")
    library.write("lib.py", "x = 1\n")
    library.commit_all()
    person = start(tmp_path)
    person.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "vendor/lib")
    first = person.commit_all("submodule")
    set_traps(person, person.root / ".git/modules/vendor/lib")
    person.write("vendor/lib/lib.py", "x = 2\n")
    person.write("app.py", "dirty\n")

    with opened(person) as worktree:
        ref = worktree.stash("r")
        assert ref
        assert worktree.dirty() == ()
        assert worktree.untracked() == ()
        person.write("app.py", "fixed\n")
        assert worktree.patch("HEAD", uncommitted=True)
        commit = worktree.commit(["app.py", "vendor/lib/lib.py"], "fix")
        assert commit
        assert worktree.changed_between(first, commit) == {"app.py": "M"}
        worktree.reset(first)
        assert worktree.unstash(ref) is False

    assert sprung(person) == []
    assert person.read("vendor/lib/lib.py") == b"x = 2\n"


def test_the_persons_status_is_clean_after_commit_squash_and_reset(tmp_path: Path) -> None:
    person = start(tmp_path)
    first = person.git("rev-parse", "HEAD")
    with opened(person) as worktree:
        person.write("app.py", "print('fixed')\n")
        person.write("new.py", "new\n")
        worktree.commit(["app.py", "new.py"], "fix")
        assert person.status() == ""
        worktree.squash(first, "squashed")
        assert person.status() == ""
        assert person.git("log", "--format=%s %an <%ae> %cn", "main") == (
            "squashed fixloop <fixloop@users.noreply.github.com> fixloop\nfirst Person <person@example.org> Person"
        )
        worktree.reset(first)

    assert person.status() == ""
    assert person.git("rev-parse", "main") == first
    assert person.git("fsck", "--strict") == ""


def test_a_branch_that_moved_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        theirs = person.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs")
        person.git("update-ref", "refs/heads/main", theirs)
        person.write("app.py", "print('ours')\n")
        with pytest.raises(HeadMovedError):
            worktree.commit(["app.py"], "fix")
        with pytest.raises(HeadMovedError):
            worktree.reset(theirs)

    assert person.git("rev-parse", "main") == theirs
    assert person.read("app.py") == b"print('ours')\n"


def test_a_move_that_was_interrupted_when_the_branch_had_gone_is_completed(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        before = worktree.head()
        person.write("app.py", "print('after')\n")
        after = worktree.commit(["app.py"], "after")
        assert after is not None
        person.git("update-ref", "refs/heads/main", before)
        with pytest.raises(HeadMovedError):
            worktree.check_unmoved()
        person.git("update-ref", "refs/heads/main", after)
        (worktree._shadow.folder / "HEAD").write_text(f"{before}\n")  # as a kill would leave it
        worktree.check_unmoved()
        assert worktree.head() == after
        worktree.reset(before)
    assert person.git("rev-parse", "main") == before
    assert person.git("status", "--porcelain") == ""


def test_another_branch_checked_out_meanwhile_is_noticed(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        person.git("checkout", "-q", "-b", "other")
        person.write("app.py", "print('ours')\n")
        with pytest.raises(HeadMovedError, match="another branch"):
            worktree.commit(["app.py"], "fix")

    assert person.git("rev-parse", "main") == person.git("rev-parse", "other")


def test_a_held_index_lock_is_respected(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        person.write("app.py", "print('fixed')\n")
        lock = person.write(".git/index.lock", "")
        with pytest.raises(FileExistsError):
            worktree.commit(["app.py"], "fix")
        lock.unlink()
        worktree.reset(worktree.head())

    assert person.status() == ""
    assert person.git("rev-parse", "main") == worktree.head()


def test_bits_that_hide_changes_hide_nothing_from_us_and_come_back(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("local.cfg", "a\n")
    person.commit_all()
    person.git("update-index", "--skip-worktree", "local.cfg")
    person.git("update-index", "--assume-unchanged", "app.py")
    person.write("local.cfg", "mine\n")

    with opened(person) as worktree:
        assert worktree.dirty() == ("local.cfg",)
        person.write("new.py", "x\n")
        assert worktree.commit(["new.py"], "new")

    assert person.git("ls-files", "-v").split("\n") == ["h app.py", "S local.cfg", "H new.py"]
    assert person.status() == ""


def make_racy(person: Person, name: str) -> None:
    """Give the index's first entry the stat data of the file as it now is, as if both were written in one instant."""
    os.utime(person.root / name, (1_700_000_000, 1_700_000_000))
    index, stat = person.root / ".git/index", (person.root / name).stat()
    content = bytearray(index.read_bytes()[:-20])
    times = (*divmod(stat.st_ctime_ns, 10**9), *divmod(stat.st_mtime_ns, 10**9))
    content[12:36] = struct.pack(">6I", *times, stat.st_dev & 0xFFFFFFFF, stat.st_ino & 0xFFFFFFFF)
    index.write_bytes(bytes(content) + hashlib.sha1(content).digest())
    os.utime(index, ns=(stat.st_mtime_ns, stat.st_mtime_ns))


def test_a_file_changed_in_the_same_instant_as_the_index_was_written_is_seen(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("app.py", "print('HI')\n")
    make_racy(person, "app.py")
    with opened(person) as worktree:
        assert worktree.dirty() == ("app.py",)


def test_finding_a_repository_fetches_nothing(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.git("config", "extensions.partialClone", "origin")
    person.git("config", "remote.origin.url", f"file://{person.root}")
    person.git("config", "remote.origin.promisor", "true")
    trap(person, "uploadpack").write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung-uploadpack'\n")
    person.git("config", "remote.origin.uploadpack", f"'{tmp_path}/traps/uploadpack'")
    person.write(".git/refs/heads/main", f"{'1' * 40}\n")
    with pytest.raises(AssertionError):
        person.git("rev-parse", "--verify", "HEAD^{commit}")
    assert sprung(person) == ["sprung-uploadpack"]
    (tmp_path / "sprung-uploadpack").unlink()

    assert isinstance(find_repository(str(person.root)), NotAWorktree)
    assert sprung(person) == []


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    person = start(tmp_path)
    old = person.git("rev-parse", "HEAD")
    person.write("app.py", "second\n")
    person.commit_all()
    clone = Person(tmp_path / "clone")
    person.git("config", "uploadpack.allowFilter", "true")
    person.git("clone", "-q", "--filter=blob:none", f"file://{person.root}", str(tmp_path / "partial"))
    clone.root = tmp_path / "partial"

    with opened(clone, tmp_path / "state") as worktree:
        clone.write("app.py", "third\n")
        assert worktree.commit(["app.py"], "fix")
        with pytest.raises(GitError):
            worktree.patch(old)

    assert clone.status() == ""
