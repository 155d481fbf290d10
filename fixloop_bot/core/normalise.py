"""Masks what changes between two runs of the same failure, and nothing that tells failures apart."""

import re
from collections.abc import Iterable, Sequence

MAX_LINE = 4_000
"""Characters of a line that count; what is beyond belongs to no message that a person reads."""

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)?|[@-Z\\-_])|[\x00\x08\x7f]"
)
_QUOTED = re.compile(r"(?<![\w])'[^'\n]*'(?!\w)|\"[^\"\n]*\"|`[^`\n]*`|\u2018[^\u2018\u2019\n]*\u2019")
_COMPARISON = re.compile(
    r"^\s*(?:E\s+)?(?:[-+] ?\S|\[?(?:expected|received|actual|got|want(?:ed)?)\b)|\s(?:[!=]==?|<=?|>=?|is(?: not)?)\s",
    re.IGNORECASE,
)
_UNIT = r"(?:[mnuµ]?s|secs?|seconds?|msecs?|milliseconds?|min|minutes?|hours?)\b"

_EVERYWHERE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"pytest-of-[\w.-]{1,64}/pytest-\d{1,9}"), "<pytest-tmp>"),
    (re.compile(r"(?<![\w.])/(?:private/)?(?:var/)?tmp/(?:[\w-]{0,40}[._-])?tmp\.?[\w-]{6,12}(?![\w])"), "<tmp>"),
    (
        re.compile(
            r"(?<=<tmp>/)(?:cc\w{6}(?=\.[ios]\b)|tmp[._]?[\w-]{6,12}|[\w.-]{0,40}-(?=\w*[A-Z0-9])\w{6})(?![\w])"
        ),
        "<random>",
    ),
    (re.compile(r"\b0x[0-9a-fA-F]{9,16}\b|(?<=\bat )0x[0-9a-fA-F]{4,16}\b|(?<=@)0x[0-9a-fA-F]{4,16}\b"), "<address>"),
    (re.compile(r"(?<=[A-Za-z\]]@)(?=[a-f]*[0-9])[0-9a-f]{5,8}\b"), "<address>"),
    (re.compile(r"(?:\.\./){2,}"), "<up>/"),
)
_OUTSIDE_QUOTES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?i)\b((?:[\w-]{0,40}[-_])?seed(?:ed)?(?: with)?(?: seed)?\s{0,3}[:=]?\s{0,3})\d+"), r"\1<seed>"),
    (re.compile(r"(?i)\b(pids?|process|worker pid|thread id|tid)(\s?[:=#]?\s?)\d{2,10}\b"), r"\1\2<pid>"),
    (re.compile(r"\bgoroutine \d+\b"), "goroutine <id>"),
    (re.compile(r"==\d{2,10}=="), "==<pid>=="),
    (re.compile(r"\((node|java|ruby|python|bun):\d{2,10}\)"), r"(\1:<pid>)"),
    (re.compile(r"(?<=thread '\ue000') \(\d{1,10}\)"), " (<pid>)"),
    (re.compile(r"(?<![\w.])\d{2,10}(?= (?:Killed|Aborted|Terminated|Segmentation fault))"), "<pid>"),
    (re.compile(r"(?i)(?<![\w.])line \d+(?:,? col(?:umn)? \d+)?|\blines \d+[-\u2013]\d+"), "line <line>"),
    (re.compile(r"(?<=\.)([A-Za-z]\w{0,9})(?::\d+){1,2}(?![\w])"), r"\1:<line>"),
    (re.compile(r"(?<=\.)([A-Za-z]\w{0,9})\(\d+,\d+\)"), r"\1(<line>)"),
    (re.compile(r"\b(?:127\.0\.0\.1|localhost|\[?::1\]?|0\.0\.0\.0):(?:3[2-9]|[456]\d)\d{3}\b"), "<port>"),
)
_OUTSIDE_COMPARISONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"), "<uuid>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"), "<clock>"),
    (re.compile(r"(?<![\d:.])\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?|\.\d{1,9})(?![\d:])"), "<clock>"),
    (re.compile(r"(?<![\w.])1[5-9]\d{8}\.\d{1,9}\b"), "<epoch>"),
    (re.compile(r"(?i)\b((?:at|time|timestamp|ts|epoch|now)\s?[:=]?\s?)1[5-9]\d{8}(?:\d{3})?\b"), r"\1<epoch>"),
    (
        re.compile(r"(?<![\w.])\d+(?:\.\d+)? ?(?:[kKMGT]i?)?[Bb](?:ytes)?/s\b|(?<![\w.])\d+\.\d+ [\w-]{1,20}/s\b"),
        "<rate>",
    ),
    (re.compile(r"(?<![\w.])\d+\.\d+\s?" + _UNIT), "<time>"),
    (
        re.compile(r"(?i)(?<!timed out )\b(in|took|after|time[:=]?|duration[:=]?|elapsed[:=]?)\s{1,8}\d+\s?" + _UNIT),
        r"\1 <time>",
    ),
    (re.compile(r"\(\d+(?:\.\d+)?\s?" + _UNIT + r"\)"), "(<time>)"),
    (re.compile(r"\b(duration_ms|time|elapsed)([:=] ?)\"?\d+(?:\.\d+)?\"?"), r"\1\2<time>"),
)


