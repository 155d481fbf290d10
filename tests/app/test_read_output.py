"""One command's output, and several commands' of one layer."""

import json
from dataclasses import replace

import pytest

from fixloop_bot.app.read_output import Reading, merge_readings, merge_tests, read_output
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.noise import noise_between
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import Layer, TestReport

FILES = frozenset({"a.py", "b.py", "lib/c.py"})


def output(text: str, *, code: int = 1, report: str | None = None) -> ToolOutput:
    return ToolOutput(text=text, report=report, exit_code=code, cwd="/p", root="/p", exists=FILES.__contains__)


def read(
    text: str,
    *,
    tool: str = "generic",
    missing: str | None = None,
    noise: frozenset[str] = frozenset(),
    report: str | None = None,
) -> Reading:
    return read_output(
        layer=Layer.LINT,
        tool=tool,
        output=output(text, report=report),
        limit=None,
        missing_program=missing,
        scratch="/t",
        source_line=lambda _path, _line: None,
        declared=frozenset,
        noise=noise,
    )


RUFF = "F401 [*] `os` imported but unused\n --> a.py:2:8\n"
MYPY = 'b.py:4: error: Argument 1 to "f" has incompatible type  [arg-type]\n'


def test_files_come_diagnostics_first_then_what_the_text_names() -> None:
    reading = read(f"lib/c.py:7: in helper\n{MYPY}gone.py:3: x\n", tool="mypy")
    assert reading.affected_files == ("b.py", "lib/c.py")


def test_two_failing_commands_are_merged() -> None:
    one, other = read(RUFF, tool="ruff"), read(MYPY, tool="mypy")
    both = merge_readings(Layer.LINT, [one, other])
    assert (both.error_count, both.tier, both.affected_files) == (2, Tier.PARSED, ("a.py", "b.py"))
    assert both.fingerprint.items == ("a.py F401", "b.py arg-type")
    assert both.fingerprint == merge_readings(Layer.LINT, [other, one]).fingerprint
    assert "F401" in both.excerpt
    assert "arg-type" in both.excerpt
    assert merge_readings(Layer.LINT, [one]) is one


def test_long_outputs_share_the_lines_of_the_excerpt() -> None:
    noise = "".join(f"line {number}\n" for number in range(5_000))
    both = merge_readings(Layer.LINT, [read(noise + RUFF, tool="ruff"), read(MYPY + noise, tool="mypy")])
    assert len(both.excerpt.split("\n")) <= 100
    assert "F401" in both.excerpt
    assert "arg-type" in both.excerpt


def test_one_failure_of_the_code_makes_the_layers_failure_the_codes() -> None:
    absent = read("", missing="eslint")
    assert absent.environmental
    assert not merge_readings(Layer.LINT, [absent, read(MYPY)]).environmental
    both = merge_readings(Layer.LINT, [absent, read("", missing="ruff")])
    assert both.environmental
    assert [words.split()[0] for words in both.missing] == ["eslint", "ruff"]


def test_what_differs_between_two_runs_no_longer_counts_and_all_else_does() -> None:
    first = "queue ab12 is full\nError: worker 17 lost connection\n"
    second = "queue 99zz is full\nError: worker 90 lost connection\n"
    noise = noise_between(read(first).fingerprint, read(second).fingerprint)
    known = read(first, noise=noise).fingerprint
    assert read("queue 77yy is full\nError: worker 3 lost connection\n", noise=noise).fingerprint == known
    assert read("queue 77yy is full\nError: worker 3 lost patience\n", noise=noise).fingerprint.fine != known.fine


def test_noise_is_learned_from_messages_too() -> None:
    def failing(value: str) -> str:
        return f"FAILED a.py::test_x - assert {value} == 5\n=== 1 failed in 0.1s ===\n"

    first, second = (read(failing(value), tool="pytest").fingerprint for value in ("0.123", "0.456"))
    noise = noise_between(first, second)
    runs = [read(failing(value), tool="pytest", noise=noise).fingerprint.fine for value in ("0.123", "0.789")]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("text", "nothing"),
    [("=== no tests ran in 0.01s ===", True), ("=== 1 passed in 0.01s ===", False), ("", False)],
)
def test_a_run_without_tests_is_known(text: str, nothing: bool) -> None:
    assert read(text, tool="pytest").ran_no_test is nothing


def test_modules_that_cannot_be_collected_are_a_failure_not_a_run_without_tests() -> None:
    text = "ERROR a.py - SyntaxError: bad\n=== 1 error in 0.1s ===\n"
    reading = read(text, tool="pytest")
    assert reading.tests == TestReport(0)
    assert not reading.ran_no_test


def test_reports_of_several_runners_are_summed() -> None:
    assert merge_tests([None, TestReport(2, ("a",), ("b",)), TestReport(1, (), ("c",), ("d",))]) == TestReport(
        3, ("a",), ("b", "c"), ("d",)
    )
    assert merge_tests([None]) is None


def test_what_a_report_holds_can_be_written_as_utf8() -> None:
    report = json.dumps([{"filePath": "/p/\ud800.js", "messages": [{"ruleId": "\ud801", "message": "\x1b[31m\ud802"}]}])
    (item,) = read("", tool="eslint", report=report).diagnostics
    assert (item.path, item.rule_id, item.message) == ("?.js", "?", "?")


def test_the_same_output_is_read_the_same_twice() -> None:
    reading = read(RUFF, tool="ruff")
    assert read(RUFF, tool="ruff") == reading
    assert replace(reading, error_count=9) != reading
