"""The sandbox of a run or a validation: from what is demanded, and where, to what holds."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.sandbox import Demand, SandboxLevel
from fixloop_bot.ports import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where commands run."""

    root: Path
    """The worktree, or the project's folder."""
    scratch: Path
    git: Sequence[Path] = ()
    """Git directories that commands may read."""
    state: Sequence[Path] = ()
    """Folders that they may not."""
    moves_to: Sequence[Path] = ()
    """Folders of the state that files of the worktree may be moved to."""
    passages: Sequence[Path] = ()
    """Private folders on the way to the worktree."""


def to_demand(config: RepoConfig, level: SandboxLevel | None) -> Demand:
    """Return what is asked for; `level` is the door's, None: that of the configuration."""
    rules = config.sandbox
    processes = {} if rules.processes is None else {"processes": rules.processes}
    return Demand(level=level or rules.level, network=rules.network, memory_mb=rules.memory_mb, **processes)


def sandboxed(
    demand: Demand, place: Place, env: Mapping[str, str], progress: Progress
) -> AbstractContextManager[Enclosure | NotGranted]:
    """Open the sandbox, if what is demanded can be had; it is closed with the context."""
    grounds = Grounds(
        root=place.root.resolve(),
        scratch=place.scratch.resolve(),
        beside=[folder.resolve() for folder in place.git],
        closed=[folder.resolve() for folder in place.state],
    )
    passages = [folder.resolve() for folder in place.passages]
    return enclose(
        demand, Site(grounds=grounds, env=env, note=progress.note, moves_to=place.moves_to, passages=passages)
    )


def refusal(refused: NotGranted) -> str:
    """Return why nothing is run and what helps, as one text."""
    return f"{refused.reason}. To mend it: {refused.advice}."
