"""`pytest`, also under coverage, xdist and make."""

import shlex
from collections.abc import Mapping

from fixloop_bot.checks import junit, pytest_report, pytest_text, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_NO_TESTS = 5
"""pytest's exit code for no tests collected."""


def parse(output: ToolOutput) -> Parsed:
    """Read the JUnit report, else the text. An exit code 5 counts as zero tests whatever else is missing."""
    cases = junit.read_cases(output.report)
    if cases:
        found = text.distinct(pytest_report.diagnostics(output, cases))
        return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=pytest_report.tests(output, cases))
    lines = text.lines(output.text)
    found = text.distinct(pytest_text.diagnostics(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(output, lines))


def _tests(output: ToolOutput, lines: list[str]) -> TestReport | None:
    tests = pytest_text.tests(lines)
    return TestReport(0) if tests is None and output.exit_code == _NO_TESTS else tests


def report_env(path: str) -> Mapping[str, str]:
    """Ask for JUnit XML with each test's file. pytest parts the value as a shell does, hence the quotes."""
    return {"PYTEST_ADDOPTS": f"{shlex.quote('--junitxml=' + path)} -o junit_family=xunit1"}


TOOL = Tool(
    name="pytest",
    commands=(r"(?:py\.?test)\b",),
    parse=parse,
    report_suffix=".xml",
    report_env=report_env,
    config_files=("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "conftest.py"),
    runs_tests=True,
    ecosystem="python",
)
