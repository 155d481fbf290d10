"""What the failing tests expect: their source around each failure, and their messages."""

from collections.abc import Callable, Iterator

from fixloop_bot.core.regions import definitions, named, python_tree
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import LayerResult

MOST = 20
"""Failures whose tests are read."""
AROUND = 15
"""Lines before and after a failure in a language that is not parsed here."""


def expectations(result: LayerResult, read: Callable[[str], str | None]) -> tuple[str, ...]:
    """Return the texts that tell which values a failing test wants; `read` gives a file's text, None for no file."""
    failures = [each for each in result.diagnostics if each.kind is DiagnosticKind.TEST_FAILURE][:MOST]
    return tuple(dict.fromkeys(text for each in failures for text in _texts(each, read) if text))


def _texts(failure: Diagnostic, read: Callable[[str], str | None]) -> Iterator[str]:
    yield failure.message
    text = read(failure.path) if failure.path else None
    if failure.path is None or text is None:
        return
    lines = text.split("\n")
    name = (failure.test_id or "").split("[", 1)[0].rpartition("::")[2].rpartition(".")[2]
    regions = named([name], definitions(python_tree(failure.path, text)))
    if not regions and failure.line:
        regions = [(max(failure.line - AROUND, 1), failure.line + AROUND)]
    if not regions:
        regions = [(1, 10 * AROUND)]
    for first, last in regions:
        yield "\n".join(lines[first - 1 : last])
