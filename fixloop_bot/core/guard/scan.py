"""Comments and strings told from code: one small scanner, a table of lexical rules per language. Linear in the text.

It reads broken code too, which a parser would not, and every text has exactly one reading: an unclosed comment or
string goes on to its natural end.
"""

import re
from collections.abc import Iterator
from enum import Enum

from fixloop_bot.core.guard.languages import Language


class Kind(Enum):
    """What a stretch of text is, where it is not code."""

    COMMENT = 1
    STRING = 2


Span = tuple[int, int, Kind]
"""Start, end and kind; spans are in order and do not overlap."""

_SLASHES = r"//[^\n]*"
_BLOCK = r"(?s:/\*.*?(?:\*/|\Z))"
_HASH = r"\#[^\n]*"
_DOUBLE = r'"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"?'
_SINGLE = r"'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'?"
_LONG_DOUBLE = r'"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\Z)'
_LONG_SINGLE = r"'[^'\\]*(?:\\[\s\S][^'\\]*)*(?:'|\Z)"
_TRIPLE = r'(?s:""".*?(?<!\\)(?:"""|\Z))'
_TRIPLE_SINGLE = r"(?s:'''.*?(?<!\\)(?:'''|\Z))"
_RAW_RUST = r'r(?P<fence>\#{0,20})(?s:".*?(?:"(?P=fence)|\Z))'
_CHARACTER = r"'(?:[^'\\\n]|\\[^\n]{1,10}?)'"
_BACKTICKS = r"`[^`]*(?:`|\Z)"

_RULES: dict[Language, tuple[str, str]] = {
    Language.PYTHON: (_HASH, f"{_TRIPLE}|{_TRIPLE_SINGLE}|{_DOUBLE}|{_SINGLE}"),
    Language.JAVASCRIPT: (f"{_SLASHES}|{_BLOCK}|<!--(?s:.*?)(?:-->|\\Z)", f"{_DOUBLE}|{_SINGLE}"),
    Language.GO: (f"{_SLASHES}|{_BLOCK}", f"{_DOUBLE}|{_CHARACTER}|{_BACKTICKS}"),
    Language.RUST: (f"{_SLASHES}|{_BLOCK}", f"{_RAW_RUST}|{_LONG_DOUBLE}|{_CHARACTER}"),
    Language.JAVA: (f"{_SLASHES}|{_BLOCK}", f"{_TRIPLE}|{_DOUBLE}|{_CHARACTER}"),
    Language.RUBY: (rf"(?ms:^=begin\b.*?(?:^=end\b|\Z))|{_HASH}", f"{_LONG_DOUBLE}|{_LONG_SINGLE}"),
    Language.PHP: (rf"{_SLASHES}|{_BLOCK}|\#(?!\[)[^\n]*", f"{_LONG_DOUBLE}|{_LONG_SINGLE}"),
    Language.CSHARP: (f"{_SLASHES}|{_BLOCK}", f'{_TRIPLE}|@"[^"]*(?:"|\\Z)|{_DOUBLE}|{_CHARACTER}'),
    Language.C: (f"{_SLASHES}|{_BLOCK}", f"{_DOUBLE}|{_CHARACTER}"),
    Language.SWIFT: (f"{_SLASHES}|{_BLOCK}", f"{_TRIPLE}|{_DOUBLE}"),
    Language.SHELL: (r"(?<![^\s;&|()])\#[^\n]*", f"{_LONG_DOUBLE}|'[^']*(?:'|\\Z)"),
}
_TOKENS = {
    language: re.compile(f"(?P<comment>{comment})|(?P<string>{string})")
    for language, (comment, string) in _RULES.items()
}
_JAVASCRIPT = re.compile(
    f"(?P<comment>{_RULES[Language.JAVASCRIPT][0]})|(?P<string>{_RULES[Language.JAVASCRIPT][1]})|(?P<mark>[`/{{}}])"
)
_TEMPLATE = re.compile(r"`|\$\{|\\[\s\S]")
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/[a-z]*")
_BEFORE_REGEX = frozenset("(,=:[!&|?{};+-*%~^<>\n")
_WORD_BEFORE_REGEX = re.compile(r"\b(?:return|typeof|case|in|of|yield|await|do|else)\Z")


def spans(text: str, language: Language) -> Iterator[Span]:
    """Yield the comments and strings, quotes and comment signs included."""
    if language is Language.JAVASCRIPT:
        yield from _javascript(text)
    elif language in _TOKENS:
        for token in _TOKENS[language].finditer(text):
            yield token.start(), token.end(), Kind.COMMENT if token["comment"] is not None else Kind.STRING


def _javascript(text: str) -> Iterator[Span]:
    """Yield the spans of a language whose template strings hold code, and whose `/` may open a regular expression."""
    depths: list[int] = []
    """Open braces of each piece of code inside a template, the innermost last."""
    at = 0
    while token := _JAVASCRIPT.search(text, at):
        start, at = token.span()
        mark = token["mark"]
        if mark is None:
            yield start, at, Kind.COMMENT if token["comment"] is not None else Kind.STRING
        elif mark == "/":
            at = _regex_end(text, start) or at
            if at > start + 1:
                yield start, at, Kind.STRING
        elif mark == "`" or (mark == "}" and depths[-1:] == [0]):
            at, opened = _template(text, at)
            _enter(depths, mark, opened=opened)
            yield start + (mark == "}"), at - 2 * opened, Kind.STRING
        elif depths:
            depths[-1] += 1 if mark == "{" else -1


def _enter(depths: list[int], mark: str, *, opened: bool) -> None:
    """Keep count of the code inside templates: a brace ended a piece of it, another may begin."""
    if mark == "}":
        depths.pop()
    if opened:
        depths.append(0)


def _regex_end(text: str, start: int) -> int | None:
    """Return where the regular expression ends that the slash opens, None where it divides."""
    before = text[max(0, start - 60) : start].rstrip(" \t")
    opens = not before or before[-1] in _BEFORE_REGEX or _WORD_BEFORE_REGEX.search(before)
    literal = _REGEX.match(text, start) if opens else None
    return literal.end() if literal else None


def _template(text: str, at: int) -> tuple[int, bool]:
    """Return where a template string's text ends, and whether code follows rather than its end."""
    for token in _TEMPLATE.finditer(text, at):
        if token[0] == "`":
            return token.end(), False
        if token[0] == "${":
            return token.end(), True
    return len(text), False
