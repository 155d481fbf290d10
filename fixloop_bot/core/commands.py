"""Commands in comments: where a line counts as one."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from fixloop_bot.core.command_words import parse_words
from fixloop_bot.model.comment_command import CommandError, CommentCommand

MAX_COMMENT_CHARACTERS: Final = 65_536
"""GitHub's own limit of a comment; what stands beyond is not read."""
MAX_LINES: Final = 5000
"""Lines of a comment that are read: nested quotes make the parser look at each line many times."""
MAX_COMMANDS: Final = 5
"""Commands kept of one comment; routing obeys the first."""
MAX_NESTING: Final = 10
"""Levels of quotes and lists that are looked into; deeper text is no place for a command."""

NAME: Final = "/fixloop"
CLOSE: Final = 0.9
"""Similarity from which another first word counts as a mistyped `/fixloop`: one letter more or less."""

_FIRST_WORD = re.compile(r"^/[A-Za-z-]{5,10}(?=[ \t]|$)", re.MULTILINE)
_MARK = "\ue000"
_PRIVATE = re.compile("[\ue000-\ue001]")
_DETAILS = re.compile(r"<(/?)details(?=[\s/>]|$)", re.IGNORECASE)


def parse_commands(text: str) -> tuple[CommentCommand | CommandError, ...]:
    """Return a comment's commands in order, mistyped ones as errors; never raises.

    A command is `/fixloop` in ASCII at the very start of a line, with nothing else on the line than its words. It does
    not count inside of quotes, fenced, indented or inline code, HTML blocks and comments, nor what `<details>` folds
    away: https://spec.commonmark.org/0.31.2/. A line without `>` right below a quote is the commenter's own.
    """
    plain = _PRIVATE.sub("\ufffd", text[:MAX_COMMENT_CHARACTERS]).replace("\r\n", "\n").replace("\r", "\n")
    lines = plain.split("\n", MAX_LINES)[:MAX_LINES]
    marked = {number: word for number, line in enumerate(lines) if (word := _name(line))}
    if not marked:
        return ()
    source = "\n".join(_with_mark(number, line, marked.get(number)) for number, line in enumerate(lines))
    found = (parse_words(lines[number][len(marked[number]) :], name=marked[number]) for number in _live(source))
    return tuple(command for command, _ in zip(found, range(MAX_COMMANDS), strict=False))


def _name(line: str) -> str:
    """Return the line's first word if it is `/fixloop` or a slip of it, else nothing."""
    match = _FIRST_WORD.match(line)
    word = match[0] if match else ""
    return word if word and SequenceMatcher(None, NAME, word.lower()).ratio() >= CLOSE else ""


def _with_mark(number: int, line: str, name: str | None) -> str:
    """Put a mark with the line's number in place of the command's name, to find it again in the parsed text."""
    return line if name is None else f"{_MARK}{number}{_MARK}{line[len(name) :]}"


def _live(source: str) -> Iterator[int]:
    """Yield the numbers of the marked lines that are plain text to the reader."""
    folded = 0
    for token in _leaves(source):
        if token.type in ("html_block", "html_inline"):
            for match in _DETAILS.finditer(token.content):
                folded = max(folded - 1, 0) if match[1] else folded + 1
        elif token.type == "text" and not folded:
            yield from (int(number) for number in token.content.split(_MARK)[1::2])


def _leaves(source: str) -> Iterator[Token]:
    """Yield blocks and the parts of their text in the order of the document."""
    # Links, emphasis and entities change nothing about where a line stands and cost time on hostile text.
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.disable(["link", "image", "autolink", "emphasis", "entity", "reference", "text_join"])
    for token in parser.parse(source):
        yield from token.children or () if token.type == "inline" else (token,)
