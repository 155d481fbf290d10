"""What Ruby's `test-unit` prints."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import ruby_frames, text
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

_HEADER = re.compile(r"^(?:Failure|Error): (\S[^\n]*)$")
_CLASS = re.compile(r"\([A-Z][\w:]{0,300}\)(?=: |$)")
_RULE = "=" * 60
_SOURCE = re.compile(r"^ {1,8}(?:=> {0,8})?\d{1,8}: |^  => {0,8}\d{1,8}: ")
_TOTALS = re.compile(
    r"^(\d{1,9}) tests, (\d{1,9}) assertions, (\d{1,9}) failures, (\d{1,9}) errors, (\d{1,9}) pendings, "
    r"(\d{1,9}) omissions, (\d{1,9}) notifications$"
)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per failed test; each stands between two rules of equals signs."""
    for index, line in enumerate(lines[:-1]):
        header = _HEADER.match(lines[index + 1]) if line.startswith(_RULE) else None
        if header and (named := _CLASS.search(header[1])):
            said = header[1][named.end() :].removeprefix(": ")
            yield _diagnostic(output, header[1][: named.end()], [said, *_block(lines, index + 2)])


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    end = start
    while end < len(lines) and not lines[end].startswith(_RULE):
        end += 1
    return lines[start:end]


def _diagnostic(output: ToolOutput, test_id: str, block: Sequence[str]) -> Diagnostic:
    """Return a failure at the outermost of its frames in the repository: the test's own file."""
    places = ruby_frames.places(output, block)
    path = places[-1][0] if places else None
    said = [line for line in block if not _SOURCE.match(line) and not ruby_frames.is_frame(line)]
    return Diagnostic(
        path=path,
        line=ruby_frames.line_in(places, path),
        message=text.message(said),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=test_id,
    )


def tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    """Return the sum of all totals, None if there are none; omitted and pending tests did not run."""
    totals = [found for line in lines if (found := _TOTALS.match(line))]
    if not totals:
        return None
    executed = sum(int(found[1]) - int(found[5]) - int(found[6]) for found in totals)
    failed = tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id))
    return TestReport(max(executed, 0), failed=failed)
