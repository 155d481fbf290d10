"""`go build` and `go install`."""

from fixloop_bot.checks import go_text, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.fingerprint import Tier


def parse(output: ToolOutput) -> Parsed:
    """Read the text; older versions of go have no other form."""
    found = text.distinct(go_text.diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


TOOL = Tool(
    name="go-build",
    commands=(r"go (?:build|install|run|list|mod)\b",),
    parse=parse,
    ecosystem="go",
)
