"""What is written down: once, whole, without secrets, and enough to go on from."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from fixloop_bot.adapters.records import FileRecords, TerminalConflictError
from fixloop_bot.adapters.repair_record import read_record
from fixloop_bot.adapters.state_folder import StateFolder, open_state_folder
from fixloop_bot.adapters.store import Store, open_store
from fixloop_bot.core.redact import redactor
from fixloop_bot.model.agent import ModelAlias, Usage
from fixloop_bot.model.attempt import Attempt, FailureMode, IterationOutcome
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.learning import Approach, Lesson
from fixloop_bot.model.outcome import Status, Terminal, TerminalState
from fixloop_bot.model.state import End, LoopState
from tests.adapters.test_repair_record import RECORD

SECRET = "hunter2-hunter2"
STATE = LoopState(run_id="r1", story_id="S-1", branch="feat(x)-#1", start_commit="c0", head="c0", started_at=1e9)
ATTEMPT = Attempt(
    iteration=1,
    layer=Layer.TEST,
    mode=FailureMode.DETERMINISTIC_FAIL,
    model=ModelAlias.SONNET,
    usage=Usage(100, 20, 5, 2),
    cost_usd=0.04,
    outcome=IterationOutcome.DONE,
)
TERMINAL = Terminal(
    run_id="r1",
    state=TerminalState.SUCCEEDED,
    status=Status.DONE,
    reason="All validation layers passed.",
    criteria_met={"test": True},
    evidence=("c1: pytest exited 0",),
    false_completion=False,
    iteration_id="r1-1",
    terminated_at="2026-01-01T00:00:00Z",
)


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return open_state_folder(tmp_path / "state")


@pytest.fixture
def store(folder: StateFolder) -> Iterator[Store]:
    with open_store(folder.database) as opened:
        yield opened


@pytest.fixture
def records(folder: StateFolder, store: Store) -> FileRecords:
    return FileRecords(folder, store, worktree="/w", redact=redactor([SECRET]))


def rows(folder: StateFolder, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder.database)) as connection:
        return connection.execute(sql).fetchall()


def everything_written(folder: StateFolder) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.root.rglob("*")) if path.is_file())


def test_a_run_is_found_again_as_it_was_saved(records: FileRecords, store: Store) -> None:
    assert records.load("r1") is None
    for head in ("c0", "c1"):
        records.save(replace(STATE, head=head))
    assert store.unfinished_run("/w") == "r1"
    assert records.load("r1") == replace(STATE, head="c1")


def test_an_attempt_written_twice_is_there_once(folder: StateFolder, records: FileRecords) -> None:
    for _ in range(2):
        records.attempt(STATE, ATTEMPT, RECORD)
    assert rows(folder, "SELECT * FROM fix_iterations") == [
        ("r1", "S-1", 1, "sonnet", 100, 20, 7, 0.04, "ab" * 32, "test", "done", "2026-01-01T00:00:00Z")
    ]
    assert rows(folder, "SELECT branch, layer, productive, commit_id FROM attempts") == [
        ("feat(x)-#1", "test", 1, "c" * 40)
    ]
    assert folder.runlog.read_text() == (
        "# Run log\n\n- 2026-01-01T00:00:00Z `r1-1` test deterministic-fail sonnet productive 0.50 → 1.00 $0.04"
        " cccccccccccc off by one\n"
    )
    assert read_record(folder.record("r1-1")) == RECORD


def test_an_unknown_cost_is_written_as_unknown(folder: StateFolder, records: FileRecords) -> None:
    records.attempt(STATE, replace(ATTEMPT, cost_usd=None), replace(RECORD, cost_usd=None))
    assert rows(folder, "SELECT cost_usd FROM fix_iterations") == [(None,)]
    assert "cost unknown" in folder.runlog.read_text()


def test_the_end_is_written_once(folder: StateFolder, store: Store, records: FileRecords) -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs" / "terminal.schema.json").read_text())
    records.save(STATE)
    records.terminal(STATE, TERMINAL)
    first = folder.terminal("r1").read_bytes()
    jsonschema.Draft202012Validator(schema).validate(json.loads(first))
    records.terminal(STATE, replace(TERMINAL, terminated_at="2026-02-02T00:00:00Z"))
    blocked = replace(TERMINAL, state=TerminalState.FAILED_BUDGET, status=Status.BLOCKED)
    with pytest.raises(TerminalConflictError, match="says DONE"):
        records.terminal(STATE, blocked)
    records.save(STATE)

    assert folder.terminal("r1").read_bytes() == first
    assert store.unfinished_run("/w") is None
    assert rows(folder, "SELECT status, terminal_state, ended_at FROM runs") == [
        ("DONE", "Succeeded", "2026-01-01T00:00:00Z")
    ]
    assert [path.name for path in folder.terminal("r1").parent.iterdir() if path.name != "state.json"] == [
        "terminal.json"
    ]


def test_a_run_that_waits_has_not_ended(folder: StateFolder, store: Store, records: FileRecords) -> None:
    records.save(replace(STATE, end=End(status=Status.NEED_DECISION, terminal=None)))
    assert store.unfinished_run("/w") == "r1"
    assert rows(folder, "SELECT status FROM runs") == [("NEED_DECISION",)]


def test_the_terminal_schema_refuses_a_success_without_proof() -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs" / "terminal.schema.json").read_text())
    sound = {
        "schema": "fixloop.terminal/1", "run_id": "r", "state": "Succeeded", "status": "DONE", "reason": "",
        "criteria_met": {"test": True}, "evidence": ["e"], "false_completion": False, "iteration_id": None,
        "terminated_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(sound)
    refused: tuple[dict[str, object], ...] = (
        {"criteria_met": {"test": False}}, {"criteria_met": {}}, {"evidence": []}, {"evidence": ["e", "e"]},
        {"false_completion": True}, {"status": "BLOCKED"}, {"status": "NEED_DECISION"}, {"state": "FailedBudget"},
        {"more": 1},
    )  # fmt: skip
    for change in refused:
        assert not validator.is_valid({**sound, **change}), change


def test_a_salvage_keeps_the_patch_byte_for_byte(folder: StateFolder, records: FileRecords) -> None:
    patch = b"diff --git a/x b/x\r\n+caf\xe9\r\n\0"
    records.salvage("r1-1", patch, {"base": "c0", "why": "regression"})
    assert (folder.salvage("r1-1") / "change.patch").read_bytes() == patch
    assert json.loads((folder.salvage("r1-1") / "manifest.json").read_text()) == {"base": "c0", "why": "regression"}


def test_every_salvage_is_told_once_in_the_recovery_log(folder: StateFolder, records: FileRecords) -> None:
    manifest: dict[str, object] = {
        "created_at": "2026-01-01T00:00:00Z", "run_id": "r1", "attempt": 1, "why": "worse", "base": "b", "head": "h",
    }  # fmt: skip
    for patch in (b"one", b"one", b"two"):  # told again after a kill, then another of the same name
        records.salvage("r1-unfinished", patch, manifest)
    title, _, *lines = folder.recovery_log.read_text().splitlines()
    assert title == "# Recovery log"
    assert [line.partition(") ")[2].partition(".")[0] for line in lines] == ["run r1, attempt 1: worse"] * 2


def test_a_run_that_gave_up_says_so_once_in_the_run_log(folder: StateFolder, records: FileRecords) -> None:
    end = End(status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET, reason=SECRET)
    state = replace(STATE, end=end)
    blocked = replace(TERMINAL, state=TerminalState.FAILED_BUDGET, status=Status.BLOCKED, reason=SECRET)
    for _ in range(2):
        records.terminal(state, blocked)
    lines = folder.runlog.read_text().splitlines()[2:]
    assert lines == ["- 2026-01-01T00:00:00Z `r1-stop` stop stopped FailedBudget stands on ***"]


def test_what_is_learned_holds_no_secret(folder: StateFolder, records: FileRecords) -> None:
    approach = Approach(branch=SECRET, layer="test", start_commit="c", failure_mode="x", hypotheses=(SECRET,))
    records.learn(STATE, [Lesson(pattern=f"p {SECRET}", evidence=SECRET)], approach, at="2026-01-01T00:00:00Z")
    assert "p ***" in folder.learnings.read_text()
    assert SECRET.encode() not in everything_written(folder)


def test_no_secret_is_written_anywhere(folder: StateFolder, records: FileRecords) -> None:
    state = replace(STATE, branch=SECRET, error_context=f"key {SECRET}")
    records.save(state)
    records.attempt(state, ATTEMPT, replace(RECORD, hypothesis=SECRET, repair_action=f'"{SECRET}"'))
    records.salvage("s", f"+{SECRET}\n".encode(), {SECRET: [SECRET]})
    evidence = (f"a {SECRET}", "a ***")
    records.terminal(state, replace(TERMINAL, reason=SECRET, evidence=evidence))

    assert SECRET.encode() not in everything_written(folder)
    assert json.loads(folder.terminal("r1").read_text())["evidence"] == ["a ***"]


FULL = """
import resource, signal, sys
from pathlib import Path
from tests.adapters.test_records import *
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = open_state_folder(Path(sys.argv[1]))
with open_store(folder.database) as store:
    records = FileRecords(folder, store, worktree="/w", redact=str)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
    for write in (
        lambda: records.save(replace(STATE, head="c9")),
        lambda: records.attempt(STATE, ATTEMPT, RECORD),
        lambda: records.terminal(STATE, replace(TERMINAL, reason="x" * 400)),
        lambda: records.salvage("s", b"x" * 400, {}),
    ):
        try:
            write()
        except OSError as error:
            print(type(error).__name__)
"""


def test_a_full_disk_is_an_error_and_tears_nothing(folder: StateFolder, store: Store, records: FileRecords) -> None:
    records.save(STATE)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(folder.root)], cwd=root, capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == ["OSError"] * 4
    assert records.load("r1") == STATE
    assert store.unfinished_run("/w") == "r1"
    assert not list(folder.root.rglob(".*")) + list(folder.root.rglob("*.draft"))
    assert not folder.terminal("r1").exists()
    assert not folder.record("r1-1").exists()
    assert not (folder.salvage("s") / "change.patch").exists()
