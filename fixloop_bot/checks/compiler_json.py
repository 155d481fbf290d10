"""What gcc prints with `-fdiagnostics-format=json`: an array for each file that it compiles, on a line of its own."""

from collections.abc import Iterator, Mapping

from fixloop_bot.checks import text
from fixloop_bot.checks.compiler_rules import rule_of
from fixloop_bot.checks.source_paths import SourceFinder
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level


def diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    """Yield errors and warnings; the notes below them (`children`) are passed over."""
    finder = SourceFinder(output, ())
    for line in output.text.split("\n", text.MAX_LINES):
        if line.startswith("[{") and '"column-origin"' in line:
            for item in text.objects(text.load_json(line)):
                yield from _diagnostic(finder, item)
        else:
            finder.enter(line[: text.MAX_LINE])


def _diagnostic(finder: SourceFinder, item: Mapping[str, object]) -> Iterator[Diagnostic]:
    level = text.level(text.string(item, "kind").removeprefix("fatal "))
    if level is Level.NOTE:
        return
    first = next(text.objects(item, "locations"), {})
    caret = text.child(first, "caret")
    said = text.string(item, "message")
    rule, kind, message = rule_of(said)
    option = text.string(item, "option").replace("-Werror=", "-W")
    file = text.string(caret, "file")
    yield Diagnostic(
        path=finder.find(file) if file else None,
        line=text.integer(caret, "line"),
        column=text.integer(caret, "column"),
        level=level,
        rule_id=option or rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.TYPE_ERROR if option else kind,
    )
