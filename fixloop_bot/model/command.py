"""Commands: what would run, and what came of running it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.config import RubricDimension
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.matcher import ProblemMatcher

SCRATCH = "{scratch}"
"""Stands, in the variables of a check that fixloop composed, for the folder of what the run's commands may cache."""
RUNNER_LAYERS = (Layer.COMPILE, Layer.LINT, Layer.TEST)
"""What a repository's own runner is asked for."""
CACHE = "cache"
"""Name of that folder, below the run's scratch folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One command of one layer in one project."""

    layer: Layer
    command: tuple[str, ...]
    """argv; a shell line is `("sh", "-c", line)`. A bare tool name is looked up in the project's environment."""
    tool: str
    """Name in the registry of `checks`, `generic` for a command whose tool is unknown."""
    project: str = "."
    """Directory to run in, POSIX, relative to the worktree."""
    source: str = ""
    """Where the command comes from, in words: `.fixloop.yml layers.test`, `package.json scripts.lint`."""
    env: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 600.0
    idle_timeout_s: float = 300.0
    after_success: bool = False
    """Run only if the check before it in the same layer and project passed."""
    composed: bool = False
    """fixloop itself wrote the command, so options for a report may be added to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixer:
    """A command that repairs a layer for free, in one project."""

    layer: Layer
    command: tuple[str, ...]
    project: str = "."
    source: str = ""
    timeout_s: float = 600.0
    idle_timeout_s: float = 300.0
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRoot:
    """One project of one ecosystem, as it was found."""

    ecosystem: str
    path: str
    """POSIX, relative to the worktree."""
    setup: str = ""
    """Shell line, for the worktree's root, that would install its dependencies: suggested, never run unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """Something that looks like a check and is not run."""

    project: str
    what: str
    """In words: `package.json scripts.test`."""
    why: str
    layer: Layer | None = None
    """None: it belongs to no single layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What validates this worktree: every check of every project, and why the layers without one have none."""

    project_type: str
    """Ecosystems found, joined by `+` (`python`, `node`, `python+node`), `unknown` for none."""
    checks: tuple[Check, ...] = ()
    fixers: tuple[Fixer, ...] = ()
    skipped: Mapping[Layer, str] = field(default_factory=dict)
    """Reason for each layer that has no check."""
    runner: str | None = None
    """The repository's own runner program, relative to the worktree; it replaces the checks."""
    setup: tuple[str, ...] = ()
    """Shell lines that install what the project needs, run in order in the worktree's root, once per run."""
    matchers: tuple[ProblemMatcher, ...] = ()
    """How to read the output of the repository's own tools."""
    rubric: Mapping[str, RubricDimension] = field(default_factory=dict)
    """What a judge scores when everything else passes; empty: the layer is off."""
    projects: tuple[ProjectRoot, ...] = ()
    """Every project that was found, with and without checks of its own."""
    passed_over: tuple[PassedOver, ...] = ()
    self_contained: frozenset[str] = frozenset()
    """Projects whose checks may run beside those of each other."""
    parallel: int | None = None
    """Checks at the same time at most; None: as many as there are processors."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers that have something to run, lowest first; of a runner's own, those that it may know."""
        beside = {check.layer for check in self.checks}
        layers = {*RUNNER_LAYERS, *(beside & {Layer.VISUAL})} if self.runner else beside
        return tuple(sorted(layers, key=lambda layer: layer.rank))


class Limit(StrEnum):
    """Which limit ended a command."""

    WALL = "wall-clock limit"
    IDLE = "idle limit"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command to run in the worktree."""

    argv: tuple[str, ...]
    cwd: str
    """Absolute."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the allow-listed environment."""
    timeout_s: float = 600.0
    idle_timeout_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a long output that is kept from between its beginning and its end."""

    left_out: int
    """Bytes between what is kept before it and this."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandOutput:
    """What a command did. Standard output and error are one stream, in the order they were written."""

    exit_code: int | None
    """Negative: ended by that signal. None: it could not be started (see `missing`)."""
    head: str
    """The stream's beginning, decoded as UTF-8 with replacement; all of it when nothing was left out."""
    tail: str = ""
    """The stream's end; empty when `head` is everything."""
    middle: tuple[Passage, ...] = ()
    """What looks like a failure in between, in order."""
    total_bytes: int = 0
    duration_s: float = 0.0
    sha256: str = ""
    """Hex digest of the whole stream."""
    limit: Limit | None = None
    missing: str | None = None
    """The program that was not found or could not be executed."""

    @property
    def text(self) -> str:
        """Return the kept text, with a line wherever something was left out."""
        if not self.tail:
            return self.head
        told = (*self.middle, Passage(left_out=self._left_out_at_last(), text=self.tail))
        return self.head + "".join(f"\n… about {one.left_out:,} bytes left out …\n{one.text}" for one in told)

    def _left_out_at_last(self) -> int:
        kept = (self.head, self.tail, *(one.text for one in self.middle))
        left_out = self.total_bytes - sum(len(text.encode()) for text in kept)
        return max(left_out - sum(one.left_out for one in self.middle), 0)
