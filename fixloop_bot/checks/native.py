"""One build's output as a whole: compilers, linkers, CMake and make speak in turn, and all that they say counts."""

from fixloop_bot.checks import cmake_text, compiler, compiler_json, linker, make_text, sanitizers, text
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, Level
from fixloop_bot.model.fingerprint import Tier


def parse(output: ToolOutput) -> Parsed:
    """Read a build's output; where nothing in it failed, what a program that it built and ran says.

    Warnings alone are no finding: what failed then was something else, which another parser may know.
    """
    lines = text.lines(output.text)
    structured = text.distinct(compiler_json.diagnostics(output))
    found = (*structured, *_from_text(output, lines))
    if not any(item.level is Level.ERROR for item in found):
        found = (*found, *text.distinct(sanitizers.diagnostics(output, lines)))
    if not any(item.level is Level.ERROR for item in found):
        return Parsed()
    errors = {item for item in found if item.level is Level.ERROR}
    return Parsed(diagnostics=found, tier=Tier.STRUCTURED if errors <= set(structured) else Tier.PARSED)


def _from_text(output: ToolOutput, lines: list[str]) -> tuple[Diagnostic, ...]:
    readers = (compiler, linker, cmake_text, make_text)
    return text.distinct(item for reader in readers for item in reader.diagnostics(output, lines))
