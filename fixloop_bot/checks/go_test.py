"""`go test`."""

from collections.abc import Iterator

from fixloop_bot.checks import go_test_json, go_test_run, go_test_text, go_text, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_CUT = "… about "
"""Begins the line that stands where the middle of a long output was left out."""
_UNBUILT = frozenset({"[build failed]", "[setup failed]"})


def parse(output: ToolOutput) -> Parsed:
    """Read the events of `-json`, else the text. Passing tests are known by name with `-v` or `-json` alone."""
    for source in (output.report, output.text):
        packages, rest = go_test_json.read(text.lines(source or ""))
        if packages:
            found = text.distinct(_diagnostics(output, packages, rest))
            return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=go_test_run.report(packages, named=True))
    return _from_text(output, text.lines(output.text))


def _from_text(output: ToolOutput, lines: list[str]) -> Parsed:
    packages, rest, named = go_test_text.read(lines)
    if not packages:
        return Parsed()
    whole = not any(line.startswith(_CUT) for line in lines)
    found = text.distinct(_diagnostics(output, packages, rest))
    tests = go_test_run.report(packages, named=named) if whole else None
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=tests)


def _diagnostics(output: ToolOutput, packages: list[go_test_run.GoPackage], rest: list[str]) -> Iterator[Diagnostic]:
    built = tuple(go_text.diagnostics(output, rest))
    yield from built
    unbuilt = [package for package in packages if package.note in _UNBUILT]
    for package in unbuilt if not built else ():
        message = f"{package.name} {package.note}"
        yield Diagnostic(rule_id="build", message=message, kind=DiagnosticKind.BUILD_ERROR)
    yield from go_test_run.diagnostics(output, packages)


TOOL = Tool(name="go-test", commands=(r"go test\b",), parse=parse, runs_tests=True, ecosystem="go")
