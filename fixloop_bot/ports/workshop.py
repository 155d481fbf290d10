"""Where one pull request's code is checked out, repaired, and sent back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.delivery import (
    Checkout,
    CheckoutProblem,
    FixCommit,
    HeadMoved,
    PushOrder,
    PushOutcome,
    RebaseConflict,
)
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Progress


@dataclass(frozen=True, slots=True)
class NotStarted:
    """The run could not begin; the reason is for a person."""

    reason: str


class Workshop(Protocol):
    """One checkout and the engine on it."""

    held_by: str
    """The level of the sandbox that commands were held at, in words; empty before any was run."""

    def check_out(self, ticket: RunTicket) -> Checkout | HeadMoved | CheckoutProblem:
        """Bring exactly the ticket's head commit onto disk, with enough history for its merge base."""
        ...

    def repair(
        self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress
    ) -> LoopState | NotStarted:
        """Run the loop on the checkout to its end, or to where it waits for a person."""
        ...

    def commits(self, state: LoopState) -> tuple[FixCommit, ...]:
        """Return the commits of clean layers, oldest first."""
        ...

    def push(self, order: PushOrder) -> PushOutcome:
        """Push them, never by force, only from the expected old head."""
        ...

    def rebase(self, commits: Sequence[FixCommit], onto: str) -> tuple[FixCommit, ...] | RebaseConflict:
        """Put the commits onto the head that a person pushed meanwhile."""
        ...

    def still_clean(self, commit: str, config: RepoConfig, *, up_to: Layer | None, progress: Progress) -> bool:
        """Return whether all layers up to that one (None: all there are) pass on the commit's tree."""
        ...

    def patch(self, base: str, commit: str) -> str:
        """Return everything from `base` to `commit` as one patch, binary-safe, for `git apply`."""
        ...

    def exists(self, path: str) -> bool:
        """Return whether the path is a file of the checkout."""
        ...

    def own_commit(self, target: Layer | str) -> FixCommit | None:
        """Return fixloop's newest commit of a layer, or its commit with that (short) id; None if there is none."""
        ...

    def revert(self, commits: Sequence[str], message: str) -> str | RebaseConflict:
        """Return a new commit on the head that takes these back, newest first; empty where that is done already."""
        ...
