"""Lines for the Actions log, in which foreign text gives the runner no command.

The runner (actions/runner, `ActionCommand`) obeys a line that starts with `::` after white space, and one that has
`##[` anywhere; it ends lines at a lone carriage return too. So every foreign line gets a visible prefix, and `##[` is
broken up. `::add-mask::` is never written: it would put the secret itself on standard output.
"""

from collections.abc import Callable, Iterable, Iterator

from fixloop_bot.core.render.escape import clean, plain

PREFIX = "\u2502 "
"""Stands before every foreign line."""
TITLE_LIMIT = 200
MESSAGE_LIMIT = 1_000
LINE_LIMIT = 4_000
"""Characters of a line."""


def log_lines(text: str, *, redact: Callable[[str], str]) -> Iterator[str]:
    r"""Yield foreign text as lines (without `\n`) that hold no secret and that no runner takes for a command."""
    for line in clean(text, redact).split("\n"):
        shown = line if len(line) <= LINE_LIMIT else line[:LINE_LIMIT] + "\u2026"
        yield PREFIX + shown.replace("##[", "## [")


def log_group(title: str, texts: Iterable[str], *, redact: Callable[[str], str]) -> Iterator[str]:
    """Yield foreign texts as a group that can be folded. A secret that two of them share out is not seen: pass one."""
    yield f"::group::{_data(plain(clean(title, redact), TITLE_LIMIT))}"
    for text in texts:
        yield from log_lines(text, redact=redact)
    yield "::endgroup::"


def log_note(level: str, message: str, *, title: str = "fixloop", redact: Callable[[str], str]) -> str:
    """Return a workflow command that puts a note on the run's page; `level` is `notice`, `warning` or `error`.

    Raises ValueError for another level. GitHub shows ten of each level a step.
    """
    if level not in ("notice", "warning", "error"):
        raise ValueError(f"not a level of a note: {level!r}")
    shown = plain(clean(message, redact), MESSAGE_LIMIT)
    return f"::{level} title={_property(plain(clean(title, redact), TITLE_LIMIT))}::{_data(shown)}"


def _data(text: str) -> str:
    """Escape as actions/toolkit's `escapeData` does; `##[` would be obeyed even here."""
    return text.replace("##[", "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape as actions/toolkit's `escapeProperty` does."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
