"""`fixloop replay`: a whole run, checked again by its records: do they agree, and does its DONE still hold?"""

import argparse
import sys
from collections.abc import Iterator

from fixloop_bot.adapters.claim_file import read_claim
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.adapters.git.salvage_check import Salvaged, check_salvages, has_commit
from fixloop_bot.adapters.recorded_run import read_recorded
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.replay.agree import disagreements
from fixloop_bot.core.replay.tell import judged, replay_json, replay_line
from fixloop_bot.entrypoints.exit_code import OF_VERDICT
from fixloop_bot.entrypoints.proving import Desk, note, prove, unchecked
from fixloop_bot.entrypoints.records_place import RecordsPlace, find_records
from fixloop_bot.entrypoints.settings import load_settings
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.proof import Proof, Verdict
from fixloop_bot.model.replay import Recorded, Replay
from fixloop_bot.ports import Progress


def replay_command(arguments: argparse.Namespace) -> int:
    """Check the run, print one line or JSON, and return 0 holds, 1 does not hold, 2 cannot be checked."""
    place = find_records(arguments)
    with progress_for(sys.stderr, place.redact) as progress:
        replay = _replayed(place, arguments.run, progress)
    if arguments.json:
        told = json_text(redact_json(replay_json(replay), place.redact))
    else:
        told = defused(place.redact(replay_line(replay)))
    sys.stdout.write(told + "\n")
    return OF_VERDICT[replay.verdict]


def _replayed(place: RecordsPlace, run_id: str, progress: Progress) -> Replay:
    run = read_recorded(place.folder, run_id)
    if run is None:
        return Replay(run_id=run_id, verdict=Verdict.UNCHECKED, why=(f"{place.folder.root} knows no such run",))
    salvaged = tuple(check_salvages(place.repository, place.folder.salvages, run_id))
    differs = (
        *disagreements(run),
        *_lacking(run, salvaged),
        *(f"salvage/{s.name}: {s.problem}" for s in salvaged if s.problem),
    )
    notes = (*(f"salvage/{s.name}: {s.unchecked}" for s in salvaged if s.unchecked), *_unknown_commits(place, run))
    if differs:
        return judged(run, differs, notes=notes)
    return judged(run, (), notes=notes, proof=_proof(place, run, progress))


def _lacking(run: Recorded, salvaged: tuple[Salvaged, ...]) -> Iterator[str]:
    """Yield the salvages that records speak of and that are not there."""
    there = {one.name for one in salvaged}
    for record in run.records:
        if record.salvage and record.salvage not in there:
            yield f"salvage/{record.salvage} of attempt {record.attempt} is not there"


def _unknown_commits(place: RecordsPlace, run: Recorded) -> Iterator[str]:
    """Yield the attempts' commits that the repository does not have; git drops those that no branch holds."""
    if place.repository is None:
        yield f"the commits: {place.why}"
        return
    for record in run.records:
        if record.commit and not has_commit(place.repository, record.commit):
            yield f"the commit {record.commit[:12]} of attempt {record.attempt} is not here"


def _proof(place: RecordsPlace, run: Recorded, progress: Progress) -> Proof | None:
    """Return what came of running the termination gate again, None for a run that claims no DONE."""
    if run.terminal is None or run.terminal.status is not Status.DONE:
        return None
    if place.repository is None:
        return unchecked(place.why)
    path = place.folder.terminal(run.run_id)
    try:
        claim = read_claim(path)
    except ValueError as error:
        return unchecked(str(error))
    desk = Desk(
        repository=place.repository,
        level=load_settings({}).sandbox,
        state=place.folder.root,
        progress=progress,
        redact=place.redact,
    )
    proof = prove(desk, claim)
    note(desk, claim, proof, path)
    return proof
