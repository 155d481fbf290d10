"""Replacing one exact place in a text, and saying helpfully why that cannot be done."""

import difflib
from dataclasses import dataclass

NEAR_LINES_SEARCHED = 3_000
LINE_LIMIT = 200
AROUND = 2


@dataclass(frozen=True, slots=True)
class NoSuchPlace:
    """Why an edit was not made, in words for the agent."""

    message: str


def replace_once(text: str, old: str, new: str) -> str | NoSuchPlace:
    """Return the text with the only occurrence of `old` replaced.

    Line endings of the text stay what they are at the place: `old` and `new` may be written with plain newlines. A
    newline at the very end of the text is never lost.
    """
    if not old:
        return NoSuchPlace("old is empty; give the exact lines to replace, or use create_file for a new file")
    spelled = next((form for form in (old, _crlf(old)) if form in text), None)
    if spelled is None:
        return NoSuchPlace(f"old does not occur.{_near(text, old)}")
    at = text.find(spelled)
    again = text.find(spelled, at + 1)
    if again >= 0:
        return NoSuchPlace(_ambiguous(text, spelled))
    written = _crlf(new) if _uses_crlf(text, at) else new
    if written == spelled:
        return NoSuchPlace("old and new are the same")
    edited = text[:at] + written + text[at + len(spelled) :]
    lost = text.endswith("\n") and edited and not edited.endswith("\n")
    return edited + ("\r\n" if text.endswith("\r\n") else "\n") if lost else edited


def _crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _uses_crlf(text: str, at: int) -> bool:
    """Return whether the line that holds the place, or the last one before it, ends in CRLF."""
    end = text.find("\n", at)
    if end < 0:
        end = text.rfind("\n", 0, at)
    return end > 0 and text[end - 1] == "\r"


def _ambiguous(text: str, old: str) -> str:
    lines: list[str] = []
    at = text.find(old)
    while at >= 0 and len(lines) < 10:
        lines.append(str(text.count("\n", 0, at) + 1))
        at = text.find(old, at + 1)
    return f"old occurs {text.count(old)} times (lines {', '.join(lines)}); include more lines around the one you mean"


def _near(text: str, old: str) -> str:
    """Return the lines of the text that are most like the first line of `old`, exactly as they stand."""
    wanted = next((line.strip() for line in old.splitlines() if line.strip()), "")[:LINE_LIMIT]
    lines = text.splitlines()
    stripped = [line.strip()[:LINE_LIMIT] for line in lines[:NEAR_LINES_SEARCHED]]
    close = [wanted] if wanted in stripped else difflib.get_close_matches(wanted, stripped, n=1)
    if not wanted or not close:
        return ""
    at = stripped.index(close[0])
    shown = [line[:LINE_LIMIT] for line in lines[max(0, at - AROUND) : at + AROUND + 1]]
    return f" Nearest, around line {at + 1}:\n" + "\n".join(shown)
