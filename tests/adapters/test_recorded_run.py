"""A run as the real writers leave it agrees with itself; whatever is changed afterwards is named."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.adapters.journal import FileJournal
from fixloop_bot.adapters.recorded_run import read_recorded
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.state_folder import StateFolder, open_state_folder
from fixloop_bot.adapters.store import open_store
from fixloop_bot.core.ending import to_terminal
from fixloop_bot.core.record import to_record
from fixloop_bot.core.replay.agree import disagreements
from fixloop_bot.core.replay.tell import judged, replay_json, replay_line
from fixloop_bot.model.agent import AssistantTurn, ModelAlias, ModelReply, ModelRequest, Usage, UserTurn
from fixloop_bot.model.attempt import Attempt, FailureMode, FixCommit, IterationOutcome
from fixloop_bot.model.attempt import Verdict as Judged
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.proof import Proof, Verdict
from fixloop_bot.model.replay import Recorded
from fixloop_bot.model.state import End, LoopState, Phase
from tests.fakes.clock import FakeClock

Json = dict[str, Any]
A, B = "a" * 64, "b" * 64
AT = "2026-11-30T12:00:00Z"
FIRST = Attempt(
    iteration=1,
    layer=Layer.TEST,
    mode=FailureMode.DETERMINISTIC_FAIL,
    model=ModelAlias.SONNET,
    hypothesis="caf\udce9 off by one",
    changed=("a.py",),
    usage=Usage(10, 20, 30, 40),
    cost_usd=0.5,
    hash_before=A,
    hash_after=B,
    score_before=0.5,
    score_after=0.5,
    failing_before=("test: t_1",),
    failing_after=("test: t_2",),
    verdict=Judged.REGRESSION,
    salvage="r1-1",
)
SECOND = replace(
    FIRST,
    iteration=2,
    model=ModelAlias.OPUS,
    hash_after="",
    score_after=1.0,
    failing_after=(),
    verdict=Judged.CLEAN,
    outcome=IterationOutcome.DONE,
    commit="c" * 40,
    salvage=None,
)
STATE = LoopState(
    run_id="r1",
    story_id="S-1",
    branch="main",
    phase=Phase.ENDED,
    started_at=1e9,
    start_commit="0" * 40,
    head="c" * 40,
    iteration_count=2,
    error_hash_trail=(A, B),
    error_hash_counts={A: 1, B: 1},
    attempts=(FIRST, SECOND),
    iteration_costs=(0.5, 0.5),
    total_cost_usd=1.0,
    fix_commits=(FixCommit(layer=Layer.TEST, commit="c" * 40, iteration=2),),
    end=End(
        status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET, breaker=Breaker.BUDGET, reason="out of dollars"
    ),
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with one whole run."""
    folder = open_state_folder(tmp_path_factory.mktemp("written") / "state")
    journal = FileJournal(folder.receipts("r1"), folder.receipts("r1").with_suffix(".transcript"), FakeClock())
    for attempt in STATE.attempts:
        for turn in (1, 2):
            request = ModelRequest(
                model=attempt.model,
                system="s",
                turns=(UserTurn("x"),),
                max_tokens=1,
                deadline=1.0,
                key=f"{attempt.iteration}.{turn}",
            )
            journal.begin(request, 1.0)
            journal.finish(
                request,
                ModelReply(turn=AssistantTurn(""), usage=Usage(5, 10, 15, 20), model_id="m", cost_usd=0.25),
            )
    with open_store(folder.database) as store:
        records = FileRecords(folder, store, worktree="/w", redact=str)
        for attempt in STATE.attempts:
            records.attempt(STATE, attempt, to_record(STATE, attempt, created_at=AT))
        records.salvage("r1-1", b"patch", {"run_id": "r1", "base": "0" * 40})
        records.terminal(STATE, to_terminal(STATE, terminated_at=AT))
        records.save(STATE)
    return folder.root


@pytest.fixture
def root(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "state"))


def recorded(root: Path) -> Recorded:
    run = read_recorded(StateFolder(root), "r1")
    assert run is not None
    return run


def test_what_the_writers_left_agrees(root: Path) -> None:
    run = recorded(root)
    assert disagreements(run) == ()
    assert (len(run.records), len(run.receipts), len(run.runlog)) == (2, 8, 3)
    assert replay_line(judged(run, ())) == (
        "HOLDS: run r1: 2 repair records, 8 receipts, 3 log lines, 5 database rows agree; the run claims no DONE."
    )


