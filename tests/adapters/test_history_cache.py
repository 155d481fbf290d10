"""The cache tells the same as reading everything, whatever changes, and reads nothing twice."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.history import read_history
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.origin_record import write_origin
from fixloop_bot.adapters.state_folder import StateFolder
from tests.entrypoints.dashboard_folder import origin_of, question, wait
from tests.fakes.run_history import write_history, write_long_run


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(write_history(tmp_path, runs=40, seed=5).root)


def same(cache: HistoryCache) -> None:
    """Hold the cache against a whole reading."""
    told, known = cache.read(), read_history(cache.folder)
    assert told.runs == known.runs
    assert set(told.malformed) == set(known.malformed)


def test_it_tells_what_a_whole_reading_tells(folder: StateFolder) -> None:
    cache = HistoryCache(folder)
    same(cache)
    assert cache.read().malformed
    assert cache.read() is cache.read()


def test_every_change_is_seen(folder: StateFolder) -> None:
    cache = HistoryCache(folder)
    before = cache.read()
    ended = next(run for run in before.runs if run.terminal)
    folder.terminal(ended.run_id).unlink()
    same(cache)
    attempted = next(run for run in cache.read().runs if run.records)
    path = folder.record(attempted.records[0].iteration_id)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"hypothesis": "another one"}))
    same(cache)
    path.write_text("{")
    same(cache)
    shutil.rmtree(folder.root / "runs" / attempted.run_id)
    same(cache)
    write_long_run(folder.root / "other", attempts=2, seed=1)
    shutil.copytree(folder.root / "other/runs", folder.root / "runs", dirs_exist_ok=True)
    same(cache)
    assert len(cache.read().runs) >= len(before.runs)


def test_what_has_not_changed_is_the_same_object(folder: StateFolder) -> None:
    cache = HistoryCache(folder)
    before = {run.run_id: run for run in cache.read().runs}
    gone = next(iter(before))
    shutil.rmtree(folder.root / "runs" / gone)
    after = cache.read().runs
    assert all(run is before[run.run_id] for run in after if run.run_id != gone)


def test_within_its_seconds_it_looks_again_only_when_asked_to(folder: StateFolder) -> None:
    cache = HistoryCache(folder, seconds=3600.0)
    before = cache.read()
    shutil.rmtree(folder.root / "runs")
    assert cache.read() is before
    assert cache.read(fresh=True).runs != before.runs


def test_a_folder_that_is_not_there_has_no_runs(tmp_path: Path) -> None:
    cache = HistoryCache(StateFolder(tmp_path / "none"))
    assert cache.read().runs == ()
    write_history(tmp_path / "none", runs=2, seed=1)
    assert len(cache.read().runs) == 2


def test_a_later_run_of_the_service_makes_a_question_moot_also_before_it_has_a_state(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path)
    wait(tmp_path, question(), run_id="old", origin=origin_of())
    write_origin(folder.origin("new"), replace(origin_of(), begun_at=1.9e9), redact=str)
    cache = HistoryCache(folder)
    same(cache)
    assert [(run.run_id, run.followed_by) for run in cache.read().runs] == [("new", ""), ("old", "new")]
    folder.origin("new").write_text("{")
    same(cache)
    assert [one.path for one in cache.read().malformed] == ["runs/new/origin.json"]
    assert {run.followed_by for run in cache.read().runs} == {""}
