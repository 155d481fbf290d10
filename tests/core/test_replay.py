"""An attempt begins where the one before it has left the run, whatever became of it."""

from dataclasses import replace

import pytest

from fixloop_bot.core.replay.scores import score_disagreements
from fixloop_bot.model.attribution import Attribution, Flaky
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState
from tests.core.histories import record

STATE = LoopState(run_id="r")


def attempt(number: int, verdict: str, before: float, after: float, **more: object) -> RepairRecord:
    stays = verdict in ("progress", "clean") or bool(more.pop("stays", False))
    made = record("r", number, verdict=verdict, scores=(before, after))
    return replace(made, commit="c" * 40 if stays else None, salvage=None if stays else "s", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "records",
    [
        pytest.param((attempt(1, "same", 0.5, 0.5), attempt(2, "same", 0.5, 0.5)), id="undone, begun again"),
        pytest.param((attempt(1, "progress", 0.5, 0.7), attempt(2, "same", 0.7, 0.7)), id="kept, begun from there"),
        pytest.param((attempt(1, "progress", 0.5, 0.7), attempt(2, "same", 0.8, 0.8)), id="fixers worked in between"),
        pytest.param((attempt(1, "regression", 0.5, 0.2), attempt(2, "same", 0.5, 0.5)), id="worse, undone"),
        pytest.param((attempt(1, "changed", 0.5, 0.4, stays=True), attempt(2, "same", 0.4, 0.4)), id="changed, kept"),
        pytest.param((attempt(1, "clean", 0.3, 0.7, layer="lint"), attempt(2, "same", 0.1, 0.1)), id="another layer"),
        pytest.param((attempt(1, "clean", 0.3, 0.7), attempt(2, "same", 0.3, 0.3)), id="clean, and broken from below"),
    ],
)
def test_a_chain_of_scores_that_can_be(records: tuple[RepairRecord, ...]) -> None:
    assert list(score_disagreements(STATE, records)) == []


@pytest.mark.parametrize(
    "records",
    [
        pytest.param((attempt(1, "progress", 0.5, 0.7), attempt(2, "same", 0.5, 0.5)), id="progress that is gone"),
        pytest.param((attempt(1, "regression", 0.5, 0.2), attempt(2, "progress", 0.2, 0.5)), id="a loss that stayed"),
    ],
)
def test_a_chain_that_is_broken_is_told(records: tuple[RepairRecord, ...]) -> None:
    (clause,) = score_disagreements(STATE, records)
    assert clause.startswith("repair/r-2.json begins at score 0.")
    contradicted = (*records, attempt(3, "contradicted", 0.5, 0.5))
    assert list(score_disagreements(STATE, contradicted)) == []
    flaky = Attribution(layer=Layer.TEST, commit="c", runs=5, flaky=(Flaky("t_1", 2),))
    for looks_anew in (
        replace(STATE, strict=True),
        replace(STATE, error_context="text"),
        replace(STATE, attributions=(flaky,)),
    ):
        assert list(score_disagreements(looks_anew, records)) == []
