"""What cargo prints with `--message-format json`, and rustc with `--error-format json`: one message a line."""

from collections.abc import Iterator, Mapping, Sequence

from fixloop_bot.checks import rustc_text, text
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the errors and warnings; nothing where no line is such a message."""
    for line in lines:
        message = _message(line)
        if message:
            yield from _diagnostic(output, message)


def _message(line: str) -> Mapping[str, object]:
    value = text.load_json(line) if '"message"' in line else None
    if not isinstance(value, dict):
        return {}
    if text.string(value, "reason") == "compiler-message":
        return text.child(value, "message")
    return value if text.string(value, "$message_type") == "diagnostic" else {}


def _diagnostic(output: ToolOutput, message: Mapping[str, object]) -> Iterator[Diagnostic]:
    level, said = text.string(message, "level").partition(":")[0], text.string(message, "message")
    rule = text.string(text.child(message, "code"), "code")
    span = next((one for one in text.objects(message, "spans") if one.get("is_primary") is True), None)
    if level not in {"error", "warning"}:
        return
    if span is not None:
        place = (text.string(span, "file_name"), str(span.get("line_start")), str(span.get("column_start")))
        told = text.message([said, text.string(span, "label"), *_types(message)])
        yield rustc_text.diagnostic(output, place, level, rule, told)
    elif rustc_text.counts(said, rule):
        yield rustc_text.diagnostic(output, None, level, rule, said)


def _types(message: Mapping[str, object]) -> Iterator[str]:
    for note in text.objects(message, "children"):
        said = text.string(note, "message")
        if said.startswith("expected ") and text.string(note, "level") == "note":
            yield from (line.strip() for line in said.split("\n")[:10])
