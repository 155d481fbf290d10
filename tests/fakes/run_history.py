"""A state folder full of runs, made from a seed: sound records, and some that are spoiled in every known way."""

import hashlib
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import dump_state
from fixloop_bot.adapters.store import open_store
from fixloop_bot.model.outcome import TerminalState
from fixloop_bot.model.state import LoopState

Json = dict[str, Any]
LAYERS = ("compile", "lint", "test")
MODES = ("deterministic-fail", "regression", "flaky")
MODELS = ("sonnet", "opus")
BRANCHES = ("main", "fix/totals", 'release/<1>&"2"')
REPOSITORIES = ("/srv/shop", "/srv/web")
ENDS = tuple(state.value for state in TerminalState if state is not TerminalState.SUCCEEDED)

SPOIL_RECORD: tuple[Callable[[Json], object], ...] = (
    lambda record: record.pop("failure_mode"),
    lambda record: record["verification_after"].update(score=True),
    lambda record: record["verification_after"].update(score=1.5),
    lambda record: record.update(productive=not record["productive"]),
    lambda record: record.update(confidence=0.99),
    lambda record: record.update(created_at="last Tuesday"),
    lambda record: record.update(cost_usd=-1),
    lambda record: record.update(iteration_id=record["iteration_id"] + "-copy"),
)
SPOIL_TERMINAL: tuple[Callable[[Json], object], ...] = (
    lambda record: record.update(evidence=[]),
    lambda record: record.update(criteria_met={"termination_gate_passed": False}),
    lambda record: record.update(false_completion=True),
    lambda record: record.update(evidence=["commit", "commit"]),
    lambda record: record.update(run_id="somebody-else"),
)


@dataclass
class Written:
    """What was written: which records are spoiled, by their path below the state folder."""

    root: Path
    spoiled: set[str] = field(default_factory=set)
    made: set[Path] = field(default_factory=set)

    def put(self, path: str, value: Json, *, spoiled: bool = False) -> None:
        """Write a record."""
        place = self.root / path
        if place.parent not in self.made:
            place.parent.mkdir(parents=True, exist_ok=True)
            self.made.add(place.parent)
        place.write_text(json.dumps(value), encoding="utf-8")
        if spoiled:
            self.spoiled.add(path)


def write_history(root: Path, *, runs: int, seed: int) -> Written:
    """Fill a state folder; the same seed gives the same."""
    chance, written = random.Random(seed), Written(root)
    base = json.loads(dump_state(LoopState(run_id="base")))
    rows = []
    for number in range(runs):
        run_id = f"20260101T{number:06d}-{chance.getrandbits(32):08x}"
        rows.append((run_id, chance.choice(REPOSITORIES)))
        state = base | {"started_at": 1.7e9 + number * 60}
        _write_run(written, run_id, state, chance, attempts=chance.randrange(6))
    _write_database(root, rows)
    return written


def write_long_run(root: Path, *, attempts: int, seed: int) -> str:
    """Write one run with so many attempts, none of them spoiled, and return its id."""
    run_id, written, chance = "long-run", Written(root), random.Random(seed)
    base = json.loads(dump_state(LoopState(run_id="base", started_at=1.7e9)))
    _write_run(written, run_id, base, chance, attempts=attempts, spoil=0.0)
    _write_database(root, [(run_id, REPOSITORIES[0])])
    return run_id


def _write_run(
    written: Written, run_id: str, state: Json, chance: random.Random, *, attempts: int, spoil: float = 0.05
) -> None:
    made = [_record(run_id, number, chance) for number in range(1, attempts + 1)]
    for record in made:
        spoiled = chance.random() < spoil
        path = f"repair/{record['iteration_id']}.json"
        if spoiled:
            chance.choice(SPOIL_RECORD)(record)
        written.put(path, record, spoiled=spoiled)
    unknown = any(record["cost_usd"] is None for record in made)
    changes = {
        "run_id": run_id,
        "branch": chance.choice(BRANCHES),
        "iteration_count": len(made),
        "total_cost_usd": sum(record["cost_usd"] or 0.0 for record in made),
        "cost_unknown": unknown,
        "error_hash_trail": [f"{chance.randrange(4):064x}"],
    }
    written.put(f"runs/{run_id}/state.json", state | changes)
    if chance.random() < 0.85:
        _write_end(written, run_id, chance)


