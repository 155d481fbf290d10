"""What is set aside comes back: later, after a kill at any moment, and never over something else."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.git.person import Person, opened, start


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("notes é.txt", "mine\n").chmod(0o640)
    person.write("new/deep/run.sh", "x\n").chmod(0o755)
    (person.root / "link").symlink_to("app.py")
    with opened(person) as worktree:
        before = worktree.untracked()
        worktree.set_aside(before)
        assert worktree.untracked() == ()
        assert not (person.root / "new").exists()
        worktree.put_back()
        assert worktree.untracked() == before

    assert (person.root / "notes é.txt").stat().st_mode & 0o777 == 0o640
    assert os.access(person.root / "new/deep/run.sh", os.X_OK)
    assert (person.root / "link").readlink() == Path("app.py")


def test_what_took_the_place_is_kept_beside_it(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("a", "mine\n")
    person.write("box/b", "mine\n")
    with opened(person) as worktree:
        worktree.set_aside(["a", "box/b"])
        person.write("a", "made by tests\n")
        person.write("a.fixloop-kept", "also taken\n")
        person.write("box", "a file now\n")
        worktree.put_back()

    assert person.read("a") == person.read("box/b") == b"mine\n"
    assert person.read("a.fixloop-kept") == b"also taken\n"
    assert person.read("a.fixloop-kept-2") == b"made by tests\n"
    assert person.read("box.fixloop-kept") == b"a file now\n"


def test_what_is_tracked_meanwhile_keeps_its_place(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("a", "mine\n")
    person.write("box/b", "mine\n")
    person.write("flat", "mine\n")
    with opened(person) as worktree:
        worktree.set_aside(["a", "box/b", "flat"])
        for name in ("a", "box", "flat/inner"):
            person.write(name, "committed\n")
        worktree.commit(["a", "box", "flat/inner"], "fix")
        worktree.put_back()
        assert worktree.dirty() == ()

    assert person.read("a") == person.read("box") == person.read("flat/inner") == b"committed\n"
    assert person.read("a.fixloop-kept") == person.read("flat.fixloop-kept") == b"mine\n"
    assert person.read("box.fixloop-kept/b") == b"mine\n"


def test_a_link_planted_on_the_way_is_not_followed(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("box/b", "mine\n")
    (tmp_path / "outside").mkdir()
    with opened(person) as worktree:
        worktree.set_aside(["box/b"])
        (person.root / "box").symlink_to(tmp_path / "outside")
        worktree.put_back()

    assert not list((tmp_path / "outside").iterdir())
    assert person.read("box/b") == b"mine\n"
    assert (person.root / "box.fixloop-kept").is_symlink()


def test_a_second_setting_aside_and_a_second_putting_back_harm_nothing(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        for content in ("first\n", "second\n"):
            person.write("a", content)
            worktree.set_aside(["a", "never there"])
        worktree.put_back()
        worktree.put_back()
        worktree.set_aside([])

    assert person.read("a") == b"second\n"
    assert person.read("a.fixloop-kept") == b"first\n"


KILLED = """
import os, signal, sys
from pathlib import Path
from fixloop_bot.adapters.git import aside, paths
real, count = aside.move, int(sys.argv[3])
def move(source, target):
    global count
    if count == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    count -= 1
    real(source, target)
aside.move = move
aside.park(sys.argv[1], Path(sys.argv[2]), ["a", "b", "c"], why="test")
if sys.argv[4:]:
    count = int(sys.argv[4])
    aside.unpark(sys.argv[1], Path(sys.argv[2]), frozenset())
