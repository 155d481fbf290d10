"""`cargo fmt --check` and `rustfmt --check`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import cargo_check, rustc_text, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_DIFF = re.compile(r"^Diff in (?:\\\\\?\\)?(\S.*\.rs)(?: at line |:)(\d+):?$")


def parse(output: ToolOutput) -> Parsed:
    """Read one finding per file that is not formatted, and the syntax errors."""
    lines = text.lines(output.text)
    unformatted = text.distinct(_unformatted(output, lines))
    errors = text.distinct(rustc_text.diagnostics(output, lines)) if output.exit_code != 0 else ()
    found = (*unformatted, *errors)
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _unformatted(output: ToolOutput, lines: list[str]) -> Iterator[Diagnostic]:
    for line in lines:
        if found := _DIFF.match(line):
            path = locate(output, found[1])
            yield Diagnostic(
                path=path, rule_id="format", message="would be reformatted", kind=DiagnosticKind.LINT_ERROR
            )


TOOL = Tool(
    name="rustfmt",
    commands=(cargo_check.CARGO + r"fmt\b", r"(?:cargo-fmt|rustfmt)\b"),
    parse=parse,
    config_files=("rustfmt.toml", ".rustfmt.toml"),
    ecosystem="rust",
)
