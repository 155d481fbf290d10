"""The agent's tools as data, and its last word."""

from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fixloop_bot.core.tools import FIELD_LIMIT, TOOLS, parse_finish
from fixloop_bot.model.agent import Finish, FinishStatus


def test_the_six_tools_have_the_promised_parameters() -> None:
    offered = {tool["name"]: list(tool["input_schema"]["properties"]) for tool in TOOLS}
    assert offered == {
        "read_file": ["path", "start_line", "end_line"],
        "search": ["pattern", "glob"],
        "list_files": ["path"],
        "edit_file": ["path", "old", "new"],
        "create_file": ["path", "content"],
        "finish": ["status", "hypothesis", "repair_action", "question", "option_a", "option_b", "reason"],
    }


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
def test_every_schema_is_valid_json_schema(tool: Mapping[str, Any]) -> None:
    Draft202012Validator.check_schema(tool["input_schema"])
    assert set(tool["input_schema"].get("required", ())) <= set(tool["input_schema"]["properties"])


def test_a_finish_says_how_it_ends() -> None:
    said = parse_finish({"status": "done", "hypothesis": " off by one ", "repair_action": "subtract"})
    assert said == Finish(status=FinishStatus.DONE, hypothesis="off by one", repair_action="subtract")


def test_a_question_needs_two_options() -> None:
    asked = {"status": "need_decision", "question": "Which?", "option_a": "this"}
    assert parse_finish(asked) == "need_decision needs option_b"
    assert isinstance(parse_finish(asked | {"option_b": "that"}), Finish)


@pytest.mark.parametrize(
    "arguments",
    [{}, {"status": "fixed"}, {"status": None}, {"status": ["done"]}, {"status": "blocked"}, {"status": {"a": 1}}],
    ids=str,
)
def test_a_finish_that_says_nothing_is_answered_in_words(arguments: Mapping[str, Any]) -> None:
    assert isinstance(parse_finish(arguments), str)


def test_garbage_in_the_fields_is_kept_as_short_text() -> None:
    said = parse_finish({"status": "done", "hypothesis": ["x"] * 10_000, "repair_action": 7, "reason": None})
    assert isinstance(said, Finish)
    assert (len(said.hypothesis), said.repair_action, said.reason) == (FIELD_LIMIT, "7", "")
