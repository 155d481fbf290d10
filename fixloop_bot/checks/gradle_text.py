"""What Gradle prints of everything but tests: compilers, linters, its own scripts, and tasks that failed."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import checkstyle, javac, kotlinc, ktlint, spotless, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_SIGNS = re.compile(r"^(?:FAILURE: Build (?:failed|completed) with |BUILD (?:FAILED|SUCCESSFUL) in |> Task :)")
_SCRIPT = re.compile(r"^(?:Build|Settings|Initialization)?\s?(?:file|[Ss]cript) '(/[^'\n]{1,1024})' line: (\d+)$")
_FAILED_TASK = re.compile(r"^Execution failed for task '(:[\w:.-]{1,400})'(?: \(.*\))?\.$")
_SAYS = re.compile(r"^ {0,12}> (\S.*)$")
_WENT_WRONG = "* What went wrong:"
_UNHELPFUL = re.compile(r"^\s*(?:> )?Could not (?:resolve|download|GET|HEAD)\b|was not found in any of the following")
_SEE_ABOVE = re.compile(r"^Compilation (?:failed|error)|^There were failing tests|: see the report|^See the report")
_LINTERS = (
    ("checkstyle", checkstyle.diagnostics), ("ktlint", ktlint.diagnostics), ("detekt", ktlint.diagnostics),
    ("spotless", spotless.diagnostics),
)  # fmt: skip
_BELOW = 12
"""Lines below a title that belong to it."""


def is_gradle(lines: Sequence[str]) -> bool:
    """Return whether Gradle printed these lines."""
    return any(_SIGNS.match(line) for line in lines)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what is wrong; of linters only those whose task failed, as others merely report."""
    failed = {found[1].rpartition(":")[2].lower() for line in lines if (found := _FAILED_TASK.match(line))}
    yield from javac.diagnostics(output, lines)
    yield from kotlinc.diagnostics(output, lines)
    for name, linter in _LINTERS:
        if any(name in task for task in failed):
            yield from linter(output, lines)


def failed_parts(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield scripts and tasks that failed, for outputs that say nothing better; what could not be fetched is none."""
    path, line_number = None, None
    for index, line in enumerate(lines):
        below = lines[index + 1 : index + 1 + _BELOW]
        if script := _SCRIPT.match(line):
            path, line_number = locate(output, script[1]), text.number(script[2])
        elif line.startswith(_WENT_WRONG) and path:
            yield from _script(path, line_number, below)
            path = None
        elif task := _FAILED_TASK.match(line):
            yield from _task(task[1], below)


def _script(path: str, line: int | None, below: Sequence[str]) -> Iterator[Diagnostic]:
    said = _paragraph(below)
    if said and not any(_UNHELPFUL.search(part) for part in said):
        yield Diagnostic(
            path=path, line=line, rule_id="script", message=text.message(said), kind=DiagnosticKind.BUILD_ERROR
        )


def _task(task: str, below: Sequence[str]) -> Iterator[Diagnostic]:
    said = [found[1] for part in _paragraph(below) if (found := _SAYS.match(part))]
    if any(_UNHELPFUL.search(part) for part in said):
        return
    telling = [part for part in said if not _SEE_ABOVE.search(part)]
    yield Diagnostic(rule_id=task, message=text.message(telling or said), kind=DiagnosticKind.BUILD_ERROR)


def _paragraph(below: Sequence[str]) -> list[str]:
    end = next((n for n, line in enumerate(below) if not line.strip() or line.startswith("* ")), len(below))
    return list(below[:end])
