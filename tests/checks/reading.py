"""Short spellings for tests of parsers."""

from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic

Place = tuple[str | None, int | None, int | None, str | None]


def parsed(tool: str, text: str, *, files: tuple[str, ...] = (), report: str | None = None, code: int = 1) -> Parsed:
    """Read a text as one tool's, in a project at `/p` that has these files (any, if none is named)."""
    known = frozenset(files)
    output = ToolOutput(
        text=text,
        report=report,
        exit_code=code,
        cwd="/p",
        root="/p",
        exists=lambda path: not known or path in known,
    )
    return TOOLS[tool].parse(output)


def place(item: Diagnostic) -> Place:
    """Return path, line, column and the rule or test."""
    return item.path, item.line, item.column, item.test_id or item.rule_id
