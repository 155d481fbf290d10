"""What the stories share: real repositories, and the real command in a process of its own."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KEY = "sk-ant-test-0123456789abcdefghijklmnop"


def git(root: Path, *arguments: str) -> str:
    """Run git as a person would, and return what it prints."""
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True, env=person_environment()
    )
    return done.stdout.strip()


def person_environment() -> dict[str, str]:
    """Return an environment without anything of this machine's git configuration."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SSL_CERT_FILE") if name in os.environ}
    return kept | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}


@dataclass(frozen=True)
class Finished:
    """What a `fixloop` process did."""

    code: int
    stdout: str
    stderr: str

    @property
    def line(self) -> str:
        """Return the one status line; there must be exactly one."""
        lines = self.stdout.splitlines()
        assert len(lines) == 1, (self.stdout, self.stderr)
        return lines[0]


@dataclass
class Workspace:
    """A repository, a state folder beside it, and the environment of the command."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.folder / "repository"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    def commit(self, files: Mapping[str, str], message: str = "a change") -> str:
        """Write the files, commit all, and return the commit's id."""
        if not self.root.exists():
            self.root.mkdir(parents=True)
            git(self.root, "init", "--quiet", "-b", "main")
            git(self.root, "config", "user.name", "Pat")
            git(self.root, "config", "user.email", "pat@example.org")
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git(self.root, "add", "-A")
        git(self.root, "commit", "--quiet", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        return git(self.root, "rev-parse", "HEAD")

    @property
    def status(self) -> str:
        return git(self.root, "status", "--porcelain")

    def subjects(self, since: str) -> list[str]:
        """Return the subjects of the commits after `since`, oldest first."""
        return git(self.root, "log", "--reverse", "--format=%s", f"{since}..HEAD").splitlines()

    def arguments(self, *more: str) -> list[str]:
        """Return the command line of `fixloop run`."""
        paths = ["--worktree-path", str(self.root), "--state-dir", str(self.state)]
        return [sys.executable, "-m", "fixloop_bot", "run", *paths, *more]

    def environment(self) -> dict[str, str]:
        """Return the command's environment."""
        return person_environment() | {"HOME": str(self.folder)} | self.env

    def run(self, *more: str, stdin: str = "") -> Finished:
        """Run `fixloop run` to its end."""
        return finished(self.arguments(*more), env=self.environment(), stdin=stdin)

    def with_model(self, url: str) -> None:
        """Point the command at a model server."""
        self.env |= {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}

    def rows(self, query: str) -> list[sqlite3.Row]:
        """Ask the run's database."""
        with closing(sqlite3.connect(self.state / "run-state.db")) as database:
            database.row_factory = sqlite3.Row
            return database.execute(query).fetchall()

    def records(self) -> list[dict[str, Any]]:
        """Return the repair records, by attempt."""
        loaded = [json.loads(path.read_text()) for path in (self.state / "repair").glob("*.json")]
        return sorted(loaded, key=lambda record: int(record["attempt"]))

    def terminal(self) -> dict[str, Any]:
        """Return the one terminal record."""
        (path,) = self.state.glob("runs/*/terminal.json")
        loaded: dict[str, Any] = json.loads(path.read_text())
        return loaded

    def saved(self) -> dict[str, Any]:
        """Return the one saved state."""
        (path,) = self.state.glob("runs/*/state.json")
        loaded: dict[str, Any] = json.loads(path.read_text())
        return loaded


def finished(command: list[str], *, env: Mapping[str, str], stdin: str = "", cwd: Path = Path("/")) -> Finished:
    """Run a command, from a folder of no meaning where none is given."""
    done = subprocess.run(
        command, capture_output=True, text=True, env=dict(env), input=stdin, cwd=cwd, timeout=240, check=False
    )
    return Finished(done.returncode, done.stdout, done.stderr)


PYTEST = '[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = ["--disable-plugin-autoload"]\n'
"""A project's settings: what is importable, and none of our own environment's plugins, which take a second to load."""

OFF_BY_ONE = {
    "app/__init__.py": "",
    "app/pages.py": '"""Pages."""\n\n\ndef last(pages: list[int]) -> int:\n    """Return the last page."""\n'
    "    return pages[len(pages) - 2]\n",
    "tests/test_pages.py": "from app.pages import last\n\n\ndef test_last() -> None:\n    assert last([1, 2, 3]) == 3\n"
    "\n\ndef test_type() -> None:\n    assert isinstance(last([4, 4]), int)\n",
    "pyproject.toml": PYTEST,
}
"""A repository with one failing test of two."""

FAULTY_LINE = "    return pages[len(pages) - 2]\n"
RIGHT_LINE = "    return pages[len(pages) - 1]\n"

THREE_BROKEN = {
    **OFF_BY_ONE,
    "app/names.py": '"""Names."""\n\n\ndef full(first: str, last: str) -> str\n    return first + " " + last\n',
    "app/counts.py": '"""Counts."""\n\n\ndef count(text: str) -> int:\n    try:\n        return int(text)\n'
    "    except:\n        return 0\n",
    "pyproject.toml": OFF_BY_ONE["pyproject.toml"] + '\n[tool.ruff.lint]\nselect = ["E", "F"]\n',
}
"""A syntax error, a bare except that ruff will not mend by itself, and a failing test."""
