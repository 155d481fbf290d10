"""What `fixloop diagnose` prints: the diagnosis of an output that somebody has at hand."""

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import NotRequired, TypedDict, Unpack

from fixloop_bot.app.read_output import read_output
from fixloop_bot.checks.registry import GENERIC, TOOLS, recognise
from fixloop_bot.checks.tool import Tool, ToolOutput
from fixloop_bot.model.attempt import FailureMode
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.matcher import ProblemMatcher


class Given(TypedDict):
    """What `fixloop diagnose` is told; all but layer and text may be left out."""

    layer: Layer
    text: str
    """Standard output and error of the command, decoded with replacement."""
    command: NotRequired[str]
    """As typed; names the tool."""
    cwd: NotRequired[str]
    """Directory that the output speaks of, mapped onto the project root."""
    tmpdir: NotRequired[str]
    """Temporary directory that the output speaks of."""
    exit_code: NotRequired[int | None]
    """Negative: the signal that ended the command."""
    reports: NotRequired[Sequence[str]]
    """Texts of the tool's machine-readable reports."""
    matchers: NotRequired[Sequence[ProblemMatcher]]
    """The repository's own problem matchers."""
    exists: NotRequired[Callable[[str], bool]]
    """Whether a path relative to the project root is a file; left out: what looks like one is taken for one."""
    read: NotRequired[Callable[[str], str | None]]
    """Text of such a file."""
    source_line: NotRequired[Callable[[str, int], str | None]]
    """Text of a line of such a file, 1-based."""
    declared: NotRequired[Callable[[], frozenset[str]]]
    """Names of the dependencies that the project declares."""


def diagnose(**given: Unpack[Given]) -> dict[str, object]:
    """Return the diagnosis as JSON-ready values. Never raises, whatever the output holds."""
    command = given.get("command", "")
    tool = recognise(command) if command else GENERIC
    reading = read_output(
        layer=given["layer"],
        tool=tool,
        output=_output(given, TOOLS[tool]),
        limit=None,
        missing_program=None,
        scratch=given.get("tmpdir", ""),
        source_line=given.get("source_line", _no_source),
        declared=given.get("declared", frozenset),
        matchers=given.get("matchers", ()),
    )
    mode = FailureMode.ENVIRONMENTAL if reading.environmental else FailureMode.DETERMINISTIC_FAIL
    return {
        "error_hash": reading.fingerprint.fine,
        "coarse_hash": reading.fingerprint.coarse,
        "tier": reading.tier.value,
        "error_count": reading.error_count,
        "failure_mode": mode.value,
        "diagnostics": [asdict(item) for item in reading.diagnostics],
        "affected_files": list(reading.affected_files),
        "excerpt": reading.excerpt,
    }


def _output(given: Given, tool: Tool) -> ToolOutput:
    """Return the output; a report is the one that the tool is asked for, unless it writes several or is unknown."""
    cwd = given.get("cwd", "")
    reports = tuple(given.get("reports", ()))
    alone = reports and not tool.report_files and (len(reports) == 1 or tool.name != GENERIC)
    return ToolOutput(
        text=given["text"],
        report=reports[0] if alone else None,
        reports=() if alone else reports,
        exit_code=given.get("exit_code", 1),
        cwd=cwd,
        root=cwd,
        exists=given.get("exists", _looks_like_a_source),
        read=given.get("read", _no_text),
    )


def _looks_like_a_source(path: str) -> bool:
    """Without a project to look into, a relative path with an extension is taken for a file of it."""
    return bool(posixpath.splitext(path)[1]) and "site-packages/" not in path and "node_modules/" not in path


def _no_text(_path: str) -> None:
    return None


def _no_source(_path: str, _line: int) -> None:
    return None
