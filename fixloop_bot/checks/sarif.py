"""SARIF 2.1.0, the exchange format of static analysis, whoever wrote it (OASIS sarif-v2.1.0)."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier

Json = Mapping[str, object]
_LEVELS: Mapping[str, Level] = {"error": Level.ERROR, "warning": Level.WARNING, "note": Level.NOTE}
_COMPILER = re.compile(r"^(?:GNU |clang|LLVM|Microsoft.*Compiler|javac|kotlinc|swiftc)", re.IGNORECASE)
_NO_RULE = frozenset({"error", "fatal error", "warning", "note"})
"""What gcc gives as rule where it has none."""
_PLACEHOLDER = re.compile(r"\{(\d{1,2})\}")
_MAX_DEPTH = 8
"""Folders named by folders in `originalUriBaseIds`."""


def parse(output: ToolOutput) -> Parsed:
    """Read the reports that a tool left, else an output that is SARIF, alone or amid other lines."""
    sources = (output.report, *output.reports) if output.report or output.reports else (output.text,)
    logs = [log for source in sources if _may_be_sarif(source) for log in text.json_documents(source or "")]
    found = text.distinct(item for log in logs for item in _from_log(output, log))
    return Parsed(diagnostics=found, tier=Tier.STRUCTURED if found else Tier.TEXT)


def _may_be_sarif(source: str | None) -> bool:
    return source is not None and '"runs"' in source and '"results"' in source


def _from_log(output: ToolOutput, log: object) -> Iterator[Diagnostic]:
    for run in text.objects(log, "runs"):
        rules = _rules(run)
        compiler = _COMPILER.match(text.string(_driver(run), "name")) is not None
        kind = DiagnosticKind.BUILD_ERROR if compiler else DiagnosticKind.LINT_ERROR
        for result in text.objects(run, "results"):
            yield from _from_result(output, run, result, (rules, kind))
        for invocation in text.objects(run, "invocations"):
            yield from _from_invocation(output, run, invocation)


def _from_result(
    output: ToolOutput, run: Json, result: Json, known: tuple[list[Json], DiagnosticKind]
) -> Iterator[Diagnostic]:
    rule = _rule_of(result, known[0])
    level = _level(result, rule)
    if level is None or text.string(result, "baselineState") == "absent" or _suppressed(result):
        return
    path, line, column = _place(output, run, result)
    rule_id = text.string(result, "ruleId") or text.string(text.child(result, "rule"), "id") or text.string(rule, "id")
    yield Diagnostic(
        path=path,
        line=line,
        column=column,
        level=level,
        rule_id=None if rule_id in _NO_RULE else rule_id[: text.MAX_LINE] or None,
        message=_message(text.child(result, "message"), rule)[: text.MAX_MESSAGE],
        kind=known[1],
    )


def _from_invocation(output: ToolOutput, run: Json, invocation: Json) -> Iterator[Diagnostic]:
    """Yield what the tool says of its own failure: a file that it could not parse, a rule that it does not know."""
    for key in ("toolExecutionNotifications", "toolConfigurationNotifications"):
        for notification in text.objects(invocation, key):
            if text.string(notification, "level") == "error":
                path, line, column = _place(output, run, notification)
                yield Diagnostic(
                    path=path,
                    line=line,
                    column=column,
                    rule_id=text.string(text.child(notification, "descriptor"), "id") or None,
                    message=_message(text.child(notification, "message"), {})[: text.MAX_MESSAGE],
                    kind=DiagnosticKind.BUILD_ERROR,
                )


def _level(result: Json, rule: Json) -> Level | None:
    """Return the level, None for what is no problem: kind `pass`, level `none` (sections 3.27.9 and 3.27.10)."""
    if text.string(result, "kind") not in {"", "fail"}:
        return None
    default = text.string(text.child(rule, "defaultConfiguration"), "level")
    return _LEVELS.get(text.string(result, "level") or default or "warning")


def _suppressed(result: Json) -> bool:
    """Return whether somebody accepted it: no suppression stands under review or was rejected (section 3.27.23)."""
    told = [text.string(one, "status") or "accepted" for one in text.objects(result, "suppressions")]
    return bool(told) and all(status == "accepted" for status in told)


def _driver(run: Json) -> Json:
    return text.child(text.child(run, "tool"), "driver")


def _rules(run: Json) -> list[Json]:
    return list(text.objects(_driver(run), "rules"))


def _rule_of(result: Json, rules: list[Json]) -> Json:
    index = text.integer(result, "ruleIndex")
    if index is None:
        index = text.integer(text.child(result, "rule"), "index")
    if index is not None and 0 <= index < len(rules):
        return rules[index]
    return {}


def _message(message: Json, rule: Json) -> str:
    """Return a message's text, looked up in the rule and filled in where only its id is given (section 3.11)."""
    said = text.string(message, "text")
    if not said:
        said = text.string(text.child(text.child(rule, "messageStrings"), text.string(message, "id")), "text")
    given = message.get("arguments")
    arguments = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []

    def filled(found: re.Match[str]) -> str:
        return arguments[int(found[1])] if int(found[1]) < len(arguments) else found[0]

    return _PLACEHOLDER.sub(filled, said[: text.MAX_MESSAGE]) if arguments else said


def _place(output: ToolOutput, run: Json, result: Json) -> tuple[str | None, int | None, int | None]:
    """Return path, line and column of the first location."""
    for location in text.objects(result, "locations"):
        physical = text.child(location, "physicalLocation")
        region = text.child(physical, "region")
        uri = _uri(run, text.child(physical, "artifactLocation"))
        if uri:
            return locate(output, uri), text.integer(region, "startLine"), text.integer(region, "startColumn")
    return None, None, None


def _uri(run: Json, artifact: Json) -> str:
    """Return an artifact's path, joined with the folders that its `uriBaseId` stands for (section 3.4.4)."""
    index = text.integer(artifact, "index")
    if not text.string(artifact, "uri") and index is not None:
        known = list(text.objects(run, "artifacts"))
        artifact = text.child(known[index], "location") if 0 <= index < len(known) else {}
    uri = unquote(text.string(artifact, "uri"))
    bases = text.child(run, "originalUriBaseIds")
    for _ in range(_MAX_DEPTH):
        if not uri or uri.startswith(("/", "file:")):
            break
        artifact = text.child(bases, text.string(artifact, "uriBaseId"))
        uri = posixpath.join(unquote(text.string(artifact, "uri")).removeprefix("file://"), uri)
    return uri


TOOL = Tool(name="sarif", commands=(), parse=parse)