def test_a_run_that_is_not_there_is_none(root: Path) -> None:
    assert read_recorded(StateFolder(root), "r2") is None
    assert read_recorded(StateFolder(root / "none"), "r1") is None
    assert not (root / "none").exists()


def edited(path: str, change: Callable[[Json], object]) -> Callable[[Path], None]:
    """Return a forgery of one JSON file."""

    def forge(root: Path) -> None:
        place = root / path
        value = json.loads(place.read_text())
        change(value)
        place.write_text(json.dumps(value))

    return forge


def gone(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).unlink()


def lines(path: str, change: Callable[[list[str]], object]) -> Callable[[Path], None]:
    """Return a forgery of a file's lines."""

    def forge(root: Path) -> None:
        kept = (root / path).read_text().splitlines()
        change(kept)
        (root / path).write_text("\n".join(kept) + "\n")

    return forge


def sql(statement: str) -> Callable[[Path], None]:
    """Return a forgery of the database."""

    def forge(root: Path) -> None:
        with closing(sqlite3.connect(root / "run-state.db")) as database, database:
            database.execute(statement)

    return forge


RECEIPTS, FIRST_FILE, STATE_FILE = "receipts/r1.jsonl", "repair/r1-1.json", "runs/r1/state.json"


def costly(kept: list[str]) -> None:
    kept[1] = kept[1].replace('"cost_usd": 0.25', '"cost_usd": 0.01')


