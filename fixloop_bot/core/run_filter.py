"""Which runs of many a person wants to see."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.core.standing import SUPERSEDED, UNFINISHED, UNKNOWN, end_of, status_of, waits_for
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Status

STATUSES = (*(str(status) for status in Status), UNFINISHED, SUPERSEDED, UNKNOWN)
LAYERS = tuple(str(layer) for layer in Layer)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """What is asked for; empty: everything. Text is looked for in any case of its letters."""

    status: str = ""
    branch: str = ""
    """A part of the branch's name."""
    repository: str = ""
    """A part of the repository's name, or of the worktree's folder."""
    layer: str = ""
    """Was worked on, or fails now."""
    text: str = ""
    """A part of an id, the work item, the pull request's title, the end's reason, or an attempt's words."""

    def chosen(self, runs: Iterable[RunFacts]) -> tuple[RunFacts, ...]:
        """Return the runs that are asked for, in their order."""
        branch, text, repository = (part.casefold() for part in (self.branch, self.text, self.repository))
        return tuple(
            run
            for run in runs
            if (not self.status or status_of(run) == self.status)
            and (not self.layer or self.layer in layers_of(run))
            and branch in run.branch.casefold()
            and repository in run.place.casefold()
            and (not text or any(text in one.casefold() for one in _texts(run)))
        )


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of many runs; numbers are 1-based."""

    runs: tuple[RunFacts, ...]
    number: int
    last: int
    total: int


def leaf(runs: Sequence[RunFacts], number: int, *, size: int) -> Leaf:
    """Return the page of this number, the nearest one where there is none such."""
    last = max(1, -(-len(runs) // size))
    number = min(max(number, 1), last)
    return Leaf(tuple(runs[(number - 1) * size : number * size]), number, last, len(runs))


def layers_of(run: RunFacts) -> frozenset[str]:
    """Return the layers that the run worked on, and the one that fails now."""
    now = {run.standing.layer} if run.standing and run.standing.layer else set[str]()
    return frozenset({record.layer for record in run.records} | now)


def _texts(run: RunFacts) -> Iterator[str]:
    if run.origin:
        yield from (run.origin.title, run.origin.author, run.origin.repository)
    yield from (run.run_id, run.branch, run.story_id, run.repository, end_of(run))
    yield run.terminal.reason if run.terminal else waits_for(run)
    for record in run.records:
        yield from (record.hypothesis, record.repair_action, record.error_hash)
