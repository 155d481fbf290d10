"""`ruby -c`, and any script that Ruby cannot load or that ends with an exception: it prints both alike."""

import itertools
import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import ruby_frames, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_FILE = r"(?:[^\s:][^:\n]{0,1000}\.(?:rb|rake|ru|gemspec)|(?:[^\s:][^:\n]{0,1000}/)?(?:Rake|Gem)file)"
_FAULT = re.compile(rf"^({_FILE}):(\d{{1,8}}): (?!warning: )(\S.*)$")
_SYNTAX = re.compile(r"\bsyntax errors?\b|\(SyntaxError\)$")
_OTHER_SYNTAX = re.compile(
    r"^(?:unterminated |dynamic constant |Invalid (?:break|next|redo|retry|yield|return)|(?:class|module) definition |"
    r"class/module name |invalid (?:multibyte|hex|Unicode) |Can't (?:assign|change|set) |numbered parameter |"
    r"formal argument |duplicated |embedded document |unknown regexp |void value )"
)
"""What the older parser says without the words `syntax error`."""
_SUMMARY = re.compile(r"^syntax errors? found\b")
_SOURCE = re.compile(r"^[>\s] *(\d{1,8}) \| ")
_POINTED = re.compile(r"^ +\| +\^[~^]* (\S.*)$")
_HEAD = re.compile(r"^\S[^\n]*:\d{1,8}:in [`'][^\n]*$")
_EXCEPTION = re.compile(r"^(.*) \(([A-Z][\w:]{1,200})\)$")
_FROM = re.compile(r"^\s+(?:\d+: )?from ")
_MAX_FRAMES = 200
_NAME = "SyntaxError"


def parse(output: ToolOutput) -> Parsed:
    """Read syntax errors (of both of Ruby's parsers) and uncaught exceptions; there is no machine-readable form."""
    lines = text.lines(output.text)
    diagnostics = text.distinct(_diagnostics(output, lines))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def syntax_errors(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the syntax errors that an output names, indented or not."""
    for index, line in enumerate(lines):
        found = _FAULT.match(_parted(line.strip())[1])
        if not found or not (_SYNTAX.search(found[3]) or _OTHER_SYNTAX.match(found[3])):
            continue
        if _SUMMARY.match(found[3]):
            yield from _pointed(output, found, lines[index + 1 : index + 1 + text.MAX_MESSAGE_LINES])
        else:
            yield _syntax_error(output, found[1], text.number(found[2]), found[3])


def _pointed(output: ToolOutput, summary: re.Match[str], below: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what the newer parser (prism) points at: a source excerpt, each fault below its line."""
    line, pointed = text.number(summary[2]), False
    for shown in below:
        if source := _SOURCE.match(shown):
            line = text.number(source[1])
        elif fault := _POINTED.match(shown):
            pointed = True
            yield _syntax_error(output, summary[1], line, fault[1])
        elif " | " not in shown and not shown.rstrip().endswith("|") and "~~" not in shown:
            break
    if not pointed:
        yield _syntax_error(output, summary[1], line, summary[3])


def _syntax_error(output: ToolOutput, path: str, line: int | None, message: str) -> Diagnostic:
    return Diagnostic(
        path=locate(output, path),
        line=line,
        rule_id=_NAME,
        message=message.removesuffix(f" ({_NAME})"),
        kind=DiagnosticKind.SYNTAX_ERROR,
    )


def _parted(line: str) -> tuple[str, str]:
    """Part the frame that heads an uncaught exception from what it says; the frame is empty where none does."""
    head, parted, said = line.partition("': ")
    if parted and _HEAD.match(head):
        return f"{head}'", said
    return "", line.removeprefix("ruby: ")


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    yield from syntax_errors(output, [line for line in lines if line[:1].strip() or "|" in line])
    for index, line in enumerate(lines):
        head, said = _parted(line)
        thrown = _EXCEPTION.match(said) if head else None
        if thrown and thrown[2] != _NAME and not thrown[2].startswith("Bundler::"):
            frames = [head, *_frames(lines[index + 1 : index + 1 + _MAX_FRAMES])]
            yield from _uncaught(output, frames, thrown)


def _frames(below: Sequence[str]) -> Iterator[str]:
    """Yield the `from` lines; an excerpt of the source may stand before them."""
    start = next((n for n, line in enumerate(below) if _FROM.match(line)), len(below))
    yield from itertools.takewhile(_FROM.match, below[start:])


def _uncaught(output: ToolOutput, frames: Sequence[str], thrown: re.Match[str]) -> Iterator[Diagnostic]:
    """Yield an exception that ended the program, at the innermost of its frames in the repository.

    One without such a frame is Bundler's or another program's own: no fault of the code.
    """
    for path, line in ruby_frames.places(output, frames)[:1]:
        yield Diagnostic(
            path=path,
            line=line,
            rule_id=thrown[2],
            message=f"{thrown[2]}: {thrown[1]}"[: text.MAX_MESSAGE],
            kind=DiagnosticKind.BUILD_ERROR,
        )


TOOL = Tool(
    name="ruby-syntax",
    commands=(r"ruby\b.{0,200}?\s-[a-bd-zA-Z]{0,5}c\b",),
    parse=parse,
    ecosystem="ruby",
)
