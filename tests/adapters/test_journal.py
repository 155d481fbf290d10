"""The money book: every call has its receipts, and what was paid is never paid again."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.journal import FileJournal
from fixloop_bot.model.agent import (
    AssistantTurn,
    ModelAlias,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    ToolCall,
    Usage,
    UserTurn,
)
from tests.fakes.clock import FakeClock

REQUEST = ModelRequest(
    model=ModelAlias.SONNET, system="s", turns=(UserTurn("it fails"),), max_tokens=10, deadline=1.0, key="2.1"
)
REPLY = ModelReply(
    turn=AssistantTurn("ü", (ToolCall("c1", "edit_file", {"path": "a.py", "old": "x", "new": "y"}),)),
    usage=Usage(1, 2, 3, 4),
    model_id="claude-sonnet-5-5",
    cost_usd=0.25,
    stop_reason="tool_use",
)


def opened(folder: Path) -> FileJournal:
    """Return the journal of a run, as a process that starts finds it."""
    return FileJournal(
        folder / "receipts" / "run-1.jsonl",
        folder / "transcript" / "run-1.jsonl",
        FakeClock(),
        redact=lambda text: text.replace("hunter2", "***"),
    )


def test_a_call_leaves_a_receipt_before_and_after(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    assert journal.begin(REQUEST, 0.5) is None
    assert journal.spent() == 0.5
    journal.finish(REQUEST, REPLY)
    assert journal.spent() == 0.25

    lines = [json.loads(line) for line in (tmp_path / "receipts/run-1.jsonl").read_text().splitlines()]
    assert [(line["outcome"], line["iteration"], line["key"], line["run_id"]) for line in lines] == [
        ("started", 2, "2.1", "run-1"),
        ("ok", 2, "2.1", "run-1"),
    ]
    assert lines[0]["reserved_usd"] == 0.5
    assert (lines[1]["cost_usd"], lines[1]["model_id"]) == (0.25, "claude-sonnet-5-5")
    assert lines[1]["usage"] == {"input_tokens": 1, "output_tokens": 2, "cache_read_tokens": 3, "cache_write_tokens": 4}


def test_a_run_that_was_killed_replays_what_it_paid(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.begin(REQUEST, 0.5)
    first.finish(REQUEST, replace(REPLY, turn=AssistantTurn("ü", REPLY.turn.tool_calls[:0])))

    again = opened(tmp_path)
    replayed = again.begin(replace(REQUEST, deadline=9.0, max_tokens=99, max_usd=1.0), 0.5)
    assert replayed == replace(REPLY, turn=AssistantTurn("ü"), replayed=True)
    assert again.spent() == 0.25
    assert len(again.receipts()) == 2


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(REQUEST, turns=(UserTurn("it fails differently"),)), id="other content"),
        pytest.param(replace(REQUEST, key="2.2"), id="another turn"),
        pytest.param(replace(REQUEST, model=ModelAlias.OPUS), id="another model"),
    ],
)
def test_another_call_is_not_taken_for_the_paid_one(tmp_path: Path, other: ModelRequest) -> None:
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    journal.finish(REQUEST, REPLY)
    assert journal.paid(other) is None
    assert journal.begin(other, 0.1) is None


def test_a_call_that_was_killed_half_way_keeps_its_reservation(tmp_path: Path) -> None:
    opened(tmp_path).begin(REQUEST, 0.5)
    again = opened(tmp_path)
    assert again.spent() == 0.5
    again.begin(REQUEST, 0.5)
    again.finish(REQUEST, REPLY)
    assert again.spent() == 0.75
    assert opened(tmp_path).spent() == 0.75


def test_a_reply_that_was_kept_just_before_the_end_counts_as_paid(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    journal.finish(REQUEST, REPLY)
    receipts = tmp_path / "receipts/run-1.jsonl"
    receipts.write_bytes(receipts.read_bytes().splitlines(keepends=True)[0])

    again = opened(tmp_path)
    assert again.spent() == 0.25
    assert [receipt.outcome for receipt in again.receipts()] == ["started", "ok"]
    assert again.paid(REQUEST) is not None
    assert len(opened(tmp_path).receipts()) == 2


def test_a_line_that_was_cut_off_is_passed_over_and_not_written_on(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    for file in (tmp_path / "receipts/run-1.jsonl", tmp_path / "transcript/run-1.jsonl"):
        with file.open("ab") as handle:
            handle.write(b'{"outcome": "ok", "cost\xff')
    again = opened(tmp_path)
    assert again.spent() == 0.5
    again.finish(REQUEST, REPLY)
    assert opened(tmp_path).spent() == 0.25
    assert opened(tmp_path).paid(REQUEST) is not None


@pytest.mark.parametrize(
    ("outcome", "spent"),
    [
        pytest.param(ProviderDown("529"), 0.0, id="nothing was served"),
        pytest.param(ProviderDown("cut", cost_usd=0.1), 0.1, id="a part was served"),
        pytest.param(ProviderDown("cut", cost_usd=None), 0.5, id="a part was served at an unknown price"),
        pytest.param(PromptTooLong("too long"), 0.0, id="the prompt was refused"),
        pytest.param(replace(REPLY, cost_usd=None), 0.5, id="a reply of unknown price"),
    ],
)
def test_what_counts_against_the_cap(
    tmp_path: Path, outcome: ModelReply | ProviderDown | PromptTooLong, spent: float
) -> None:
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    journal.finish(REQUEST, outcome)
    assert journal.spent() == spent
    assert opened(tmp_path).spent() == spent
    assert journal.receipts()[-1].outcome == ("ok" if isinstance(outcome, ModelReply) else "error")


def test_no_secret_is_written_and_nobody_else_may_read(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    journal.finish(REQUEST, REPLY)
    journal.finish(replace(REQUEST, key="3.1"), ProviderDown("key hunter2 refused"))
    files = [tmp_path / "receipts/run-1.jsonl", tmp_path / "transcript/run-1.jsonl"]
    assert not any(b"hunter2" in file.read_bytes() for file in files)
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_reply_that_held_a_secret_is_kept_without_it_and_never_replayed(tmp_path: Path) -> None:
    call = ToolCall("c1", "edit_file", {"path": "a.py", "old": "x", "new": "hunter2"})
    journal = opened(tmp_path)
    journal.begin(REQUEST, 0.5)
    journal.finish(REQUEST, replace(REPLY, turn=AssistantTurn("", (call,))))
    again = opened(tmp_path)
    assert again.paid(REQUEST) is None, "replayed, it would write *** into the file"
    assert again.spent() == 0.25
    assert b"hunter2" not in (tmp_path / "transcript/run-1.jsonl").read_bytes()
