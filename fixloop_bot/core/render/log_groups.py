"""Lines for the Actions log, in which foreign text gives the runner no command.

The runner (actions/runner, `ActionCommand`) obeys a line that starts with `::` after white space, and one that has
`##[` anywhere; it ends lines at a lone carriage return too. So every foreign line gets a visible prefix, and `##[` is
broken up. `::add-mask::` is never written: it would put the secret itself on standard output.
"""

from collections.abc import Iterable, Iterator

from fixloop_bot.core.render.escape import plain, visible

PREFIX = "\u2502 "
"""Stands before every foreign line."""
TITLE_LIMIT = 200
MESSAGE_LIMIT = 1_000
LINE_LIMIT = 4_000
"""Characters of a line."""


def log_lines(text: str) -> Iterator[str]:
    r"""Yield foreign text as lines (without `\n`) that no runner takes for a command."""
    for line in visible(text).split("\n"):
        shown = line if len(line) <= LINE_LIMIT else line[:LINE_LIMIT] + "\u2026"
        yield PREFIX + shown.replace("##[", "## [")


def log_group(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as a group that can be folded; `lines` are foreign, each with line ends of its own or without."""
    yield f"::group::{_data(plain(title, TITLE_LIMIT))}"
    for line in lines:
        yield from log_lines(line)
    yield "::endgroup::"


def log_note(level: str, message: str, *, title: str = "fixloop") -> str:
    """Return a workflow command that puts a note on the run's page; `level` is `notice`, `warning` or `error`.

    Raises ValueError for another level. GitHub shows ten of each level a step.
    """
    if level not in ("notice", "warning", "error"):
        raise ValueError(f"not a level of a note: {level!r}")
    return f"::{level} title={_property(plain(title, TITLE_LIMIT))}::{_data(plain(message, MESSAGE_LIMIT))}"


def _data(text: str) -> str:
    """Escape as actions/toolkit's `escapeData` does; `##[` would be obeyed even here."""
    return text.replace("##[", "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape as actions/toolkit's `escapeProperty` does."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
