"""`go vet`."""

import json
from collections.abc import Iterator, Mapping

from fixloop_bot.checks import go_text, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier


def parse(output: ToolOutput) -> Parsed:
    """Read the objects that `-json` prints, one per package, else the text."""
    for source in (output.report, output.text):
        structured = text.distinct(_from_json(output, source or ""))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    found = text.distinct(go_text.diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _from_json(output: ToolOutput, source: str) -> Iterator[Diagnostic]:
    for packages in _objects(source):
        for analysers in packages.values():
            for name, findings in analysers.items() if isinstance(analysers, dict) else ():
                yield from (_diagnostic(output, str(name), one) for one in text.objects(findings) if "posn" in one)


def _objects(source: str) -> Iterator[Mapping[str, object]]:
    """Yield the JSON objects that begin at the start of a line; the first that is none ends it."""
    decoder, at = json.JSONDecoder(), 0
    while (at := _next(source, at)) >= 0 and len(source) <= text.MAX_JSON:
        try:
            value, at = decoder.raw_decode(source, at)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value


def _next(source: str, at: int) -> int:
    if source.startswith("{", at) and at == 0:
        return 0
    found = source.find("\n{", max(at - 1, 0))
    return found + 1 if found >= 0 else -1


def _diagnostic(output: ToolOutput, analyser: str, finding: Mapping[str, object]) -> Diagnostic:
    path, line, column = (*text.string(finding, "posn").rsplit(":", 2), "", "")[:3]
    return Diagnostic(
        path=locate(output, path),
        line=text.number(line),
        column=text.number(column),
        rule_id=analyser,
        message=text.string(finding, "message")[: text.MAX_MESSAGE],
        kind=DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(name="go-vet", commands=(r"go vet\b", r"go tool vet\b"), parse=parse, ecosystem="go")