def _record(run_id: str, number: int, chance: random.Random) -> Json:
    before, after = chance.randrange(0, 10) / 12, chance.randrange(0, 13) / 12
    return {
        "schema": "fixloop.repair-record/1",
        "iteration_id": f"{run_id}-{number}",
        "run_id": run_id,
        "story_id": "S-1",
        "attempt": number,
        "layer": chance.choice(LAYERS),
        "failure_mode": chance.choice(MODES),
        "model": chance.choice(MODELS),
        "hypothesis": "a <script>alert(1)</script> of an hypothesis",
        "repair_action": "changed it",
        "verification_before": {"status": "fail", "failing": ["test: t"], "score": before},
        "verification_after": {"status": "fail", "failing": ["test: t"], "score": after},
        "remaining_delta": ["test: t"],
        "productive": after > before,
        "cost_usd": None if chance.random() < 0.04 else chance.randrange(1, 4000) / 10_000,
        "error_hash": f"{chance.randrange(4):064x}",
        "commit": None,
        "diff_stat": "",
        "verdict": _verdict(before, after, chance),
        "created_at": "2026-01-01T00:00:00Z",
    }


def _verdict(before: float, after: float, chance: random.Random) -> str:
    if after == before:
        return chance.choice(("same", "changed", "refused"))
    return "regression" if after < before else "clean" if after == 1 else "progress"


def _write_end(written: Written, run_id: str, chance: random.Random) -> None:
    done = chance.random() < 0.7
    record: Json = {
        "schema": "fixloop.terminal/1",
        "run_id": run_id,
        "state": "Succeeded" if done else chance.choice(ENDS),
        "status": "DONE" if done else "BLOCKED",
        "reason": "it ended",
        "criteria_met": {"termination_gate_passed": done},
        "evidence": ["commit " + "a" * 40, "test: [.] pytest -> exit 0"],
        "false_completion": False,
        "iteration_id": None,
        "terminated_at": "2026-01-01T01:00:00Z",
    }
    spoiled = done and chance.random() < 0.05
    if spoiled:
        chance.choice(SPOIL_TERMINAL)(record)
    path = f"runs/{run_id}/terminal.json"
    written.put(path, record, spoiled=spoiled)
    if done and not spoiled and chance.random() < 0.5:
        _write_findings(written, run_id, chance)


def _write_findings(written: Written, run_id: str, chance: random.Random) -> None:
    folder = written.root / "runs" / run_id
    sha256 = hashlib.sha256((folder / "terminal.json").read_bytes()).hexdigest()
    lines: list[str] = []
    for _ in range(chance.randrange(1, 4)):
        verdict = chance.choice(("holds", "holds", "holds", "does-not-hold", "cannot-be-checked"))
        about = sha256 if chance.random() < 0.9 else "0" * 64
        line = {
            "schema": "fixloop.verification/1", "run_id": run_id, "commit": "a" * 40, "record_sha256": about,
            "verdict": verdict, "why": [], "at": "2026-01-02T00:00:00Z",
        }  # fmt: skip
        if chance.random() < 0.05:
            line["verdict"] = "splendid"
            written.spoiled.add(f"runs/{run_id}/verifications.jsonl:{len(lines) + 1}")
        lines.append(json.dumps(line))
    (folder / "verifications.jsonl").write_text("\n".join(lines) + "\n")


def _write_database(root: Path, rows: list[tuple[str, str]]) -> None:
    path = root / "run-state.db"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.executemany(
            "INSERT INTO runs VALUES (?, ?, '', '', 'RUNNING', NULL, '', '', 0, 0.0, '2026-01-01T00:00:00Z', NULL)",
            rows,
        )
