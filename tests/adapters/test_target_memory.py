"""What a state folder tells the next run of a target."""

from dataclasses import replace
from pathlib import Path

from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.state_folder import StateFolder, open_state_folder
from fixloop_bot.adapters.store import open_store
from fixloop_bot.adapters.target_memory import Remembered, remembered
from fixloop_bot.core.record import to_record
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.attempt import Attempt, FailureMode, Verdict
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState

STATE = LoopState(run_id="r1", branch="b", start_commit="c0", head="c0", started_at=1e9)
FAILED = Attempt(
    iteration=1,
    layer=Layer.TEST,
    mode=FailureMode.DETERMINISTIC_FAIL,
    model=ModelAlias.SONNET,
    hypothesis="off by one",
    repair_action="another index",
    changed=("a.py",),
    change_id="ab" * 32,
    failing_before=("test: t",),
    failing_after=("test: t",),
    verdict=Verdict.SAME,
)
CLEAN = replace(FAILED, iteration=2, score_after=1.0, failing_after=(), verdict=Verdict.CLEAN)


def write(folder: StateFolder, *attempts: Attempt, state: LoopState = STATE) -> None:
    with open_store(folder.database) as store:
        records = FileRecords(folder, store, worktree="/w", redact=str)
        for attempt in attempts:
            records.attempt(state, attempt, to_record(state, attempt, created_at="2026-01-01T00:00:00Z"))


def recall(folder: StateFolder, head: str = "c0", branch: str = "b") -> Remembered:
    with open_store(folder.database) as store:
        return remembered(store, folder, branch=branch, head=head)


def test_the_next_run_knows_how_often_and_what_was_tried(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    write(folder, FAILED, replace(FAILED, iteration=2, hypothesis="a race"))
    known = recall(folder)
    assert known.attempts == {Layer.TEST: 2}
    assert [(one.iteration_id, one.hypothesis, one.files) for one in known.tried] == [
        ("r1-1", "off by one", ("a.py",)),
        ("r1-2", "a race", ("a.py",)),
    ]
    assert known.tried[0].change_id == "ab" * 32
    assert known.tried[0].failing_after == ("test: t",)


def test_a_person_s_commit_and_another_branch_know_nothing_of_it(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    write(folder, FAILED)
    assert recall(folder, head="c1") == recall(folder, branch="other") == Remembered()


def test_fixloop_s_own_commit_is_still_the_person_s_target(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    lint = replace(CLEAN, layer=Layer.LINT, iteration=1)
    write(folder, lint, replace(FAILED, iteration=2), state=replace(STATE, head="f1"))
    write(folder, FAILED, state=replace(STATE, run_id="r2", start_commit="f1", head="f1"))
    assert recall(folder, head="f1").attempts == {Layer.TEST: 2}


def test_what_came_clean_is_forgotten(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    write(folder, FAILED, CLEAN)
    assert recall(folder) == Remembered()


def test_an_attempt_written_again_counts_once(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    write(folder, FAILED, FAILED)
    assert recall(folder).attempts == {Layer.TEST: 1}


def test_a_record_that_is_broken_still_counts(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    write(folder, FAILED)
    folder.record("r1-1").write_text("{")
    assert recall(folder) == Remembered(attempts={Layer.TEST: 1})