FORGED: dict[str, tuple[Callable[[Path], None], str]] = {
    "a hypothesis that was written anew": (
        edited(FIRST_FILE, lambda r: r.update(hypothesis="I knew it")), "repair/r1-1.json: hypothesis is I knew it",
    ),
    "a better score": (
        edited(FIRST_FILE, lambda r: (r["verification_after"].update(score=0.9), r.update(productive=True))),
        "repair/r1-1.json: verification_after is",
    ),
    "a flag that disagrees with the scores": (
        edited(FIRST_FILE, lambda r: r.update(productive=True)), "productive disagrees with the scores",
    ),
    "a cheaper attempt": (
        edited(FIRST_FILE, lambda r: r.update(cost_usd=0.01)), "attempt 1 cost $0.500000 by its receipts",
    ),
    "an attempt whose cost is said to be unknown": (
        edited(FIRST_FILE, lambda r: r.update(cost_usd=None)), "state.json calls the cost known",
    ),
    "another failure": (
        edited(FIRST_FILE, lambda r: r.update(error_hash="d" * 64)), "the run has not seen the error hash dddddddddddd",
    ),
    "an error hash that is none": (
        edited(FIRST_FILE, lambda r: r.update(error_hash="x")), "error_hash is x, which is no SHA-256",
    ),
    "an attempt that vanished": (gone(FIRST_FILE), "repair/r1-1.json is not there"),
    "a last attempt that vanished": (gone("repair/r1-2.json"), "repair/r1-2.json is not there"),
    "a receipt that vanished": (lines(RECEIPTS, lambda kept: kept.pop(1)), "of attempt 1 a call is missing"),
    "a call whose start vanished": (lines(RECEIPTS, lambda kept: kept.pop(0)), "the call 1.1 ends and was never"),
    "a call that vanished": (
        lines(RECEIPTS, lambda kept: (kept.pop(0), kept.pop(0))), "of attempt 1 a call is missing",
    ),
    "all receipts gone": (gone(RECEIPTS), "attempt 1 has no receipt"),
    "a cheaper call": (lines(RECEIPTS, costly), "attempt 1 cost $0.260000 by its receipts"),
    "a receipt that is none": (lines(RECEIPTS, lambda kept: kept.append("{}")), "a line is no receipt"),
    "a cheaper run": (
        edited(STATE_FILE, lambda s: s.update(total_cost_usd=0.1)), "the run cost $0.100000, its attempts add up to",
    ),
    "fewer attempts counted": (
        edited(STATE_FILE, lambda s: s.update(iteration_count=1)), "state.json counts 1 attempts and holds 2",
    ),
    "a hash that is counted once too often": (
        edited(STATE_FILE, lambda s: s["error_hash_counts"].update({A: 2})), "counts error hashes otherwise",
    ),
    "a state of another run": (edited(STATE_FILE, lambda s: s.update(run_id="r9")), "it is of the run r9"),
    "no state": (gone(STATE_FILE), "runs/r1/state.json is not there"),
    "a torn state": (lines(STATE_FILE, lambda kept: kept.pop()), "state.json: not JSON"),
    "an end of another kind": (
        edited("runs/r1/terminal.json", lambda t: t.update(state="FailedSafety")), "json: state is FailedSafety",
    ),
    "an end that calls itself DONE": (
        edited("runs/r1/terminal.json", lambda t: t.update(state="Succeeded", status="DONE")), "Succeeded needs every",
    ),
    "no end": (gone("runs/r1/terminal.json"), "but state.json tells of an end as FailedBudget"),
    "a row with another cost": (
        sql("UPDATE fix_iterations SET cost_usd = 0.1 WHERE iteration = 1"), "of attempt 1: cost_usd is 0.1",
    ),
    "a row with fewer tokens": (
        sql("UPDATE fix_iterations SET input_tokens = 1 WHERE iteration = 2"), "attempt 2: input_tokens is 1",
    ),
    "a row that vanished": (sql("DELETE FROM attempts WHERE iteration = 1"), "attempts of attempt 1 is missing"),
    "a row too many": (
        sql("INSERT INTO fix_iterations SELECT run_id, story_id, 9, model, 1, 1, 1, 1.0, '', 'test', 'done', created_at"
            " FROM fix_iterations LIMIT 1"),
        "fix_iterations has an attempt 9 without a record",
    ),
    "a verdict in the database": (
        sql("UPDATE attempts SET verdict = 'clean' WHERE iteration = 1"), "attempts of attempt 1: verdict is clean",
    ),
    "a run that the database calls DONE": (sql("UPDATE runs SET status = 'DONE'"), "runs: status is DONE"),
    "a database that forgot the run": (sql("DELETE FROM fix_iterations"), "fix_iterations of attempt 1 is missing"),
    "no database": (gone("run-state.db"), "run-state.db is not there"),
    "a log line that vanished": (lines("RUNLOG.md", lambda kept: kept.pop(-2)), "RUNLOG.md has no lines of attempt 2"),
    "a log line with another cost": (
        lines("RUNLOG.md", lambda kept: kept.append(kept.pop(-2).replace("$0.50", "$0.05"))),
        "RUNLOG.md tells attempt 2",
    ),
    "a last line with another end": (
        lines("RUNLOG.md", lambda kept: kept.append(kept.pop().replace("Failed", "Not"))),
        "RUNLOG.md tells the run's end",
    ),
    "two ends": (lines("RUNLOG.md", lambda kept: kept.append(kept[-1])), "RUNLOG.md tells the run's end"),
    "no log": (gone("RUNLOG.md"), "RUNLOG.md has no lines of attempt 1"),
}  # fmt: skip


@pytest.mark.parametrize(("forge", "said"), FORGED.values(), ids=FORGED)
def test_a_forged_folder_is_told_of(root: Path, forge: Callable[[Path], None], said: str) -> None:
    forge(root)
    run = recorded(root)
    differs = disagreements(run)
    assert differs, "nothing was found"
    assert said in "\n".join(differs), differs
    replay = judged(run, differs)
    assert replay.verdict is Verdict.BROKEN
    assert replay_line(replay).startswith("DOES NOT HOLD: run r1: ")
    assert replay_json(replay)["why"] == list(differs)


def test_a_line_that_a_crash_cut_off_is_no_forgery(root: Path) -> None:
    with (root / RECEIPTS).open("a") as file:
        file.write('{"outcome": "star')
    assert disagreements(recorded(root)) == ()


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_done_is_as_good_as_its_proof(verdict: Verdict) -> None:
    end = End(status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET, reason="x")
    terminal = to_terminal(replace(STATE, end=end), terminated_at=AT)
    done = replace(
        terminal, state=TerminalState.SUCCEEDED, status=Status.DONE, criteria_met={"x": True}, evidence=("x",)
    )
    run = Recorded(run_id="r1", terminal=done)
    assert judged(run, (), proof=Proof(verdict=verdict, why=("w",))).verdict is verdict
    assert judged(run, ("it differs",), proof=None).verdict is Verdict.BROKEN
