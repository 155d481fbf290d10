"""What fixloop makes of one command's output: the one place where parsers, fingerprint and excerpt meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, Unpack

from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.command import Limit
from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer, TestReport


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
    declared: frozenset[str]
    """Names of the dependencies that the project's manifests declare."""
    noise: NotRequired[frozenset[str]]
    """Lines that differ between two runs on the same tree (`core.fingerprint.learned_noise`)."""


def read_output(**ran: Unpack[Ran]) -> Reading:
    """Read one command's output. Never raises, whatever the output holds."""
    text = ran["output"].text
    return Reading(
        error_count=1,
        fingerprint=Fingerprint(tier=Tier.TEXT, fine=str(hash(text)), coarse=ran["layer"].value),
        excerpt="\n".join(text.splitlines()[-100:]),
    )


def merge_readings(layer: Layer, readings: Sequence[Reading]) -> Reading:
    """Return what several commands of one layer say together; `readings` are of the failing ones, at least one."""
    return readings[0]
