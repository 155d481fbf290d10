"""A person's or a CI log's text as the first diagnosis."""

from collections.abc import Sequence

from fixloop_bot.app.read_output import read_output
from fixloop_bot.app.source_line import source_line
from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.matcher import ProblemMatcher
from fixloop_bot.ports.project import Project

LAYER_OF: dict[DiagnosticKind, Layer] = {
    DiagnosticKind.SYNTAX_ERROR: Layer.COMPILE,
    DiagnosticKind.TYPE_ERROR: Layer.COMPILE,
    DiagnosticKind.LINT_ERROR: Layer.LINT,
    DiagnosticKind.TEST_FAILURE: Layer.TEST,
}


def read_context(text: str, project: Project, matchers: Sequence[ProblemMatcher] = ()) -> LayerResult:
    """Return the failing layer that the text tells of: the lowest that a diagnostic names, `test` where none does.

    A bare `file:line: message` names none: compilers, linters and test runners all write it.
    """
    output = ToolOutput(text=text, exit_code=1, cwd=project.root, root=project.root, exists=project.exists)
    named = {LAYER_OF[d.kind] for d in parse("generic", output, matchers).diagnostics if d.kind in LAYER_OF}
    layer = min(named, key=lambda each: each.rank, default=Layer.TEST)
    reading = read_output(
        layer=layer,
        tool="generic",
        output=output,
        limit=None,
        missing_program=None,
        scratch="",
        source_line=source_line(project),
        declared=project.declared,
        matchers=matchers,
    )
    return LayerResult(
        name=layer,
        status=LayerStatus.FAIL,
        output=reading.excerpt,
        error_count=reading.error_count,
        diagnostics=reading.diagnostics,
        fingerprint=reading.fingerprint,
        affected_files=reading.affected_files,
        reason="from the given error context",
    )