"""


@pytest.mark.parametrize("moments", [["0"], ["1"], ["2"], ["9", "0"], ["9", "2"]])
def test_a_later_process_finishes_what_a_killed_one_began(tmp_path: Path, moments: list[str]) -> None:
    person = start(tmp_path)
    for name in "abc":
        person.write(name, f"{name}\n")
    with opened(person) as worktree:
        folder = worktree._aside / "1"
        done = subprocess.run([sys.executable, "-c", KILLED, str(person.root), str(folder), *moments], check=False)
        assert done.returncode == -signal.SIGKILL

    with opened(person) as worktree:
        worktree.put_back()
        assert worktree.untracked() == ("a", "b", "c")

    assert [person.read(name) for name in "abc"] == [b"a\n", b"b\n", b"c\n"]
    assert not folder.exists()


@pytest.mark.parametrize("shape", ["file", "folder"])
def test_another_file_system_keeps_modes_times_and_links(tmp_path: Path, shape: str) -> None:
    elsewhere = Path("/dev/shm")
    person = start(tmp_path)
    state = elsewhere / f"fixloop-test-{os.getpid()}-{shape}"
    inner = Person(person.root / "inner") if shape == "folder" else person
    inner.write("x", "x\n").chmod(0o754)
    os.utime(inner.root / "x", (1_000_000, 1_000_000))
    (inner.root / "dangling").symlink_to("nowhere")
    try:
        with opened(person, state) as worktree:
            worktree.set_aside(worktree.untracked())
            assert worktree.untracked() == ()
            worktree.put_back()
            assert worktree.untracked()
    finally:
        subprocess.run(["rm", "-rf", str(state)], check=True)

    assert (inner.root / "x").stat().st_mode & 0o777 == 0o754
    assert (inner.root / "x").stat().st_mtime == 1_000_000
    assert (inner.root / "dangling").is_symlink()


def test_a_folder_moves_as_one_where_it_holds_nothing_else(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write(".gitignore", "*.local\n")
    person.write("src/tracked.py", "1\n")
    person.commit_all()
    for name in ("data/a/1", "data/a/2", "data/b/c/3", "mixed/1", "mixed/x/2", "src/new/4", "src/5"):
        person.write(name, f"{name}\n")
    secret = person.write("mixed/secret.local", "ignored, so never touched\n")
    inode = secret.stat().st_ino
    with opened(person) as worktree:
        before = worktree.untracked()
        worktree.set_aside(before)
        assert worktree.untracked() == ()
        (manifest,) = worktree._aside.glob("*/manifest.json")
        assert json.loads(manifest.read_text())["paths"] == ["data/", "mixed/1", "mixed/x/", "src/5", "src/new/"]
        assert secret.stat().st_ino == inode
        worktree.put_back()
        assert worktree.untracked() == before

    assert all(person.read(name) == f"{name}\n".encode() for name in before)


def test_a_folder_comes_back_into_one_that_was_made_meanwhile(tmp_path: Path) -> None:
    person = start(tmp_path)
    for name in ("data/1", "data/deep/2"):
        person.write(name, "mine\n")
    with opened(person) as worktree:
        worktree.set_aside(worktree.untracked())
        for name in ("data/1", "data/3", "data/deep/4"):
            person.write(name, "made by tests\n")
        worktree.commit(["data/deep/4"], "fix")
        worktree.put_back()
        assert worktree.dirty() == ()

    assert person.read("data/1") == person.read("data/deep/2") == b"mine\n"
    assert (
        person.read("data/3") == person.read("data/deep/4") == person.read("data/1.fixloop-kept") == b"made by tests\n"
    )


def test_fifty_thousand_files_are_a_handful_of_renamings(tmp_path: Path) -> None:
    person = start(tmp_path)
    names = [f"data/{number % 50}/{number}" for number in range(50_000)]
    for number in range(50):
        (person.root / f"data/{number}").mkdir(parents=True)
    for name in names:
        (person.root / name).touch()
    with opened(person) as worktree:
        worktree.displace(worktree.untracked(), why="made by tests")
        assert worktree.untracked() == ()

    (manifest,) = (tmp_path / "state/salvage").glob("*/manifest.json")
    assert json.loads(manifest.read_text())["paths"] == ["data/"]
    assert sum(1 for path in manifest.parent.rglob("*") if path.is_file()) == 50_001
