"""The doors between the loops and the world; adapters implement them, tests fake only the model and the forge."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fixloop_bot.core.protect import Protection
from fixloop_bot.model.agent import (
    ModelOutcome,
    ModelReply,
    ModelRequest,
    Proposal,
    Receipt,
    ToolCall,
    ToolResult,
)
from fixloop_bot.model.command import Plan
from fixloop_bot.model.guard import FileChange
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.learning import Approach, Lesson
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import Attempt, LoopState
from fixloop_bot.ports.project import CommandRunner, FreshCheckouts, Project


class HeadMovedError(Exception):
    """Somebody else moved the branch while the run was on it; nothing of theirs was touched."""


class Clock(Protocol):
    """The time."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...

    def iso(self) -> str:
        """Return now as ISO 8601 in UTC, to the second."""
        ...


class Workbench(Protocol):
    """The fix agent's hands: its file tools, bound to one attempt."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the paths edited so far, sorted."""
        ...

    @property
    def refused(self) -> tuple[str, ...]:
        """Return the protected or forbidden paths that were asked for, in order."""
        ...

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Return what it would change in protected files, by path; nothing of it is on disk."""
        ...

    def call(self, call: ToolCall) -> ToolResult:
        """Carry out one file tool. Whatever the model wrote, the answer is a result, never an exception."""
        ...


class Model(Protocol):
    """One call of a model."""

    def quote(self, request: ModelRequest) -> float | None:
        """Return the most that the call can cost in US dollars; None where no price is known. Makes no call."""
        ...

    def reply(self, request: ModelRequest) -> ModelOutcome:
        """Make the call, with retries until the deadline."""
        ...


class Journal(Protocol):
    """The money book of a run: what was asked, what it cost, so that nothing is paid twice."""

    def paid(self, request: ModelRequest) -> ModelReply | None:
        """Return the earlier reply if the very same call was already paid (`replayed` set). Notes nothing."""
        ...

    def begin(self, request: ModelRequest, reserved_usd: float | None) -> ModelReply | None:
        """Note that the call starts; return the earlier reply if the very same call was already paid."""
        ...

    def finish(self, request: ModelRequest, outcome: ModelOutcome) -> None:
        """Note how it ended."""
        ...

    def spent(self) -> float:
        """Return US dollars that count against the cap: known costs, and reservations with unknown end."""
        ...

    def receipts(self) -> Sequence[Receipt]:
        """Return all receipts of the run, oldest first."""
        ...


class Worktree(Protocol):
    """The git worktree. Whoever calls a method that writes holds the worktree's lock."""

    root: str

    def head(self) -> str:
        """Return the commit id of HEAD."""
        ...

    def tree(self) -> str:
        """Return the tree id of HEAD."""
        ...

    def branch(self) -> str | None:
        """Return the checked-out branch, None when detached."""
        ...

    def message(self, commit: str) -> str:
        """Return the commit's whole message."""
        ...

    def dirty(self) -> tuple[str, ...]:
        """Return tracked paths that differ from HEAD (staged or not)."""
        ...

    def untracked(self) -> tuple[str, ...]:
        """Return untracked paths that git does not ignore."""
        ...

    def ignored(self) -> Sequence[str]:
        """Return what git ignores; a folder with nothing else in it is one path, with `/` at its end."""
        ...

    def commit(self, paths: Sequence[str], message: str) -> str | None:
        """Commit exactly these paths as they are on disk; return the id, None when that is no change."""
        ...

    def filtered(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return those that only a filter program (git LFS, git-crypt) may store; `commit` refuses them."""
        ...

    def squash(self, onto: str, message: str) -> str:
        """Make all above `onto` one commit with HEAD's tree; return its id."""
        ...

    def reset(self, commit: str) -> None:
        """Stand on `commit`, tracked files as there. Untracked files stay."""
        ...

    def restore(self, paths: Sequence[str] | None = None) -> None:
        """Make tracked files (or just these) as in HEAD."""
        ...

    def patch(self, base: str, *, uncommitted: bool = False) -> bytes:
        """Return a binary-safe patch from `base` to HEAD, or to the tracked files on disk."""
        ...

    def changed_between(self, base: str, commit: str) -> Mapping[str, str]:
        """Return path → git's status letter (A, M, D, T); a rename is a D and an A."""
        ...

    def file_changes(self, base: str, commit: str) -> tuple[Sequence[FileChange], int]:
        """Return the changed files with both texts and modes, and how many more there are beyond the bound.

        At most 2,000 files, 4 MB of each, 64 MB in all; what is larger, binary or absent says so instead of its text.
        """
        ...

    def with_files(self, onto: str, files: Mapping[str, str], message: str) -> str:
        """Return a commit on `onto` in which these files have these texts; the branch and the files on disk stay.

        A file that is there keeps its mode; text is UTF-8, with surrogate escapes for other bytes.
        """
        ...

    def patch_between(self, base: str, commit: str) -> bytes:
        """Return a binary-safe patch from one commit to another."""
        ...

    def apply(self, patch: bytes, message: str) -> str | None:
        """Commit exactly this patch on HEAD, files on disk with it; return the id, None where it does not apply."""
        ...

    def bundle(self, base: str, commit: str) -> bytes:
        """Return what another clone that has `base` needs to have `commit`; empty where they are the same."""
        ...

    def unbundle(self, bundle: bytes) -> bool:
        """Take the commits of a bundle into the repository; return whether they are all there now."""
        ...

    def has(self, commit: str) -> bool:
        """Return whether the repository has the commit."""
        ...

    def without(self, paths: Sequence[str], message: str) -> str:
        """Return a commit on top of HEAD that lacks these paths; the branch and the files stay as they are."""
        ...

    def diff_stat(self, base: str, commit: str) -> str:
        """Return git's one-line summary, empty for no change."""
        ...

    def stash(self, run_id: str) -> str | None:
        """Keep uncommitted changes of tracked files under a ref and clean the worktree; return the ref, if any."""
        ...

    def unstash(self, ref: str) -> bool:
        """Bring kept changes back; return whether they conflict. Then the worktree is clean and the ref stays.

        No such ref: they are back already.
        """
        ...

    def stash_ref(self, run_id: str) -> str:
        """Return the ref that `stash` uses for the run, so that it can be written down before."""
        ...

    def stashes(self) -> Sequence[str]:
        """Return the refs of all changes of this worktree that were kept and are not back yet, the oldest first."""
        ...

    def last_move(self) -> tuple[str, str]:
        """Return the commits between which fixloop moved the branch last, or was about to; empty: it never did."""
        ...

    def set_aside(self, paths: Sequence[str]) -> None:
        """Move untracked paths out of the worktree, remembered on disk."""
        ...

    def put_back(self) -> None:
        """Bring back what was set aside; what stands in the way is kept beside it under another name."""
        ...

    def displace(self, paths: Sequence[str], *, why: str) -> None:
        """Move untracked files, and folders named with a `/` at their end, to salvage: nothing is ever deleted."""
        ...

    def forget_bytecode(self) -> None:
        """Delete the untracked `__pycache__` folders of the project itself: a check would believe what is in them."""
        ...

    def check_unmoved(self) -> None:
        """Raise `HeadMovedError` if somebody else moved the branch or checked out another; touches nothing."""
        ...


class Records(Protocol):
    """Where a run is written down; every write is atomic and durable before it returns."""

    def save(self, state: LoopState) -> None:
        """Write `state.json`. Raises OSError when the disk refuses."""
        ...

    def attempt(self, state: LoopState, attempt: Attempt, record: RepairRecord) -> None:
        """Write the repair record, the database row and the RUNLOG line of a finished attempt; idempotent."""
        ...

    def note_created(self, run_id: str, path: str) -> None:
        """Note that the agent is about to make this file, so that a killed attempt's is known from a person's."""
        ...

    def created(self, run_id: str) -> tuple[str, ...]:
        """Return the files that the agent was about to make in this run."""
        ...

    def salvage(self, name: str, patch: bytes, manifest: Mapping[str, object]) -> None:
        """Keep a patch under `salvage/<name>/`, and tell of it in the recovery log; idempotent."""
        ...

    def learn(self, state: LoopState, lessons: Sequence[Lesson], approach: Approach | None, *, at: str) -> None:
        """Merge into `learnings.yaml` what tool errors teach, and what did not help; `at` is ISO 8601, UTC."""
        ...

    def keep_commits(self, run_id: str, bundle: bytes) -> None:
        """Keep the commits that a waiting run stands on, so that another clone can go on; empty: there are none."""
        ...

    def kept_commits(self, run_id: str) -> bytes:
        """Return what `keep_commits` kept, empty for nothing."""
        ...

    def terminal(self, state: LoopState, terminal: Terminal) -> None:
        """Write `terminal.json` and close the run."""
        ...


class SetupMemory(Protocol):
    """Whether the `setup` commands have to run again."""

    def holds(self, commands: Sequence[str]) -> bool:
        """Return whether they succeeded here before, and all that they read and left is as it was then."""
        ...

    def remember(self, commands: Sequence[str]) -> None:
        """Note that they have succeeded just now. Raises OSError when the disk refuses."""
        ...

    def forget(self) -> None:
        """Note that they are about to run."""
        ...


class Progress(Protocol):
    """What a watching person sees while it runs."""

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        """Tell that a layer's checks start; purpose is `detect`, `verify` or `gate`."""
        ...

    def layer_finished(self, result: LayerResult) -> None:
        """Tell what came of it."""
        ...

    def state_changed(self, state: LoopState) -> None:
        """Tell where the run stands: attempt, model, cost so far."""
        ...

    def note(self, text: str) -> None:
        """Tell one line."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything the loop speaks to, for one run on one worktree."""

    clock: Clock
    plan: Plan
    """Made once, at the person's head: what an attempt adds cannot change what is run."""
    project: Project
    runner: CommandRunner
    worktree: Worktree
    model: Model
    journal: Journal
    records: Records
    progress: Progress
    workbench: Callable[[], Workbench]
    """Makes the tools of one attempt."""
    protection: Protection
    setup_memory: SetupMemory | None = None
    """None: the `setup` commands run in every run."""
    fresh_checkouts: FreshCheckouts | None = None
    """For the gate of a repository with `setup` commands; None: it looks at the worktree."""
    changed: tuple[str, ...] = ()
    """Paths that the branch changes against its base; empty: unknown, so that everything is looked at each time."""
