"""A state folder's records, read again only where a file has changed: ten thousand runs for a page."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from os import DirEntry, scandir
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.history import Shelf, age_of, plain_names, read_own_record, read_run
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.store_reader import read_worktrees
from fixloop_bot.core.followed import with_followers
from fixloop_bot.model.history import History, Malformed, RunFacts
from fixloop_bot.model.record import RepairRecord

Signature = tuple[object, ...]
SPARING = 5
"""Times as long as a look took, the next is put off where `seconds` are given."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    """What was read, of which version of the files, and what was wrong with them."""

    signature: Signature
    value: T
    malformed: tuple[Malformed, ...]


@dataclass(slots=True)
class _Memory(Generic[T]):
    """What the last reading found, by file."""

    kept: dict[str, _Kept[T]] = field(default_factory=dict)
    fresh: dict[str, _Kept[T]] = field(default_factory=dict)
    changed: bool = False

    def get(self, folder: StateFolder, key: str, signature: Signature, read: Callable[[Shelf], T]) -> T:
        """Return what was read of these very files, else read it."""
        known = self.kept.get(key)
        if known is None or known.signature != signature:
            shelf = Shelf(folder)
            value = read(shelf)
            known = _Kept(signature, value, tuple(shelf.malformed))
            self.changed = True
        self.fresh[key] = known
        return known.value

    def turn(self) -> bool:
        """Forget what is gone; return whether anything is other than at the last reading."""
        changed = self.changed or len(self.kept) != len(self.fresh)
        self.kept, self.fresh, self.changed = self.fresh, {}, False
        return changed

    def malformed(self) -> Iterator[Malformed]:
        """Yield what was wrong, in the order of the files."""
        for key in sorted(self.kept):
            yield from self.kept[key].malformed


class HistoryCache:
    """One folder's history; any thread may read it. A reading is at most `seconds` old, more in a huge folder."""

    def __init__(self, folder: StateFolder, *, seconds: float = 0.0) -> None:
        self.folder = folder
        self._seconds = seconds
        self._lock, self._clock = Lock(), SystemClock()
        self._records: _Memory[RepairRecord | None] = _Memory()
        self._runs: _Memory[RunFacts] = _Memory()
        self._history: History | None = None
        self._read_at = self._took = 0.0

    def read(self, *, fresh: bool = False) -> History:
        """Return all runs, as `read_history` does; the very same object while nothing has changed."""
        with self._lock:
            now = self._clock.monotonic()
            if self._history is None or fresh or now - self._read_at >= self._patience():
                self._history = self._read(self._history)
                self._read_at = self._clock.monotonic()
                self._took = self._read_at - now
            return self._history

    def _patience(self) -> float:
        return max(self._seconds, SPARING * self._took) if self._seconds else 0.0

    def _read(self, before: History | None) -> History:
        records = self._read_records()
        worktrees = read_worktrees(self.folder.database)
        names, place = Shelf(self.folder), f"{self.folder.root}/runs"
        found = {entry.name for entry in _entries(place) if entry.is_dir()}
        for run_id in plain_names(names, {*found, *records}):
            files = tuple(sorted(map(_signature, _entries(f"{place}/{run_id}"))))
            mine = records.get(run_id, ())
            signature = (files, worktrees.get(run_id), tuple(map(id, mine)))
            read = partial(read_run, run_id=run_id, records=mine, worktrees=worktrees)
            self._runs.get(self.folder, run_id, signature, read)
        changed = [self._records.turn(), self._runs.turn()]
        if before is not None and not any(changed):
            return before
        runs = with_followers(sorted((kept.value for kept in self._runs.kept.values()), key=age_of, reverse=True))
        malformed = (*self._records.malformed(), *names.malformed, *self._runs.malformed())
        return History(runs=runs, malformed=malformed)

    def _read_records(self) -> Mapping[str, tuple[RepairRecord, ...]]:
        found: dict[str, list[RepairRecord]] = defaultdict(list)
        for entry in _entries(f"{self.folder.root}/repair"):
            if entry.name.endswith(".json"):
                read = partial(_own_record, place=entry.path)
                if record := self._records.get(self.folder, entry.name, _signature(entry), read):
                    found[record.run_id].append(record)
        return {run: tuple(records) for run, records in found.items()}


def _own_record(shelf: Shelf, place: str) -> RepairRecord | None:
    return read_own_record(shelf, Path(place))


def _signature(entry: DirEntry[str]) -> Signature:
    """Return what tells one version of a file from another; a record is replaced, so that its inode is another, too."""
    try:
        found = entry.stat()
    except OSError:
        return (entry.name,)
    return (entry.name, found.st_ino, found.st_size, found.st_mtime_ns)


def _entries(folder: str) -> list[DirEntry[str]]:
    try:
        with scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
