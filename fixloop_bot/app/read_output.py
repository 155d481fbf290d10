"""What fixloop makes of one command's output: the one place where parsers, fingerprint and excerpt meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NotRequired, TypedDict, Unpack

from fixloop_bot.checks import environment, modules, text
from fixloop_bot.checks.places import places
from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.core.as_typed import as_text
from fixloop_bot.core.classify import Classification, Symptoms, classify
from fixloop_bot.core.errorlines import count_error_lines
from fixloop_bot.core.excerpt import LIMIT, excerpt
from fixloop_bot.core.fingerprint import combine, fingerprint, tell
from fixloop_bot.core.noise import Noise
from fixloop_bot.core.normalise import Masker, strip_ansi
from fixloop_bot.model.attempt import FailureMode
from fixloop_bot.model.command import Limit
from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer, TestReport
from fixloop_bot.model.matcher import ProblemMatcher

MAX_AFFECTED = 50
"""Files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one command's output, or a whole layer's, says."""

    diagnostics: tuple[Diagnostic, ...] = ()
    tier: Tier = Tier.TEXT
    tests: TestReport | None = None
    error_count: int = 0
    """At least 1; meaningful for a failing command only, like the fingerprint."""
    fingerprint: Fingerprint
    excerpt: str = ""
    """At most 100 lines."""
    affected_files: tuple[str, ...] = ()
    """Relative to the worktree, most telling first."""
    environmental: bool = False
    missing: tuple[str, ...] = ()
    """What the environment lacks, in words that a person can act on."""
    ambiguous: bool = False
    """There are words to read, and no rule can make anything of them."""

    @property
    def ran_no_test(self) -> bool:
        """Return whether it is known that no test ran, and no error tells why: a green that proves nothing."""
        return self.tests is not None and self.tests.executed == 0 and not tell(self.diagnostics)


class Ran(TypedDict):
    """How a command ended, and what is known of where it ran."""

    layer: Layer
    tool: str
    """Name in `checks.registry.TOOLS`."""
    output: ToolOutput
    limit: Limit | None
    missing_program: str | None
    scratch: str
    """Temporary directory as the output spells it; masked in the fingerprint."""
    source_line: Callable[[str, int], str | None]
    """Text of a line (path relative to the worktree, 1-based number), None where there is none."""
    declared: Callable[[], frozenset[str]]
    """Gives the names of the dependencies that the project's manifests declare; asked only where one is missing."""
    matchers: NotRequired[Sequence[ProblemMatcher]]
    """The repository's own problem matchers."""
    noise: NotRequired[frozenset[str]]
    """What two runs on the same tree differed in (`core.noise.noise_between`)."""


def read_output(**ran: Unpack[Ran]) -> Reading:
    """Read one command's output. Never raises, whatever the output holds."""
    output = _plain(ran["output"])
    parsed = _parse(ran["tool"], output, ran.get("matchers", ()))
    masks = (_masker(output, ran["scratch"]), Noise(ran.get("noise", frozenset())))
    verdict = _classify(ran, output, parsed)
    return Reading(
        diagnostics=parsed.diagnostics,
        tier=parsed.tier,
        tests=parsed.tests,
        error_count=len(tell(parsed.diagnostics)) or count_error_lines(output.text),
        fingerprint=fingerprint(
            ran["layer"],
            tier=parsed.tier,
            diagnostics=parsed.diagnostics,
            text=output.text,
            masks=masks,
            source_line=ran["source_line"],
        ),
        excerpt=excerpt(output.text, parsed.diagnostics),
        affected_files=_affected_files(output, parsed.diagnostics),
        environmental=verdict.mode is FailureMode.ENVIRONMENTAL,
        missing=verdict.missing,
        ambiguous=verdict.ambiguous and parsed.tests is None and bool(output.text.strip()),
    )


def merge_readings(layer: Layer, readings: Sequence[Reading]) -> Reading:
    """Return what several commands of one layer say together.

    `readings` are those of the failing commands (at least one) and, for the tests, of the others. Only where all
    failures are the environment's is the layer's.
    """
    if len(readings) == 1:
        return readings[0]
    parts = [reading.excerpt for reading in readings]
    share = max(LIMIT // max(len(parts), 1), 1)
    diagnostics = tuple(item for reading in readings for item in reading.diagnostics)
    joined = "\n".join(
        excerpt(part, reading.diagnostics, limit=share) for part, reading in zip(parts, readings, strict=True)
    )
    return Reading(
        diagnostics=diagnostics,
        tier=max((reading.tier for reading in readings), key=list(Tier).index, default=Tier.TEXT),
        tests=merge_tests([reading.tests for reading in readings]),
        error_count=sum(reading.error_count for reading in readings),
        fingerprint=combine(layer, [reading.fingerprint for reading in readings]),
        excerpt=joined,
        affected_files=tuple(dict.fromkeys(path for reading in readings for path in reading.affected_files)),
        environmental=bool(readings) and all(reading.environmental for reading in readings),
        missing=tuple(dict.fromkeys(words for reading in readings for words in reading.missing)),
        ambiguous=bool(readings) and all(reading.ambiguous for reading in readings),
    )


def merge_tests(reports: Sequence[TestReport | None]) -> TestReport | None:
    """Return the sum of what several runners tell, None if none tells anything."""
    known = [report for report in reports if report is not None]
    if not known:
        return None
    return TestReport(
        sum(report.executed for report in known),
        tuple(name for report in known for name in report.passed),
        tuple(name for report in known for name in report.failed),
        tuple(name for report in known for name in report.skipped),
    )


def _plain(output: ToolOutput) -> ToolOutput:
    return replace(output, text=strip_ansi(output.text))


def _parse(tool: str, output: ToolOutput, matchers: Sequence[ProblemMatcher]) -> Parsed:
    parsed = parse(tool, output, matchers)
    return replace(parsed, diagnostics=tuple(_clean(item) for item in parsed.diagnostics))


def _clean(item: Diagnostic) -> Diagnostic:
    """Return it as text that can be written anywhere: a JSON report may hold terminal sequences and surrogates."""
    return replace(
        item,
        path=None if item.path is None else as_text(item.path),
        rule_id=None if item.rule_id is None else as_text(item.rule_id),
        test_id=None if item.test_id is None else as_text(item.test_id),
        message=as_text(strip_ansi(item.message)),
    )


def _masker(output: ToolOutput, scratch: str) -> Masker:
    return Masker(cwd=(output.cwd, output.root), tmp=(scratch,))


def _classify(ran: Ran, output: ToolOutput, parsed: Parsed) -> Classification:
    return classify(
        Symptoms(
            exit_code=output.exit_code,
            limit=ran["limit"],
            missing_program=ran["missing_program"],
            diagnostics=parsed.diagnostics,
            unresolved=modules.unresolved(output, ran["declared"]),
            lacks=environment.lacks(output),
        )
    )


def _affected_files(output: ToolOutput, diagnostics: Sequence[Diagnostic]) -> tuple[str, ...]:
    """Return the files of the diagnostics, then those that the text names beside them, as far as they exist."""
    told = [item.path for item in (*tell(diagnostics), *diagnostics) if item.path and output.exists(item.path)]
    named = [hit.path for hit in places(output, text.lines(output.text))]
    return tuple(dict.fromkeys([*told, *named]))[:MAX_AFFECTED]
