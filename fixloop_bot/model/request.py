"""What starts a run, whichever door it came through."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fixloop_bot.model.answer import Decided
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import Limits, Models
from fixloop_bot.model.target import TriedBefore


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One run on one worktree."""

    run_id: str
    story_id: str = ""
    branch: str = ""
    """Name that the agent and the records use; empty: the checked-out branch."""
    limits: Limits = field(default_factory=Limits)
    models: Models = field(default_factory=Models)
    start_layer: Layer = Layer.COMPILE
    require: tuple[Layer, ...] = ()
    error_context: str = ""
    allow_dirty: bool = False
    base_commit: str = ""
    """Merge base of the pull request; empty for none."""
    intent: str = ""
    """What the change says it is meant to do."""
    allow_stale_updates: bool = False
    answer: Decided | None = None
    """A question of an earlier run on this head, and its answer."""
    earlier_attempts: Mapping[Layer, int] = field(default_factory=dict)
    """Unproductive attempts on each layer by earlier runs on the same person's head."""
    earlier_tried: tuple[TriedBefore, ...] = ()
