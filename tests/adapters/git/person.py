"""A person's repository, worked on with plain git as that person would."""

import os
import subprocess
from pathlib import Path

from fixloop_bot.adapters.git.repository import NotAWorktree, Repository, find_repository
from fixloop_bot.adapters.git.worktree import GitWorktree, open_worktree
from fixloop_bot.adapters.lock import RunLock, lock_worktree

ENV = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Person",
    "GIT_AUTHOR_EMAIL": "person@example.org",
    "GIT_COMMITTER_NAME": "Person",
    "GIT_COMMITTER_EMAIL": "person@example.org",
    "LC_ALL": "C.UTF-8",
}


class Person:
    """A repository with one commit, and the hands to work in it."""

    def __init__(self, root: Path, *init: str) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *init)

    def git(self, *argv: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *argv], cwd=cwd or self.root, env=ENV, capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, (argv, done.stdout, done.stderr)
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(content.encode() if isinstance(content, str) else content)
        return full

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def commit_all(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def status(self) -> str:
        return self.git("status", "--porcelain")


def start(tmp_path: Path, *init: str) -> Person:
    """Return a repository with one committed file, `app.py`."""
    person = Person(tmp_path / "their repo", *init)
    person.write("app.py", "print('hi')\n")
    person.commit_all("first")
    return person


def found(root: Path) -> Repository:
    repository = find_repository(str(root))
    assert isinstance(repository, Repository), repository
    return repository


def locked(repository: Repository) -> RunLock:
    lock = lock_worktree(repository.git_dir, run_id="r1", since="2026-01-01T00:00:00Z")
    assert isinstance(lock, RunLock), lock
    return lock


class Opened:
    """fixloop's side: the lock and the worktree, for a `with` block."""

    def __init__(self, root: Path, state: Path) -> None:
        self.repository = found(root)
        self.state = state

    def __enter__(self) -> GitWorktree:
        self.lock = locked(self.repository)
        worktree = open_worktree(self.repository, self.lock, shadows=self.state / "git", salvage=self.state / "salvage")
        assert not isinstance(worktree, NotAWorktree), worktree
        return worktree

    def __exit__(self, *_error: object) -> None:
        self.lock.release()


def opened(person: Person, state: Path | None = None) -> Opened:
    return Opened(person.root, state or person.root.parent / "state")