def strip_ansi(text: str) -> str:
    r"""Return the text without terminal control sequences, and of each line only what its last `\\r` left standing."""
    plain = _ANSI.sub("", text).replace("\r\n", "\n")
    if "\r" not in plain:
        return plain
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in plain.split("\n"))


def own_path_pattern(paths: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of these absolute directories, longest first, at whole path components; None for none.

    Group 1 is the directory, group 2 the slash after it, if any. One directory may lie in another.
    """
    spelled = {path.rstrip("/") for path in paths if len(path.rstrip("/")) > 1}
    if not spelled:
        return None
    longest_first = "|".join(re.escape(path) for path in sorted(spelled, key=lambda path: (-len(path), path)))
    return re.compile(rf"(?:file://)?(?<![\w.-])({longest_first})(?![\w-]|\.\w)(/?)")


class Masker:
    """Masks one run's volatile tokens.

    `cwd` directories vanish (a path below them becomes relative), `tmp` directories become `<tmp>`.
    """

    def __init__(self, *, cwd: Sequence[str] = (), tmp: Sequence[str] = ()) -> None:
        self._own = own_path_pattern((*cwd, *tmp))
        self._cwd = frozenset(path.rstrip("/") for path in cwd)

    def line(self, line: str) -> str:
        """Return one line, masked. Plain integers and quoted text stay."""
        line = line[:MAX_LINE]
        if not line or line.isspace():
            return line
        if self._own:
            line = self._own.sub(self._mask_own, line)
        line = _substitute(line, _EVERYWHERE)
        if _COMPARISON.search(line):
            return _substitute_outside_quotes(line, _OUTSIDE_QUOTES)
        return _substitute_outside_quotes(line, _OUTSIDE_QUOTES + _OUTSIDE_COMPARISONS)

    def _mask_own(self, found: re.Match[str]) -> str:
        return "" if found[1] in self._cwd else f"<tmp>{found[2]}"

    def lines(self, text: str) -> list[str]:
        """Return the lines of a text, masked, without trailing blanks."""
        return [self.line(line).rstrip() for line in strip_ansi(text).split("\n")]


def _substitute(text: str, masks: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in masks:
        text = pattern.sub(replacement, text)
    return text


def _substitute_outside_quotes(line: str, masks: Sequence[tuple[re.Pattern[str], str]]) -> str:
    """Mask with quoted spans swapped for private-use characters, so that no pattern sees into or breaks at them."""
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match.group())
        return f"{match.group()[0]}\ue000{match.group()[-1]}"

    hidden = _QUOTED.sub(hide, line.replace("\ue000", ""))
    masked = _substitute(hidden, masks)
    spans = iter(kept)
    return re.sub(r".\ue000.", lambda _match: next(spans), masked)
