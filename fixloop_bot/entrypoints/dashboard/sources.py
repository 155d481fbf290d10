"""The state folders that the pages show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from fixloop_bot.adapters.history import age_of
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.core.metrics import measure
from fixloop_bot.core.standing import status_of
from fixloop_bot.model.history import History, Metrics, RunFacts
from fixloop_bot.model.outcome import Question, Status
from fixloop_bot.ports.answers import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One state folder; `number` is its place among those that are shown."""

    number: int
    records: HistoryCache
    flags: tuple[str, ...]
    """What names the folder on a command line."""
    answers: Answers | None = None
    """None: answers are typed."""

    def run(self, run_id: str, *, fresh: bool = False) -> RunFacts | None:
        """Return the run of this id."""
        history = self.records.read(fresh=fresh)
        return next((run for run in history.runs if run.run_id == run_id), None)


class Counted:
    """The metrics of all runs, counted again only where a record has changed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: tuple[History, ...] = ()
        self._metrics = measure(History())

    def metrics(self, histories: tuple[History, ...]) -> Metrics:
        """Return the metrics of these together."""
        with self._lock:
            if len(self._of) != len(histories) or any(a is not b for a, b in zip(self._of, histories, strict=True)):
                self._metrics = measure(History(runs=tuple(run for one in histories for run in one.runs)))
                self._of = histories
            return self._metrics


@dataclass(frozen=True, slots=True)
class Sources:
    """All of them."""

    each: tuple[Source, ...]
    redact: Callable[[str], str]
    counted: Counted = field(default_factory=Counted)

    def histories(self) -> tuple[History, ...]:
        """Return what the folders tell now, in their order."""
        return tuple(source.records.read() for source in self.each)


@dataclass(frozen=True, slots=True)
class Placed:
    """A run and the folder that it is in."""

    source: Source
    run: RunFacts

    @property
    def path(self) -> str:
        """Return where its page is, below the dashboard."""
        return f"/runs/{self.source.number}/{self.run.run_id}"


def placed(sources: Sources, histories: Sequence[History]) -> tuple[Placed, ...]:
    """Return the runs of all folders, newest first."""
    found = [
        Placed(source, run) for source, history in zip(sources.each, histories, strict=True) for run in history.runs
    ]
    return tuple(sorted(found, key=lambda one: age_of(one.run), reverse=True) if len(sources.each) > 1 else found)


def question_of(run: RunFacts) -> Question | None:
    """Return what the run waits with; None for one that waits for nobody."""
    end = run.standing.end if run.standing else None
    waits = end is not None and status_of(run) == Status.NEED_DECISION and run.terminal is None
    return end.question if end and waits else None
