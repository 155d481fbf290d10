"""`cargo check` and `cargo build`, and `rustc` itself."""

from fixloop_bot.checks import rustc_json, rustc_text, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.fingerprint import Tier

CARGO = r"cargo (?:\+\S+ )?(?:-\S+ )*"
"""How a cargo command line begins, before the subcommand."""
MAX_MESSAGE_LINE = 200_000
"""Characters of one JSON message: the text of an error's explanation is part of it."""


def parse(output: ToolOutput) -> Parsed:
    """Read JSON messages, where the person's command asks for them, else the text."""
    for source in (output.report, output.text):
        lines = [line for line in (source or "").split("\n", text.MAX_LINES) if len(line) <= MAX_MESSAGE_LINE]
        structured = text.distinct(rustc_json.diagnostics(output, lines))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    found = text.distinct(rustc_text.diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


TOOL = Tool(
    name="cargo-check",
    commands=(CARGO + r"(?:check|build|rustc|doc|run|c|b)\b", r"rustc\b"),
    parse=parse,
    config_files=("rust-toolchain", "rust-toolchain.toml", ".cargo/config", ".cargo/config.toml"),
    ecosystem="rust",
)
