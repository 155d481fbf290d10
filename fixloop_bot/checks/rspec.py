"""`rspec`."""

from collections.abc import Iterator, Mapping

from fixloop_bot.checks import rspec_text, ruby_frames, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

Json = Mapping[str, object]


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON report, else an output that is JSON, else the text, which all formatters end alike.

    An error outside of the examples (a file that cannot be loaded) is an error though no example failed.
    """
    for source in (output.report, output.text):
        report = text.load_json(source)
        if isinstance(report, dict) and isinstance(report.get("examples"), list) and "summary_line" in report:
            found = text.distinct(_from_json(output, report))
            return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests(report))
    lines = text.lines(output.text)
    found = text.distinct(rspec_text.diagnostics(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=rspec_text.tests(lines))


def _from_json(output: ToolOutput, report: Json) -> Iterator[Diagnostic]:
    for example in _with_status(report, "failed"):
        exception = text.child(example, "exception")
        backtrace = exception.get("backtrace")
        frames = [line for line in backtrace if isinstance(line, str)] if isinstance(backtrace, list) else []
        path = locate(output, _file(example))
        yield Diagnostic(
            path=path,
            line=ruby_frames.line_in(ruby_frames.places(output, frames), path) or text.integer(example, "line_number"),
            message=_message(exception),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=text.string(example, "full_description"),
        )
    messages = report.get("messages")
    for block in messages if isinstance(messages, list) else ():
        if isinstance(block, str):
            yield from rspec_text.outside_errors(output, text.lines(text.uncoloured(block)))


def _with_status(report: Json, status: str) -> Iterator[Json]:
    return (one for one in text.objects(report, "examples") if text.string(one, "status") == status)


def _file(example: Json) -> str:
    """Return the file that the example is listed under: its id names it even where shared examples lie elsewhere."""
    return text.string(example, "id").partition("[")[0] or text.string(example, "file_path")


def _message(exception: Json) -> str:
    kind = text.string(exception, "class")
    said = text.message(text.uncoloured(text.string(exception, "message")).split("\n", text.MAX_LINES))
    return said if kind.startswith("RSpec::") else f"{kind}: {said}"[: text.MAX_MESSAGE]


def _tests(report: Json) -> TestReport:
    passed, failed, pending = (_named(report, status) for status in ("passed", "failed", "pending"))
    return TestReport(len(passed) + len(failed), passed, failed, pending)


def _named(report: Json, status: str) -> tuple[str, ...]:
    return tuple(text.string(one, "full_description") for one in _with_status(report, status))


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JSON beside the text.

    Formatters on the command line or in SPEC_OPTS replace those of `.rspec` and of one another, with the files that
    these write, so this is for fixloop's own commands alone.
    """
    return (*argv, "--format", "progress", "--format", "json", "--out", path)


TOOL = Tool(
    name="rspec",
    commands=(r"rspec\b", r"(?:rake|rails)\s+(?:.{0,80}\s)?spec\b", r"(?:parallel_rspec|turbo_tests)\b"),
    parse=parse,
    report_suffix=".json",
    report_argv=report_argv,
    config_files=(".rspec", ".rspec-local", "spec_helper.rb", "rails_helper.rb"),
    runs_tests=True,
    ecosystem="ruby",
)
