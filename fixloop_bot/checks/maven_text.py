"""What Maven prints of everything but tests: compilers, linters, its own files, and goals that failed."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import javac, kotlinc, ktlint, spotless, text
from fixloop_bot.checks.java_sources import JavaSources
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_JAVAC = re.compile(r"^\[(ERROR|WARNING)\] (\S[^\n]{0,1024}?\.java):\[(\d+)(?:,(\d+))?\] (\S.*)$")
_DETAIL = re.compile(r"^(?:\[(?:ERROR|WARNING)\] )?(  +\S.*)$")
_CHECKSTYLE = re.compile(
    r"^\[(ERROR|WARNING|WARN)\] (\S[^\n]{0,1024}?\.\w{1,10}):\[(\d+)(?:,(\d+))?\] \(\w+\) (\w+): (\S.*)$"
)
_PMD = re.compile(r"^\[\w+\] PMD Failure: ([\w.$]+):(\d+) Rule:(\w+) Priority:\d+ (\S.*)$")
_SPOTBUGS = re.compile(
    r"^\[ERROR\] (?:High|Medium|Low): (\S.*) \[([\w.$]+)\] (?:At|In) [\w.$-]+:\[lines? (\d++)[\d-]*\].{0,80} (\w+)$"
)
_GOAL = re.compile(
    r"^\[ERROR\] Failed to execute goal [\w.-]+:([\w.-]+):[\w.-]+:([\w-]+)"
    r" (?:\([^)\n]{1,200}\) )?on project [\w.-]+: (.*)$"
)
_POM = re.compile(r"^\[(?:ERROR|FATAL)\] {1,8}(\S[^@\n]*?) ?@ (?:(/[^@\n]{0,1024}?),? )?line (\d+), column (\d+)$")
_PROJECT = re.compile(r"^\[ERROR\]\s{1,4}The project \S+ \((/[^\n]{1,1024}?)\) has \d+ errors?$")
_UNHELPFUL = re.compile(
    r"could not be resolved|Could not resolve|Could not transfer|Could not find artifact|offline mode"
)
_LINTERS = ("checkstyle", "pmd", "spotbugs", "spotless", "ktlint", "detekt")


def diagnostics(output: ToolOutput, lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    """Yield what is wrong; of linters only those whose goal failed, as others merely report."""
    goals = [found for line in lines if (found := _GOAL.match(line))]
    failed = {name for name in _LINTERS for goal in goals if name in goal[1]}
    yield from _compiled(output, lines)
    # Both print a place and a message; only the linter's goal tells them apart.
    kotlin = ktlint if failed & {"ktlint", "detekt"} else kotlinc
    yield from kotlin.diagnostics(output, lines)
    if "checkstyle" in failed:
        yield from _checkstyle(output, lines, sources)
    if failed & {"pmd", "spotbugs"}:
        yield from _by_class(lines, sources)
    if "spotless" in failed:
        yield from spotless.diagnostics(output, lines)
    yield from _poms(output, lines)


def failed_goals(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the goals that failed, for outputs that say nothing better; what could not be fetched is no fault."""
    for line in lines:
        goal = _GOAL.match(line)
        if goal and not _UNHELPFUL.search(goal[3]):
            tested = "surefire" in goal[1] or "failsafe" in goal[1]
            yield Diagnostic(
                rule_id=f"{goal[1]}:{goal[2]}",
                message=goal[3].removesuffix(" -> [Help 1]")[: text.MAX_MESSAGE],
                kind=DiagnosticKind.TEST_FAILURE if tested else DiagnosticKind.BUILD_ERROR,
            )


def _compiled(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        found = _JAVAC.match(line)
        if found and not _CHECKSTYLE.match(line):
            place = (text.number(found[3]), text.number(found[4]))
            said = [found[5], *_details(lines[index + 1 : index + text.MAX_MESSAGE_LINES])]
            yield javac.diagnostic(locate(output, found[2]), place, text.level(found[1]), said)


def _details(below: Sequence[str]) -> Iterator[str]:
    """Yield the indented lines below a message, which Maven prints once plain and once with its label."""
    for line in below:
        found = _DETAIL.match(line)
        if not found:
            return
        yield found[1]


def _checkstyle(output: ToolOutput, lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    for line in lines:
        found = _CHECKSTYLE.match(line)
        if found:
            yield Diagnostic(
                path=sources.file(found[2]) or locate(output, found[2]),
                line=text.number(found[3]),
                column=text.number(found[4]),
                level=text.level(found[1]),
                rule_id=found[5],
                message=found[6][: text.MAX_MESSAGE],
                kind=DiagnosticKind.LINT_ERROR,
            )


def _by_class(lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    """Yield what PMD and SpotBugs find: they name the class."""
    for line in lines:
        pmd, bug = _PMD.match(line), _SPOTBUGS.match(line)
        parts = (pmd[1], pmd[2], pmd[3], pmd[4]) if pmd else (bug[2], bug[3], bug[4], bug[1]) if bug else None
        if parts:
            yield Diagnostic(
                path=sources.of_class(parts[0]),
                line=text.number(parts[1]),
                rule_id=parts[2],
                message=parts[3][: text.MAX_MESSAGE],
                kind=DiagnosticKind.LINT_ERROR,
            )


def _poms(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what Maven cannot accept in a pom, where the line says which file it means or one before it did."""
    current = ""
    for line in lines:
        if project := _PROJECT.match(line):
            current = project[1]
        elif (found := _POM.match(line)) and (found[2] or current) and not _UNHELPFUL.search(line):
            yield Diagnostic(
                path=locate(output, found[2] or current),
                line=text.number(found[3]),
                column=text.number(found[4]),
                rule_id="pom",
                message=found[1][: text.MAX_MESSAGE],
                kind=DiagnosticKind.BUILD_ERROR,
            )
