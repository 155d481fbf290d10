"""What the comment told is read back, and nothing else is taken for it."""

import json

import pytest

from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.details import folded, records_section
from fixloop_bot.core.render.escape import fence
from fixloop_bot.core.render.told import tried_in
from fixloop_bot.model.layer import Layer
from tests.core.render.states import MAX_RETRIES, told

RECORD = {
    "iteration_id": "r-1",
    "layer": "test",
    "productive": False,
    "hypothesis": "off by one",
    "repair_action": "another index",
    "verdict": "same",
    "remaining_delta": ["test: t"],
    "files": ["a.py"],
    "change_id": "ab",
}


def comment(*records: object) -> str:
    return "### BLOCKED\n\n" + records_section(records).text  # type: ignore[arg-type]


def test_a_real_comment_tells_what_did_not_help() -> None:
    failed = [attempt for attempt in MAX_RETRIES.attempts if attempt.score_after <= attempt.score_before]
    read = tried_in(to_comment(told(MAX_RETRIES)))
    assert failed
    assert [one.hypothesis for one in read] == [attempt.hypothesis for attempt in failed]


def test_every_field_comes_back() -> None:
    (one,) = tried_in(comment(RECORD))
    assert (one.iteration_id, one.layer, one.hypothesis, one.repair_action) == (
        "r-1", Layer.TEST, "off by one", "another index",
    )  # fmt: skip
    assert (one.verdict, one.failing_after, one.files, one.change_id) == ("same", ("test: t",), ("a.py",), "ab")


@pytest.mark.parametrize(
    ("records", "number"),
    [
        pytest.param([{**RECORD, "productive": True}], 0, id="what helped"),
        pytest.param([{**RECORD, "productive": 0}], 0, id="no boolean"),
        pytest.param([{**RECORD, "layer": "sudo"}], 0, id="no layer"),
        pytest.param([{**RECORD, "layer": ["test"]}], 0, id="a layer of another type"),
        pytest.param([7, None, [RECORD]], 0, id="no records"),
        pytest.param([RECORD] * 99, 20, id="only the latest"),
        pytest.param([{**RECORD, "hypothesis": 7, "files": "a", "remaining_delta": [1, "x"]}], 1, id="odd values"),
        pytest.param(
            [{**RECORD, "hypothesis": "```json\n[]\n```\n<details><summary>Repair record (x"}], 1, id="its own fences"
        ),
    ],
)
def test_only_sound_records_of_failures_count(records: list[object], number: int) -> None:
    assert len(tried_in(comment(*records))) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Repair record (",
        "<summary>Repair record (1)",
        "<summary>Repair record (1)</summary>\njson\n[]",
        "<summary>Repair record (1)</summary>\n\n```json\n[{",
        folded("Repair record (1)", fence("[" * 90_000, "json")),
        folded("Repair record (1)", fence(json.dumps({"a": 1}), "json")),
        folded("Something else", fence(json.dumps([RECORD]), "json")),
    ],
)
def test_any_other_text_tells_nothing(text: str) -> None:
    assert tried_in(text) == ()


def test_a_text_is_read_in_part() -> None:
    (one,) = tried_in(comment({**RECORD, "hypothesis": "x" * 9_000}))
    assert len(one.hypothesis) == 600
