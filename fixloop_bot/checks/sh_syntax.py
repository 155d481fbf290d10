"""`sh -n`, `bash -n` and the like: the shell reads a script and runs nothing."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_SAID = r"[Ss]yntax error\b|unexpected EOF while|parse error\b|bad substitution|conditional binary operator expected"
_LINE = re.compile(
    rf"^(?:[\w./-]{{0,200}}\b(?:ba|da|z|k|mk|a)?sh: )?([^:\n]{{1,1024}}): (?:line )?(\d{{1,8}}): ((?:{_SAID}).*)$"
)
_ZSH = re.compile(r"^([^:\n]{1,1024}):(\d{1,8}): (parse error\b.*)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the errors of scripts that are files of the repository; a shell stops at the first one of each."""
    found = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        found = _LINE.match(line) or _ZSH.match(line)
        path = in_repository(output, found[1]) if found else None
        if found and path:
            yield Diagnostic(
                path=path,
                line=text.number(found[2]),
                rule_id="syntax",
                message=found[3][: text.MAX_MESSAGE],
                kind=DiagnosticKind.SYNTAX_ERROR,
            )


TOOL = Tool(name="sh-syntax", commands=(r"(?:ba|da|z|k|mk|a)?sh -n\b",), parse=parse)
