"""The files that checks look at, and what runs their commands: in the worktree, or in a fresh checkout."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from fixloop_bot.model.command import Check, CommandOutput, CommandRequest, Fixer, Plan


class NoFreshCheckoutError(Exception):
    """A commit could not be written out, or its sandbox not be had; the text is for a person."""


class CommandRunner(Protocol):
    """Runs commands of the pull request, locked in."""

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run to the end or to a limit; no process that it started lives on. A command that cannot start is a value."""
        ...

    def run_all(self, requests: Sequence[CommandRequest], *, at_once: int | None = None) -> tuple[CommandOutput, ...]:
        """Run several as `run` does, side by side, and return their outputs in the order of the requests.

        At most `at_once` run at the same time, and no more than there are processors.
        """
        ...


class Project(Protocol):
    """The files of the worktree, as checks see them."""

    root: str
    """Absolute."""
    scratch: str
    """Absolute; where commands have their home, temporary files and reports."""

    def plan(self) -> Plan:
        """Return what validates this worktree. Raises `ConfigProblem` for a `.fixloop.yml` that cannot be used."""
        ...

    def declared(self) -> frozenset[str]:
        """Return the names of the dependencies that the worktree's manifests declare, in lower case."""
        ...

    def resolve(self, command: Check | Fixer) -> tuple[str, ...]:
        """Return the argv with the tool found in the project's environment."""
        ...

    def exists(self, path: str) -> bool:
        """Return whether the relative POSIX path is a regular file inside the worktree, no link followed out."""
        ...

    def read(self, path: str) -> str | None:
        """Return the text of a file (UTF-8 with replacement, at most 1 MB), None if there is none."""
        ...

    def files(self) -> Sequence[str]:
        """Return the POSIX paths of the files that git knows or does not ignore, relative to the worktree."""
        ...

    def report_path(self, name: str) -> str:
        """Return an absolute path, outside the worktree, where a command may write a report."""
        ...

    def read_report(self, path: str) -> str | None:
        """Return what a command wrote there (at most 16 MB), None if nothing; the file is gone afterwards."""
        ...

    def keep_pictures(self, path: str) -> tuple[str, ...]:
        """Keep the pictures that a command wrote beside its report at `path`, for a person; return where they are."""
        ...

    def watch_reports(self, project: str, patterns: Sequence[str]) -> Callable[[], tuple[str, ...]]:
        """Return what gives, once a command has run, the texts of matching files that it wrote (at most 16 MB in all).

        `patterns` are globs relative to the project; no link is followed. In the order of their paths.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshCheckout:
    """A commit's files in a folder of their own, and a sandbox there."""

    project: Project
    runner: CommandRunner
    tree: str
    """Id of the commit's tree."""
    seal: Callable[[Callable[[str], bool]], None]
    """Makes tracked files as committed, and removes the untracked, unignored ones for which it gets the answer True.

    Raises `NoFreshCheckoutError`.
    """


class FreshCheckouts(Protocol):
    """Where a commit can be looked at with nothing of the worktree's around it."""

    def open(self, commit: str) -> AbstractContextManager[FreshCheckout]:
        """Write the commit out; all of it is gone with the context. Raises `NoFreshCheckoutError`."""
        ...
