"""SARIF of any tool."""

import json
from typing import Any

import pytest

from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import parsed, place

RULES = [
    {"id": "R1", "defaultConfiguration": {"level": "error"}, "messageStrings": {"m": {"text": "{0} is not {1}"}}},
    {"id": "R2"},
]


def at(uri: str, line: int = 3, column: int = 5, **more: object) -> list[dict[str, Any]]:
    region = {"startLine": line, "startColumn": column}
    return [{"physicalLocation": {"artifactLocation": {"uri": uri, **more}, "region": region}}]


def log(*results: dict[str, Any], **more: object) -> str:
    run = {"tool": {"driver": {"name": "any", "rules": RULES}}, "results": list(results), **more}
    return json.dumps({"version": "2.1.0", "runs": [run]})


ONE: dict[str, Any] = {"ruleId": "R9", "level": "error", "message": {"text": "bad"}, "locations": at("src/a.py")}


def test_a_result_is_read_from_report_and_from_output_alike() -> None:
    as_report = parsed("sarif", "", report=log(ONE))
    as_output = parsed("sarif", f"scanning\n{log(ONE)}\ndone\n")
    assert as_report == as_output
    (item,) = as_report.diagnostics
    assert place(item) == ("src/a.py", 3, 5, "R9")
    assert (item.message, item.level, item.kind) == ("bad", Level.ERROR, DiagnosticKind.LINT_ERROR)
    assert as_report.tier is Tier.STRUCTURED


@pytest.mark.parametrize(
    ("result", "level"),
    [
        ({**ONE, "level": "warning"}, Level.WARNING),
        ({**ONE, "level": "note"}, Level.NOTE),
        ({"message": {"text": "x"}, "ruleIndex": 0}, Level.ERROR),
        ({"message": {"text": "x"}, "rule": {"index": 0}}, Level.ERROR),
        ({"message": {"text": "x"}, "ruleIndex": 1}, Level.WARNING),
        ({"message": {"text": "x"}, "ruleIndex": 99}, Level.WARNING),
        ({**ONE, "suppressions": [{"kind": "external", "status": "underReview"}]}, Level.ERROR),
    ],
    ids=["warning", "note", "the rule's", "the rule's by reference", "the format's", "no such rule", "under review"],
)
def test_the_level_is_the_results_else_the_rules_else_warning(result: dict[str, Any], level: Level) -> None:
    (item,) = parsed("sarif", "", report=log(result)).diagnostics
    assert item.level is level


@pytest.mark.parametrize(
    "result",
    [
        {**ONE, "level": "none"},
        {**ONE, "kind": "pass"},
        {**ONE, "kind": "notApplicable"},
        {**ONE, "baselineState": "absent"},
        {**ONE, "suppressions": [{"kind": "inSource"}]},
    ],
    ids=["level none", "a pass", "not applicable", "gone since the baseline", "suppressed in the source"],
)
def test_what_is_no_problem_is_no_diagnostic(result: dict[str, Any]) -> None:
    assert parsed("sarif", "", report=log(result)).diagnostics == ()


def test_a_message_by_id_is_looked_up_and_filled_in() -> None:
    result = {"ruleIndex": 0, "message": {"id": "m", "arguments": ["x", "{0}"]}}
    (item,) = parsed("sarif", "", report=log(result)).diagnostics
    assert (item.rule_id, item.message) == ("R1", "x is not {0}")


@pytest.mark.parametrize(
    ("location", "path"),
    [
        (at("a%20b.py"), "a b.py"),
        (at("file:///p/src/a.py"), "src/a.py"),
        (at("a.py", uriBaseId="SRC"), "src/a.py"),
        (at("", index=0), "src/z.py"),
        (at("../../etc/passwd"), None),
        (at("file:///etc/passwd"), None),
        (at("x.py", uriBaseId="LOOP"), "x.py"),
        ([], None),
    ],
    ids=["encoded", "absolute", "below a base", "by index", "outside", "absolute, outside", "a loop", "nowhere"],
)
def test_a_place_is_found_relative_to_the_repository(location: list[dict[str, Any]], path: str | None) -> None:
    bases = {"SRC": {"uri": "src/", "uriBaseId": "ROOT"}, "ROOT": {"uri": "file:///p/"}, "LOOP": {"uriBaseId": "LOOP"}}
    report = log(
        {**ONE, "locations": location}, originalUriBaseIds=bases, artifacts=[{"location": {"uri": "src/z.py"}}]
    )
    (item,) = parsed("sarif", "", report=report).diagnostics
    assert item.path == path


def test_what_a_tool_says_of_its_own_failure_is_an_error() -> None:
    notification = {"level": "error", "message": {"text": "cannot parse"}, "locations": at("b.py", 1, 1)}
    report = log(invocations=[{"toolExecutionNotifications": [notification, {"level": "warning"}]}])
    (item,) = parsed("sarif", "", report=report).diagnostics
    assert (item.path, item.message, item.kind) == ("b.py", "cannot parse", DiagnosticKind.BUILD_ERROR)


def test_logs_one_after_another_are_all_read() -> None:
    other = {**ONE, "ruleId": "R8"}
    found = parsed("sarif", f"cc a.c\n{log(ONE)}\n{log(other)}\nmake: *** Error 1\n").diagnostics
    assert [item.rule_id for item in found] == ["R9", "R8"]


@pytest.mark.parametrize(
    "text",
    [
        '{"runs": 3, "results": []}',
        '{"runs": [{"results": [3, {}]}]}',
        '{"runs": [], "results": [' + "[" * 200_000,
        '{"runs": "results"\n' * 20_000,
    ],
    ids=["no array", "odd items", "deep", "never closed"],
)
def test_what_is_no_sarif_is_read_to_its_end(text: str) -> None:
    assert all(item.path is None for item in parsed("sarif", text).diagnostics)
