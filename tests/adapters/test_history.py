"""A thousand runs, counted a second time by a plain loop over the files; what is malformed is named and not used."""

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.adapters.history import read_history
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.core.metrics import measure, metrics_json
from fixloop_bot.model.history import History
from tests.fakes.run_history import Written, write_history

Json = dict[str, Any]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_history(tmp_path_factory.mktemp("state"), runs=1_000, seed=20_260_101)


@pytest.fixture(scope="module")
def history(written: Written) -> History:
    return read_history(StateFolder(written.root))


def loaded(written: Written, pattern: str) -> list[Json]:
    """Return the records that nobody spoiled."""
    paths = [
        path
        for path in sorted(written.root.glob(pattern))
        if str(path.relative_to(written.root)) not in written.spoiled
    ]
    return [json.loads(path.read_text()) for path in paths]


def counted(records: list[Json], ends: list[Json], written: Written) -> Json:
    """Count again, by hand, what these attempts and ends come to."""
    ended = {end["run_id"] for end in ends if end["status"] == "DONE"}
    verdicts = {run: verdicts_of(written, run) for run in ended}
    false = {run for run, found in verdicts.items() if "does-not-hold" in found}
    known = [record["cost_usd"] for record in records if record["cost_usd"] is not None]
    productive = [r for r in records if r["verification_after"]["score"] > r["verification_before"]["score"]]
    lacking = len(records) - len(known)
    return {
        "attempts": len(records),
        "productive": len(productive),
        "repair_productivity": len(productive) / len(records),
        "done": len(ended),
        "done_verified": sum("holds" in found and run not in false for run, found in verdicts.items()),
        "false_completions": len(false),
        "false_completion_rate": len(false) / len(ended),
        "cost_usd": None if lacking else pytest.approx(sum(known)),
        "known_cost_usd": pytest.approx(sum(known)),
        "unknown_costs": lacking,
        "cost_per_success_usd": None if lacking else pytest.approx(sum(known) / len(ended - false)),
    }


def verdicts_of(written: Written, run: str) -> set[str]:
    path = written.root / "runs" / run / "verifications.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {found["verdict"] for found in map(json.loads, lines) if found["record_sha256"] != "0" * 64}


def test_the_metrics_of_a_thousand_runs_are_those_of_a_plain_count(written: Written, history: History) -> None:
    told = metrics_json(measure(history))
    records, ends = loaded(written, "repair/*.json"), loaded(written, "runs/*/terminal.json")
    assert told["overall"] == {"runs": 1_000, **counted(records, ends, written)}
    assert told["overall"]["unknown_costs"] > 50
    assert told["overall"]["false_completions"] > 20


@pytest.mark.parametrize("dimension", ["layer", "failure_mode", "model"])
def test_each_part_counts_its_attempts_and_the_runs_that_had_one(
    written: Written, history: History, dimension: str
) -> None:
    by: dict[str, list[Json]] = defaultdict(list)
    for record in loaded(written, "repair/*.json"):
        by[record[dimension]].append(record)
    ends = loaded(written, "runs/*/terminal.json")
    told = metrics_json(measure(history))["by"][dimension]
    assert list(told) == sorted(by)
    for value, records in by.items():
        runs = {record["run_id"] for record in records}
        own = [end for end in ends if end["run_id"] in runs]
        assert told[value] == {"runs": len(runs), **counted(records, own, written)}, value


@pytest.mark.parametrize("dimension", ["branch", "repository"])
def test_each_branch_and_repository_counts_its_runs(written: Written, history: History, dimension: str) -> None:
    if dimension == "branch":
        of_run = {state["run_id"]: state["branch"] for state in loaded(written, "runs/*/state.json")}
    else:
        with closing(sqlite3.connect(written.root / "run-state.db")) as database:
            of_run = dict(database.execute("SELECT run_id, worktree FROM runs"))
    told = metrics_json(measure(history))["by"][dimension]
    assert set(told) == set(of_run.values())
    records, ends = loaded(written, "repair/*.json"), loaded(written, "runs/*/terminal.json")
    for value in told:
        runs = {run for run, other in of_run.items() if other == value}
        own = [record for record in records if record["run_id"] in runs]
        over = [end for end in ends if end["run_id"] in runs]
        assert told[value] == {"runs": len(runs), **counted(own, over, written)}, value


def test_every_malformed_record_is_named_and_nothing_else(written: Written, history: History) -> None:
    assert {one.path for one in history.malformed} == written.spoiled
    assert len(history.malformed) == len(written.spoiled) > 100
    assert all(one.problem for one in history.malformed)


def test_the_newest_run_comes_first(history: History) -> None:
    ids = [run.run_id for run in history.runs]
    assert ids == sorted(ids, reverse=True)


def test_a_folder_that_is_not_there_has_no_runs_and_is_not_made(tmp_path: Path) -> None:
    assert read_history(StateFolder(tmp_path / "none")) == History()
    assert not (tmp_path / "none").exists()


def test_reading_leaves_nothing_behind(tmp_path: Path) -> None:
    root = write_history(tmp_path, runs=2, seed=1).root
    before = sorted(root.rglob("*"))
    assert len(read_history(StateFolder(root)).runs) == 2
    assert sorted(root.rglob("*")) == before
    assert not list(root.glob("run-state.db-*"))


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        pytest.param("runs/r1/state.json", "{", "not JSON", id="a torn state"),
        pytest.param("runs/r1/state.json", '{"schema": "fixloop.state/9"}', "'fixloop.state/9'", id="a newer state"),
        pytest.param("runs/r1/state.json", '{"schema": "fixloop.state/1"}', "Field required", id="a part of a state"),
        pytest.param("runs/r1/terminal.json", "[]", "schema is not", id="a terminal record that is a list"),
        pytest.param("repair/r1-1.json", "\x00", "not JSON", id="a repair record of zeros"),
    ],
)
def test_a_broken_file_is_named_and_its_run_is_still_listed(tmp_path: Path, path: str, text: str, problem: str) -> None:
    (tmp_path / "runs/r1").mkdir(parents=True)
    (tmp_path / "repair").mkdir()
    (tmp_path / path).write_text(text)
    history = read_history(StateFolder(tmp_path))
    assert [run.run_id for run in history.runs] == ["r1"]
    (malformed,) = history.malformed
    assert malformed.path == path
    assert problem in malformed.problem


def test_a_database_that_is_none_tells_no_repository(tmp_path: Path) -> None:
    root = write_history(tmp_path, runs=1, seed=1).root
    (root / "run-state.db").write_bytes(b"no database at all" * 100)
    (run,) = read_history(StateFolder(root)).runs
    assert run.repository == ""
