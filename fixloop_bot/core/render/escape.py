"""Foreign text made harmless for the place where it is shown.

Branch names, test names, logs and a model's words are hostile: they may mention people, refer to issues, close a fence,
open HTML or give a command to another bot. GitHub looks for mentions and references in rendered text, so that a
backslash does not help, but never inside code; a zero-width space after `@` and `#` does (written as an entity, so that
whoever reads the source sees it).
"""

import re
from collections.abc import Callable

from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.core.render.limits import cut

PROSE_LIMIT = 300
"""Characters of foreign prose in one place."""

_LOOKED_AT = 16
"""Times the limit: white space and what cannot be seen may be taken out of it."""
_BREAKS = re.compile("\x0b|\x0c|\x85|\u2028|\u2029|\r\n?")
_SURROGATES = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""Control, bidirectional, zero-width, filler and tag characters."""
_ACTIVE = re.compile(r"[\\`*_\[\]~$&<>|@#]|gh-(?=[0-9])|://|www\.", re.IGNORECASE)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
_GAP = "&#8203;"
_BACKTICKS = re.compile("`+")
_TILDES = re.compile("~+")
_BOT_COMMAND = re.compile(r"^(?=/[A-Za-z])", re.MULTILINE)
_MENTION = re.compile(r"(?<!\w)@(?=[A-Za-z0-9])")


def clean(text: str, redact: Callable[[str], str]) -> str:
    r"""Return the text with no secret in it, before and after what cannot be seen is taken out; lines end in `\n`."""
    return redact(visible(redact(text)))


def visible(text: str) -> str:
    """Return the text without terminal sequences and invisible characters, valid in UTF-8."""
    lined = _BREAKS.sub("\n", strip_ansi(text))
    return _INVISIBLE.sub("", _SURROGATES.sub("\ufffd", lined))


def plain(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return one line of plain text, at most `limit` UTF-16 units: for titles, labels and other unformatted places.

    Secrets must be gone already (`clean`): what is looked at is cut first, so that a long text costs no more.
    """
    return cut(" ".join(visible(text[: limit * _LOOKED_AT]).split()), limit)


def prose(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return one line of Markdown that shows the text as it is; safe in a table cell, not meant to start a line."""
    return _ACTIVE.sub(_defused, plain(text, limit))


def code(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return a code span on one line. Not for table cells, whose bars would end it."""
    shown = plain(text, limit) or "(empty)"
    ticks = "`" * (_longest(_BACKTICKS, shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def log_fence(text: str) -> str:
    """Return a fenced block of a log. Lines that another bot would take for a command to it are kept from it."""
    return fence(_MENTION.sub("@\u200b", _BOT_COMMAND.sub(" ", visible(text))))


def fence(text: str, language: str = "") -> str:
    """Return a fenced block with exactly this text, whose fence no line of it can close."""
    ticks = "`" * max(_longest(_BACKTICKS, text) + 1, 3)
    tildes = "~" * max(_longest(_TILDES, text) + 1, 3)
    bar = tildes if len(tildes) < len(ticks) else ticks
    return f"{bar}{language}\n{text.rstrip(chr(10))}\n{bar}"


def _longest(run: re.Pattern[str], text: str) -> int:
    return max((len(found) for found in run.findall(text)), default=0)


def _defused(match: re.Match[str]) -> str:
    found = match.group()
    if found in _ENTITIES:
        return _ENTITIES[found]
    if found in ("@", "#"):
        return found + _GAP
    if found == "://":
        return f":{_GAP}//"
    if len(found) > 1:
        return f"{found[:-1]}{_GAP}{found[-1]}" if found[-1] != "-" else found + _GAP
    return "\\" + found
