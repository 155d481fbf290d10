"""A person's files are lent and come back, whatever happens in between. Needs root."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.owners import LentAlreadyError, NotLendableError, entries_of, lend
from tests.fakes.until import LONGEST_S, ended

PERSON, COLLEAGUE, LENT = 64_201, 64_202, 10_998


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A worktree of a person's, with files of others in it."""
    root = tmp_path / "work tree"
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / "deep" / "er").mkdir(parents=True)
    for name in ("file", "deep/er/file", "linked", "suid", "theirs", ".git/config"):
        (root / name).write_text(name)
    (root / "a\udcff\n").write_text("a name that is no text")
    (root / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "outside").write_text("outside")
    os.link(root / "linked", tmp_path / "its other name")
    for path in (root, *root.rglob("*")):
        os.chown(path, PERSON, PERSON, follow_symlinks=False)
    (root / "suid").chmod(0o4755)
    os.chown(root / "theirs", COLLEAGUE, PERSON)
    return root


def owners(root: Path) -> dict[str, tuple[int, int, int]]:
    found = {path: path.lstat() for path in (root, *root.rglob("*"))}
    return {str(path): (at.st_uid, at.st_gid, at.st_mode) for path, at in found.items()}


def uid(path: Path) -> int:
    return path.lstat().st_uid


def test_what_is_lent_belongs_to_the_user_and_comes_back_as_it_was(root: Path, tmp_path: Path) -> None:
    before = owners(root)
    loan = lend(root, LENT, registry=tmp_path / "registry")
    lent = [root / "deep", root / "deep/er/file", root / "link", root / "theirs", root / "a\udcff\n"]
    assert {uid(path) for path in lent} == {LENT}
    assert {path.lstat().st_gid for path in lent} == {PERSON}, "the group stays"
    assert (uid(root), root.stat().st_gid) == (PERSON, LENT), "the person can still use git there"
    assert root.stat().st_mode & 0o070 == 0o070
    loan.end()
    assert owners(root) == before


@pytest.mark.parametrize("gone", ["deep", "deep/er", "deep/er/file", "file"])
def test_what_a_person_deletes_while_it_is_looked_at_is_passed_over(root: Path, tmp_path: Path, gone: str) -> None:
    place = root / gone
    seen = []
    for path, _ in entries_of(root):
        seen.append(path)
        if path == str(root / "deep") and place.exists():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    assert str(root / "deep") in seen
    assert str(root / "theirs") in seen


def test_files_that_come_and_go_are_lent_and_come_back(root: Path, tmp_path: Path) -> None:
    busy = "while [ -e on ]; do for n in 1 2 3 4 5 6 7 8; do mkdir -p $n/a; : >$n/a/f; done; rm -rf [1-8]; done"
    on = root / ".git" / "on"
    on.touch()
    with ended(subprocess.Popen(["sh", "-c", busy], cwd=on.parent)) as process:
        try:
            for _ in range(50):
                lend(root, LENT, registry=tmp_path / "registry").end()
        finally:
            on.unlink()
        process.wait(LONGEST_S)
    assert LENT not in {uid(path) for path in root.rglob("*")}


def test_what_could_lie_elsewhere_or_runs_as_its_owner_is_not_lent(root: Path, tmp_path: Path) -> None:
    loan = lend(root, LENT, registry=tmp_path / "registry")
    kept = [root / name for name in ("linked", "suid", ".git", ".git/config", ".git/hooks")]
    assert {uid(path) for path in kept} == {PERSON}
    assert uid(tmp_path / "outside") == 0, "no link is followed"
    assert (root / "suid").stat().st_mode & stat.S_ISUID
    loan.end()


def test_what_was_made_meanwhile_is_the_persons(root: Path, tmp_path: Path) -> None:
    salvage = tmp_path / "salvage"
    salvage.mkdir()
    loan = lend(root, LENT, also=[salvage], registry=tmp_path / "registry")
    (root / "made").mkdir()
    for path in (root / "made" / "new", salvage / "moved"):
        path.write_text("new")
        os.chown(path, LENT, LENT)
    os.chown(root / "made", LENT, LENT)
    loan.end()
    for path in (root / "made", root / "made" / "new", salvage / "moved"):
        assert (uid(path), path.lstat().st_gid) == (PERSON, PERSON)


@pytest.mark.parametrize("folder", ["/", "/usr", "/etc", "/home", "/var", "/etc/ssl", "/root"])
def test_the_system_is_not_lent(folder: str, tmp_path: Path) -> None:
    before = owners(Path("/etc"))
    with pytest.raises(NotLendableError):
        lend(Path(folder), LENT, registry=tmp_path / "registry")
    assert owners(Path("/etc")) == before


def test_a_home_is_not_lent(root: Path, tmp_path: Path) -> None:
    (root / ".ssh").mkdir()
    with pytest.raises(NotLendableError):
        lend(root, LENT, registry=tmp_path / "registry")
    assert uid(root / "file") == PERSON


def test_two_cannot_borrow_the_same(root: Path, tmp_path: Path, borrower: "subprocess.Popen[str]") -> None:
    with pytest.raises(LentAlreadyError):
        lend(root, LENT - 1, registry=tmp_path / "registry", wait_s=0.2)
    assert borrower.poll() is None


BORROWER = """
import os, sys
from pathlib import Path
from fixloop_bot.adapters.sandbox.guardian import Guardian
from fixloop_bot.adapters.sandbox.owners import lend
root, registry, guarded = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
loan = lend(root, 10998, registry=registry)
if guarded == "guarded":
    guardian = Guardian(loan.note, 10998, (loan.descriptor,), os.environ)
print("lent", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def borrower(root: Path, tmp_path: Path, request: pytest.FixtureRequest) -> "Iterator[subprocess.Popen[str]]":
    guarded = getattr(request, "param", "alone")
    process = subprocess.Popen(
        [sys.executable, "-c", BORROWER, str(root), str(tmp_path / "registry"), guarded],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "lent\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("borrower", ["guarded"], indirect=True)
def test_of_a_killed_process_the_guardian_gives_back(root: Path, borrower: "subprocess.Popen[str]") -> None:
    assert uid(root / "file") == LENT
    borrower.send_signal(signal.SIGKILL)
    borrower.wait()
    deadline = time.monotonic() + 30
    while uid(root / "file") != PERSON and time.monotonic() < deadline:
        time.sleep(0.02)
    assert {uid(path) for path in root.rglob("*")} == {PERSON, COLLEAGUE}


def test_where_the_guardian_died_too_the_next_start_gives_back(
    root: Path, tmp_path: Path, borrower: "subprocess.Popen[str]"
) -> None:
    borrower.send_signal(signal.SIGKILL)
    borrower.wait()
    assert uid(root / "file") == LENT
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    lend(elsewhere, LENT - 1, registry=tmp_path / "registry").end()
    assert (uid(root / "file"), uid(root / "theirs"), root.stat().st_gid) == (PERSON, COLLEAGUE, PERSON)
    assert root.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in (tmp_path / "registry" / "loans").iterdir()] == []


def test_a_sandboxs_number_is_never_taken_for_a_persons(root: Path, tmp_path: Path) -> None:
    os.chown(root / "file", LENT - 5, LENT - 5)
    loan = lend(root, LENT, registry=tmp_path / "registry")
    loan.end()
    assert (uid(root / "file"), (root / "file").stat().st_gid) == (PERSON, PERSON)
