"""Where a run is written down: state, repair records, the log, the database, and the one terminal record."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fixloop_bot.adapters.codec import decode, dump_state, encode, load_state, to_json_value
from fixloop_bot.adapters.files import sync_folder, write_durably
from fixloop_bot.adapters.learnings_file import update_learnings
from fixloop_bot.adapters.repair_record import record_json
from fixloop_bot.adapters.runlog import append_once
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.store import Store
from fixloop_bot.core.learn import merged
from fixloop_bot.core.logs import attempt_line, recovery_line, recovery_mark, stop_line, stop_mark
from fixloop_bot.core.redact import redact_json
from fixloop_bot.model.attempt import Attempt
from fixloop_bot.model.learning import Approach, Lesson, Seen
from fixloop_bot.model.outcome import Status, Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState


class TerminalConflictError(Exception):
    """A run that has ended is told to end in another way."""


class FileRecords:
    """The `Records` port over a state folder and its database. All text passes `redact` first."""

    def __init__(self, folder: StateFolder, store: Store, *, worktree: str, redact: Callable[[str], str]) -> None:
        """Write down runs on `worktree` (absolute)."""
        self._folder = folder
        self._store = store
        self._worktree = worktree
        self._redact = redact

    def save(self, state: LoopState) -> None:
        """Write `state.json`, then the run's row."""
        text = dump_state(state, redact=self._redact)
        write_durably(self._folder.state(state.run_id), text.encode())
        if not self._folder.terminal(state.run_id).exists():
            self._put({"runs": self._run_row(state, ended_at=None)})

    def load(self, run_id: str) -> LoopState | None:
        """Return the state that was last saved, None if there is none; raises `CodecError` for a broken one."""
        path = self._folder.state(run_id)
        return load_state(path.read_bytes()) if path.exists() else None

    def attempt(self, state: LoopState, attempt: Attempt, record: RepairRecord) -> None:
        """Write the repair record, the database rows and the RUNLOG line of a finished attempt; idempotent."""
        value = redact_json(record_json(record), self._redact)
        value["evidence"] = list(dict.fromkeys(value["evidence"]))
        write_durably(self._folder.record(record.iteration_id), encode(value).encode())
        rows = {
            "runs": self._run_row(state, ended_at=None),
            "fix_iterations": _iteration_row(state, attempt, record),
            "attempts": _attempt_row(state, attempt, record),
        }
        self._put(rows)
        line = self._redact(attempt_line(replace(record, hypothesis=self._redact(record.hypothesis))))
        append_once(self._folder.runlog, line, mark=f"`{record.iteration_id}`", title="Run log")

    def note_created(self, run_id: str, path: str) -> None:
        """Note a file that the agent is about to make."""
        known = (*self.created(run_id), path)
        write_durably(self._created(run_id), encode(list(dict.fromkeys(known))).encode())

    def created(self, run_id: str) -> tuple[str, ...]:
        """Return the files that the agent was about to make in this run."""
        place = self._created(run_id)
        return decode(place.read_bytes(), tuple[str, ...]) if place.exists() else ()

    def _created(self, run_id: str) -> Path:
        return self._folder.state(run_id).with_name("created.json")

    def salvage(self, name: str, patch: bytes, manifest: Mapping[str, object]) -> None:
        """Keep a patch under `salvage/<name>/`; the manifest, written after it, tells that it is whole.

        The recovery log gets one line for it.
        """
        folder = self._folder.salvage(name)
        kept = self._redact(patch.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        write_durably(folder / "change.patch", kept)
        write_durably(folder / "manifest.json", encode(dict(manifest), redact=self._redact).encode())
        digest = hashlib.sha256(kept).hexdigest()
        line = self._redact(recovery_line(name, digest, redact_json(dict(manifest), self._redact)))
        append_once(self._folder.recovery_log, line, mark=recovery_mark(name, digest), title="Recovery log")

    def keep_commits(self, run_id: str, bundle: bytes) -> None:
        """Keep the commits that a waiting run stands on."""
        if bundle:
            write_durably(self._commits(run_id), bundle)

    def kept_commits(self, run_id: str) -> bytes:
        """Return what was kept, empty for nothing."""
        place = self._commits(run_id)
        return place.read_bytes() if place.exists() else b""

    def _commits(self, run_id: str) -> Path:
        return self._folder.state(run_id).with_name("commits.pack")

    def terminal(self, state: LoopState, terminal: Terminal) -> None:
        """Write `terminal.json` and close the run; again, with another time alone, changes nothing.

        Raises `TerminalConflictError` if the run already ended in another way.
        """
        path = self._folder.terminal(state.run_id)
        value = redact_json(to_json_value(terminal), self._redact)
        text = encode({**value, "evidence": list(dict.fromkeys(value["evidence"]))})
        decode(text, Terminal)
        if not _write_first(path, text.encode()):
            written = decode(path.read_bytes(), Terminal)
            if replace(written, terminated_at="") != replace(decode(text, Terminal), terminated_at=""):
                raise TerminalConflictError(f"{path} says {written.status} ({written.state}), not {terminal.status}")
            terminal = written
        row = self._run_row(state, ended_at=terminal.terminated_at)
        self._put({"runs": {**row, "status": terminal.status.value, "terminal_state": terminal.state.value}})
        if line := stop_line(state, terminal):
            append_once(self._folder.runlog, self._redact(line), mark=stop_mark(state.run_id), title="Run log")

    def learn(self, state: LoopState, lessons: Sequence[Lesson], approach: Approach | None, *, at: str) -> None:
        """Merge what a run has learned into `learnings.yaml`; a broken one is kept aside and started anew."""
        seen = Seen(state.run_id, at)
        new = [replace(one, pattern=self._redact(one.pattern), evidence=self._redact(one.evidence)) for one in lessons]
        told = approach and decode(encode(to_json_value(approach), redact=self._redact), Approach)
        update_learnings(self._folder.learnings, lambda known: merged(known, new, told, seen))

    def close_ended(self, run_id: str) -> bool:
        """Close the row of a run whose `terminal.json` stands but which was killed before; return whether it does.

        Raises `CodecError` where its files cannot be read.
        """
        path, state = self._folder.terminal(run_id), self.load(run_id)
        if state is None or not path.exists():
            return False
        terminal = decode(path.read_bytes(), Terminal)
        row = self._run_row(state, ended_at=terminal.terminated_at)
        self._put({"runs": {**row, "status": terminal.status.value, "terminal_state": terminal.state.value}})
        return True

    def _put(self, rows: Mapping[str, Mapping[str, object]]) -> None:
        self._store.put({table: redact_json(dict(row), self._redact) for table, row in rows.items()})

    def _run_row(self, state: LoopState, *, ended_at: str | None) -> dict[str, object]:
        waiting = state.end is not None and state.end.status is Status.NEED_DECISION
        return {
            "run_id": state.run_id,
            "worktree": self._worktree,
            "branch": state.branch,
            "story_id": state.story_id,
            "status": "NEED_DECISION" if waiting else "RUNNING",
            "terminal_state": None,
            "start_commit": state.start_commit,
            "head": state.head,
            "iterations": state.iteration_count,
            "cost_usd": None if state.cost_unknown else state.total_cost_usd,
            "started_at": datetime.fromtimestamp(state.started_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "ended_at": ended_at,
        }


def _iteration_row(state: LoopState, attempt: Attempt, record: RepairRecord) -> dict[str, object]:
    usage = attempt.usage
    return {
        "run_id": state.run_id,
        "story_id": state.story_id,
        "iteration": attempt.iteration,
        "model": record.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_tokens": usage.cache_read_tokens + usage.cache_write_tokens,
        "cost_usd": attempt.cost_usd,
        "error_hash": record.error_hash,
        "failing_layer": attempt.layer.value,
        "outcome": attempt.outcome.value,
        "created_at": record.created_at,
    }


def _attempt_row(state: LoopState, attempt: Attempt, record: RepairRecord) -> dict[str, object]:
    return {
        "run_id": state.run_id,
        "iteration": attempt.iteration,
        "branch": state.branch,
        "layer": attempt.layer.value,
        "start_commit": state.start_commit,
        "failure_mode": record.failure_mode,
        "hypothesis": record.hypothesis,
        "score_before": record.verification_before.score,
        "score_after": record.verification_after.score,
        "productive": int(record.productive),
        "verdict": record.verdict,
        "commit_id": record.commit,
        "created_at": record.created_at,
    }


def _write_first(path: Path, content: bytes) -> bool:
    """Write a whole file that must not exist yet; return False, with nothing changed, if it does."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    write_durably(draft, content)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    sync_folder(path.parent)
    return True
