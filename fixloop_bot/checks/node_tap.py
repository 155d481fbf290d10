"""What `node --test` prints: TAP, and the `spec` form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import text

JOINT = " > "
_SUBTEST = re.compile(r"^( *)# Subtest: (.+)$")
_RESULT = re.compile(r"^( *)(not ok|ok) \d{1,9} - (.*?)( # (?:SKIP|TODO)\b.*)?$")
_LOCATION = re.compile(r"^ *location: ['\"]?(.+?):(\d{1,8}):(\d{1,8})['\"]?$")
_SPEC_LOCATION = re.compile(r"^test at (.+):(\d{1,8}):(\d{1,8})$")
_SPEC_SUITE = re.compile(r"^( *)\u25b6 (.+)$")
_SPEC_RESULT = re.compile(r"^( *)([\u2714\u2716\ufe63]) (.+?)(?: \(\d[\d.]*ms\))?( # (?:SKIP|TODO)\b.*)?$")
_ENDS_YAML = re.compile(r"^ *(?:\.\.\.|---|not ok \d.*)$")
_MAX_YAML = 400
"""Lines; so that a block without an end costs no more."""
_DETAIL = re.compile(r"^ *(error|code|name|expected|actual|failureType|type): ?(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One test's end, as printed."""

    name: str
    """Suites and test, joined by ` > `."""
    ok: bool
    skipped: bool = False
    suite: bool = False
    """It stands for its subtests, which are told apart."""
    path: str = ""
    line: str = ""
    column: str = ""
    detail: list[str] = field(default_factory=list)


def read_tap(lines: Sequence[str]) -> Iterator[Result]:
    """Yield the results of TAP version 13 with node's YAML below each."""
    opened: dict[int, str] = {}
    for index, line in enumerate(lines):
        if subtest := _SUBTEST.match(line):
            depth = len(subtest[1]) // 4
            opened = {level: name for level, name in opened.items() if level < depth} | {depth: subtest[2]}
        elif result := _RESULT.match(line):
            depth = len(result[1]) // 4
            parents = [opened[level] for level in sorted(opened) if level < depth and not _is_file(opened[level])]
            yield _tap_result(result, parents, _yaml(lines, index + 1))


def _tap_result(result: re.Match[str], parents: list[str], yaml: Sequence[str]) -> Result:
    place = next((found for line in yaml if (found := _LOCATION.match(line))), None)
    fields = {found[1]: found[2].strip("'\"") for line in yaml if (found := _DETAIL.match(line))}
    return Result(
        name=JOINT.join([*parents, result[3].strip()]),
        ok=result[2] == "ok",
        skipped=result[4] is not None,
        suite=fields.get("type") == "suite" or fields.get("failureType") == "subtestsFailed",
        path=place[1] if place else "",
        line=place[2] if place else "",
        column=place[3] if place else "",
        detail=_error(yaml),
    )


def _yaml(lines: Sequence[str], start: int) -> Sequence[str]:
    if start >= len(lines) or lines[start].strip() != "---":
        return ()
    end = start + 1
    while end < min(len(lines), start + _MAX_YAML) and not _ENDS_YAML.match(lines[end]):
        end += 1
    return lines[start + 1 : end]


def _error(yaml: Sequence[str]) -> list[str]:
    """Return the `error` value and the fields that tell details; the stack is left out."""
    shown: list[str] = []
    inside = False
    for line in yaml:
        found = _DETAIL.match(line)
        if found or re.match(r"^ *(?:stack|location|duration_ms): ?", line):
            inside = found is not None and found[1] == "error" and found[2].startswith(("|", ">"))
            if found and found[1] == "error" and not inside:
                shown.append(found[2].strip("'\""))
            elif found and found[1] in {"name", "expected", "actual"}:
                shown.append(f"{found[1]}: {found[2]}")
        elif inside:
            shown.append(line.strip())
    return [line for line in shown if line]


def read_spec(lines: Sequence[str]) -> Iterator[Result]:
    """Yield the results of the `spec` form; the failing ones are told again, with their places, at its end."""
    end = next((n for n, line in enumerate(lines) if line.startswith("\u2716 failing tests:")), len(lines))
    told = list(_told_again(lines[end + 1 :]))
    opened: dict[int, str] = {}
    for line in lines[:end]:
        if suite := _SPEC_SUITE.match(line):
            depth = len(suite[1]) // 2
            opened = {level: name for level, name in opened.items() if level < depth} | {depth: suite[2]}
        elif result := _SPEC_RESULT.match(line):
            depth = len(result[1]) // 2
            closes = opened.pop(depth, None) == result[3]
            parents = [opened[level] for level in sorted(opened) if level < depth]
            yield _spec_result(result, parents, told, closes=closes)


def _spec_result(result: re.Match[str], parents: list[str], told: list[Result], *, closes: bool) -> Result:
    again = next((other for other in told if other.name == result[3]), None) if result[2] == "\u2716" else None
    if again and not closes:
        told.remove(again)
    return Result(
        name=JOINT.join([*parents, result[3]]),
        ok=result[2] == "\u2714",
        skipped=result[2] == "\ufe63" or result[4] is not None,
        suite=closes,
        path=again.path if again else "",
        line=again.line if again else "",
        column=again.column if again else "",
        detail=again.detail if again else [],
    )


def _told_again(lines: Sequence[str]) -> Iterator[Result]:
    for index, line in enumerate(lines[:-1]):
        place = _SPEC_LOCATION.match(line)
        result = _SPEC_RESULT.match(lines[index + 1]) if place else None
        if place and result:
            detail = [shown.strip() for shown in _indented(lines, index + 2)]
            path, line_number, column = place[1], place[2], place[3]
            yield Result(name=result[3], ok=False, detail=detail, path=path, line=line_number, column=column)


def _indented(lines: Sequence[str], start: int) -> Sequence[str]:
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith("  ")):
        end += 1
        if lines[end - 1].lstrip().startswith("at "):
            return lines[start : end - 1]
    return lines[start : min(end, start + text.MAX_MESSAGE_LINES)]


def _is_file(name: str) -> bool:
    return name.startswith("/") or name.endswith((".js", ".mjs", ".cjs", ".ts", ".mts"))
