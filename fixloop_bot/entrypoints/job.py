"""What a door hands to the engine, and where a run takes place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.git.worktree import GitWorktree
from fixloop_bot.adapters.lock import RunLock
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.reserve import Reserve
from fixloop_bot.adapters.sandbox.enclosure import Enclosure
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.store import Store
from fixloop_bot.model.answer import Answer
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.request import RunRequest
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.ports import Clock, Model, Progress

ToModel = Callable[[RepoConfig, Clock], Model]
ToRequest = Callable[[str, RepoConfig, Clock], RunRequest]


@dataclass(frozen=True, slots=True)
class Resume:
    """A run that is to go on, with what a person answered where it waits, or to end."""

    run_id: str
    """Empty: the unfinished one of the worktree."""
    answer: Answer | None = None
    stop: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a door hands in; everything that differs between the doors."""

    path: str
    """The worktree."""
    state_dir: Path | None
    """None: the platform's place for this repository."""
    env: Mapping[str, str]
    """The process's environment; commands get an allow-listed part of it."""
    progress: Progress
    redact: Callable[[str], str] = str
    to_model: ToModel
    to_request: ToRequest
    """From a fresh run id and the repository's configuration to the request. May raise `ConfigProblem`."""
    clock: Clock = field(default_factory=SystemClock)
    config: RepoConfig | None = None
    """The base branch's; None: the worktree's own `.fixloop.yml`."""
    read_trusted: Callable[[str], str | None] | None = None
    """Text of a file where `config` comes from; None: of the worktree."""
    run_id: str = ""
    """Of a new run; empty: a fresh one."""
    base: str = ""
    """Commit that the branch is compared with; empty: the upstream default branch's, where the clone knows it."""
    about: str = ""
    """What the change says it is for beside its commits: a pull request's title and description."""
    resume: Resume | None = None
    """The run to go on with; None: a new one, or the unfinished one of this worktree."""
    sandbox: SandboxLevel | None = None
    """The level that the door demands; None: the configuration's."""
    passages: tuple[Path, ...] = ()
    """Private folders on the way to the worktree that commands may pass through."""
    skip_visual: bool = True
    on_sandbox: Callable[[str], None] = lambda _words: None
    """Hears of the level that is reached."""
    at_once: int | None = None
    """Checks side by side at most; None: as many as there are processors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where a run takes place, found and locked."""

    repository: Repository
    lock: RunLock
    worktree: GitWorktree
    folder: StateFolder
    store: Store
    project: GitProject
    scratch: Path
    reserve: Reserve
    held: Enclosure = field(default_factory=lambda: Enclosure(words="", box=None))
    fork: str = ""
    """Merge base of the head and its base; empty where it cannot be told."""
