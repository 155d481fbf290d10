"""The doors between the loops and the world; adapters implement them, tests fake only the model and the forge."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
from fixloop_bot.model.attempt import Attempt
from fixloop_bot.model.command import Plan
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.learning import Approach, Lesson
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports.project import CommandRunner, FreshCheckouts, Project
from fixloop_bot.ports.shown import Shown
from fixloop_bot.ports.worktree import Worktree


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

    def prepare(self) -> None:
        """Get ready, in the background, for a call that is likely to come; costs no money."""
        ...

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
    shown: Shown = field(default_factory=Shown)
