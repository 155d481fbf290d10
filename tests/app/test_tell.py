"""Tests of the voice on GitHub: found again, edited in place, true after whatever happened."""

from collections.abc import Iterator

import pytest

from fixloop_bot.app.tell import Teller
from fixloop_bot.core.render.marker import MARKER_START
from fixloop_bot.entrypoints.action_ending import stopped
from fixloop_bot.model.report import Surroundings
from fixloop_bot.ports.forge import Forge, ForgeError
from tests.adapters.github.scene import Scene, scene
from tests.app.test_conduct import first, teller, to_ticket


@pytest.fixture
def stage() -> Iterator[Scene]:
    with scene() as made:
        yield made


def voice(stage: Scene, forge: Forge) -> Teller:
    """Return a voice for pull request 1."""
    return teller(forge, to_ticket(stage.pull_request(forge)))


def reports(stage: Scene) -> list[str]:
    """Return the bodies of fixloop's reports."""
    return [one.body for one in stage.shop.comments_on(1) if one.body.startswith(MARKER_START)]


def test_the_last_word_replaces_the_first(stage: Scene) -> None:
    with stage.forge() as forge:
        told = voice(stage, forge)
        told.begin(first("r1", stage.head))
        assert "status=RUNNING" in reports(stage)[0]
        told.finish(stopped(first("r1", stage.head)), Surroundings())
    (report,) = reports(stage)
    assert "status=RUNNING" not in report
    (check,) = stage.shop.check_runs.values()
    assert (check.status, check.conclusion) == ("completed", "cancelled")


def test_a_beginning_that_was_cut_short_is_found_and_ended(stage: Scene) -> None:
    with stage.forge() as forge:
        voice(stage, forge).begin(first("r1", stage.head))
        again = voice(stage, forge)  # as if the process had been interrupted before it noted what it had made
        again.state = first("r1", stage.head)
        again.finish(stopped(first("r1", stage.head)), Surroundings())
    assert len(reports(stage)) == 1
    (check,) = stage.shop.check_runs.values()
    assert check.status == "completed"


def test_a_token_without_check_runs_tells_by_the_comment(stage: Scene) -> None:
    notes: list[str] = []
    with stage.forge(stage.github.user_token("pat")) as forge:
        told = voice(stage, forge)
        told.note = notes.append
        told.begin(first("r1", stage.head))
        told.finish(stopped(first("r1", stage.head)), Surroundings())
    assert not stage.shop.check_runs
    assert "stopped" in reports(stage)[0]
    assert "no check run" in notes[0]


def test_a_check_run_that_is_too_large_is_cut_until_it_is_taken(stage: Scene) -> None:
    said = "Validation Failed: output is too long (maximum is 65535 characters)"
    with stage.forge() as forge:
        told = voice(stage, forge)
        told.begin(first("r1", stage.head))
        stage.github.conditions.fail(status=422, message=said, method="PATCH", path="*/check-runs/*", times=4)
        told.finish(stopped(first("r1", stage.head)), Surroundings())
    (check,) = stage.shop.check_runs.values()
    assert check.status == "completed"


def test_a_check_run_that_cannot_end_is_said_in_the_comment_and_raised(stage: Scene) -> None:
    with stage.forge() as forge:
        told = voice(stage, forge)
        told.begin(first("r1", stage.head))
        stage.github.conditions.fail(status=403, message="no", method="PATCH", path="*/check-runs/*", times=99)
        with pytest.raises(ForgeError, match="checks: write"):
            told.finish(stopped(first("r1", stage.head)), Surroundings())
    assert "status=RUNNING" not in reports(stage)[0]


LEFT = (
    "<!-- fixloop:report v=1 run={run} head={head} status=BLOCKED iterations=2 usd=0.1000 pushed={pushed}"
    " attempts=test:2 -->\n"
)
OTHER = "d" * 40


@pytest.mark.parametrize(
    ("run", "on_head", "pushed", "by_fixloop", "attempts"),
    [
        pytest.param("r0", True, "none", True, {"test": 2}, id="an earlier run on this head"),
        pytest.param("r0", False, "here", True, {"test": 2}, id="on the person's commit below fixloop's own"),
        pytest.param("r0", False, "none", True, {}, id="a person has pushed since"),
        pytest.param("r1", True, "none", True, {}, id="this very run, told before it was killed"),
        pytest.param("r0", True, "none", False, {}, id="somebody else wrote it"),
    ],
)
def test_what_an_earlier_run_tried_counts_where_fixloop_itself_says_so(
    stage: Scene, run: str, pushed: str, attempts: dict[str, int], *, on_head: bool, by_fixloop: bool
) -> None:
    body = LEFT.format(
        run=run, head=stage.head if on_head else OTHER, pushed=stage.head if pushed == "here" else pushed
    )
    with stage.forge() as forge:
        if by_fixloop:
            forge.write_comment(1, body, existing=None)
        else:
            stage.shop.comment(1, body, author="pat")
        told = voice(stage, forge)
        told.begin(first("r1", stage.head))
    assert told.surroundings.earlier_attempts == attempts
