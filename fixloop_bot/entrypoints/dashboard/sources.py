"""The state folders that the pages show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from fixloop_bot.adapters.history import age_of
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.core.followed import waits
from fixloop_bot.core.metrics import measure
from fixloop_bot.core.service_steps import service_steps
from fixloop_bot.core.standing import next_steps, status_of
from fixloop_bot.model.history import History, Metrics, RunFacts
from fixloop_bot.model.outcome import Question, Status
from fixloop_bot.model.service_health import ServiceHealth
from fixloop_bot.model.spending import Spending
from fixloop_bot.ports.answers import Answers
from fixloop_bot.ports.jobs import OpenRun


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSide:
    """What is known of runs besides their records where the service runs them."""

    site: str
    """GitHub's web address, without a slash at its end."""
    open_runs: Callable[[], tuple[OpenRun, ...]]

    def busy(self) -> Mapping[str, OpenRun]:
        """Return branch → the run that waits or is worked on there; of several, the newest."""
        return {one.branch: one for one in self.open_runs()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One state folder; `number` is its place among those that are shown."""

    number: int
    records: HistoryCache
    flags: tuple[str, ...]
    """What names the folder on a command line."""
    answers: Answers | None = None
    """None: answers are typed."""
    service: ServiceSide | None = None
    """None: the runs were begun in a shell."""
    diff: Callable[[RunFacts], str] = field(default=lambda _run: "")
    """What a run has committed so far, against the person's head; empty where that is not known."""

    def busy(self) -> Mapping[str, OpenRun]:
        """Return branch → the run of the service that waits or is worked on there."""
        return self.service.busy() if self.service else {}

    def steps(self, run: RunFacts) -> tuple[str, ...]:
        """Return what a person can do next, a line each."""
        return service_steps(run) if run.origin else next_steps(run, self.flags)

    def run(self, run_id: str, *, fresh: bool = False) -> RunFacts | None:
        """Return the run of this id."""
        history = self.records.read(fresh=fresh)
        return next((run for run in history.runs if run.run_id == run_id), None)

    def followed(self, runs: Sequence[RunFacts]) -> tuple[RunFacts, ...]:
        """Return the runs; who waits names the run that is queued or under way on its branch."""
        busy = self.busy()
        return tuple(_followed(run, busy.get(run.origin.branch) if run.origin else None) for run in runs)


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
    spending: Callable[[], Sequence[Spending]] | None = None
    """None: there are no budgets but each run's own."""
    health: Callable[[], ServiceHealth] | None = None
    """None: no service runs here."""
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
        Placed(source, run)
        for source, history in zip(sources.each, histories, strict=True)
        for run in source.followed(history.runs)
    ]
    return tuple(sorted(found, key=lambda one: age_of(one.run), reverse=True) if len(sources.each) > 1 else found)


def _followed(run: RunFacts, later: OpenRun | None) -> RunFacts:
    moot = later is not None and later.job_id != run.run_id and not run.followed_by and waits(run)
    return replace(run, followed_by=later.job_id) if later and moot else run


def question_of(run: RunFacts) -> Question | None:
    """Return what the run waits with; None for one that waits for nobody."""
    end = run.standing.end if run.standing else None
    waits = end is not None and status_of(run) == Status.NEED_DECISION and run.terminal is None
    return end.question if end and waits else None
