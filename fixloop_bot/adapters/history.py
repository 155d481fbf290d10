"""A state folder's records, read as data of unknown origin: the sound ones, and what is wrong with the others."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.codec import CodecError
from fixloop_bot.adapters.origin_record import read_origin
from fixloop_bot.adapters.repair_record import RecordError, read_record
from fixloop_bot.adapters.standing import Stood, read_standing
from fixloop_bot.adapters.state_folder import StateFolder, safe_name
from fixloop_bot.adapters.store_reader import read_worktrees
from fixloop_bot.adapters.terminal_record import read_terminal
from fixloop_bot.adapters.verifications import read_verifications, sha256_of
from fixloop_bot.core.followed import with_followers
from fixloop_bot.core.record import iteration_id
from fixloop_bot.model.history import History, Malformed, RunFacts, RunOrigin
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.proof import Verified
from fixloop_bot.model.record import RepairRecord


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder being read, and what was found to be malformed in it."""

    folder: StateFolder
    malformed: list[Malformed] = field(default_factory=list)

    def reject(self, path: str, problem: str) -> None:
        """Name a record that is not used."""
        root = f"{self.folder.root}/"
        self.malformed.append(Malformed(path.removeprefix(root), problem.replace(root, "")))


def read_history(folder: StateFolder) -> History:
    """Return all runs; a folder that is not there has none. Nothing is written, whatever is found."""
    shelf = Shelf(folder)
    records = _records(shelf)
    named = {path.name for path in (folder.root / "runs").glob("*") if path.is_dir()}
    worktrees = read_worktrees(folder.database)
    names = plain_names(shelf, named | set(records))
    runs = [read_run(shelf, run_id, records.get(run_id, ()), worktrees) for run_id in names]
    return History(runs=with_followers(sorted(runs, key=age_of, reverse=True)), malformed=tuple(shelf.malformed))


def read_run(shelf: Shelf, run_id: str, records: Iterable[RepairRecord], worktrees: Mapping[str, str]) -> RunFacts:
    """Return one run with these records of it."""
    stood, terminal = _stood(shelf, run_id), _terminal(shelf, run_id)
    return RunFacts(
        run_id=run_id,
        repository=worktrees.get(run_id, ""),
        branch=stood.branch if stood else "",
        story_id=stood.story_id if stood else "",
        origin=_origin(shelf, run_id),
        standing=stood.standing if stood else None,
        terminal=terminal,
        records=tuple(sorted(records, key=lambda record: record.attempt)),
        verified=tuple(_verified(shelf, run_id)) if terminal else (),
    )


def _records(shelf: Shelf) -> Mapping[str, list[RepairRecord]]:
    """Return run → its sound repair records. One under another name than its own would count twice."""
    found: dict[str, list[RepairRecord]] = defaultdict(list)
    for path in sorted((shelf.folder.root / "repair").glob("*.json")):
        if record := read_own_record(shelf, path):
            found[record.run_id].append(record)
    return found


def read_own_record(shelf: Shelf, path: Path) -> RepairRecord | None:
    """Return the record if it is sound and named as its run and attempt are."""
    record = read_record(path)
    if isinstance(record, RecordError):
        shelf.reject(record.path, record.problem)
    elif path.stem != record.iteration_id or path.stem != iteration_id(record.run_id, record.attempt):
        shelf.reject(str(path), f"it is named otherwise than its run {record.run_id} and attempt {record.attempt}")
    else:
        return record
    return None


def plain_names(shelf: Shelf, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that are ids of runs, in order."""
    for name in sorted(names):
        try:
            yield safe_name(name)
        except ValueError as error:
            shelf.reject(f"runs/{name}", str(error))


def _terminal(shelf: Shelf, run_id: str) -> Terminal | None:
    path = shelf.folder.terminal(run_id)
    if not path.exists():
        return None
    read = read_terminal(path)
    if isinstance(read, Terminal) and read.run_id == run_id:
        return read
    shelf.reject(str(path), read.problem if isinstance(read, RecordError) else f"it is of the run {read.run_id}")
    return None


def _origin(shelf: Shelf, run_id: str) -> RunOrigin | None:
    try:
        return read_origin(shelf.folder.origin(run_id))
    except (OSError, CodecError) as error:
        shelf.reject(str(shelf.folder.origin(run_id)), str(error).partition("\n")[0])
        return None


def _verified(shelf: Shelf, run_id: str) -> Iterator[Verified]:
    """Yield what was found of the terminal record as it stands; of another version of it nothing is known."""
    current = ""
    for found in read_verifications(shelf.folder.verifications(run_id)):
        if isinstance(found, RecordError):
            shelf.reject(found.path, found.problem)
        elif found.run_id != run_id:
            shelf.reject(str(shelf.folder.verifications(run_id)), f"a line is of the run {found.run_id}")
        elif found.record_sha256 == (current := current or sha256_of(shelf.folder.terminal(run_id))):
            yield found


def _stood(shelf: Shelf, run_id: str) -> Stood | None:
    path = shelf.folder.state(run_id)
    if not path.exists():
        return None
    try:
        return read_standing(path, run_id)
    except (OSError, CodecError) as error:
        shelf.reject(str(path), str(error).partition("\n")[0])
        return None


def age_of(run: RunFacts) -> tuple[float, str]:
    """Return what runs are ordered by, the oldest first."""
    known = run.origin.begun_at if run.origin else 0.0
    return (run.standing.started_at if run.standing else known, run.run_id)
