"""Reading tools whose plain output may be JSON, if the person's command asks for that."""

from collections.abc import Callable, Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.fingerprint import Tier


def parse_json_or_text(
    output: ToolOutput,
    from_json: Callable[[ToolOutput, object], Iterator[Diagnostic]],
    from_text: Callable[[ToolOutput], Iterator[Diagnostic]],
) -> Parsed:
    """Return the diagnostics of the report, else of an output that is JSON, else of the text form."""
    for source in (output.report, output.text):
        documents = text.json_documents(source or "")
        structured = text.distinct(item for document in documents for item in from_json(output, document))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    diagnostics = text.distinct(from_text(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)
