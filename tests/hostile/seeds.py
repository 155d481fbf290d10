"""Real outputs to start from: the samples, and each recorded case's first run."""

from dataclasses import dataclass
from functools import cache

from fixloop_bot.checks.registry import recognise
from tests.record.recipe import BASE
from tests.record.recorded import ALL
from tests.samples import SAMPLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """What one tool really printed, or wrote into a report."""

    tool: str
    """Name in `checks.registry.TOOLS`."""
    content: str
    is_report: bool


@cache
def seeds() -> tuple[Seed, ...]:
    """Return every sample's text and report, and those of each recorded case's first run."""
    return tuple(dict.fromkeys((*_sampled(), *_recorded())))


def _sampled() -> list[Seed]:
    known = [(recognise(one.command), one) for one in SAMPLES]
    said = [Seed(tool=tool, content=one.text, is_report=False) for tool, one in known]
    return said + [Seed(tool=tool, content=one.report, is_report=True) for tool, one in known if one.report]


def _recorded() -> list[Seed]:
    runs = [(one.recipe.tool, one.output(with_report=True)) for one in ALL if one.variant == BASE]
    said = [Seed(tool=tool, content=run.text, is_report=False) for tool, run in runs]
    reports = [(tool, report) for tool, run in runs for report in (run.report, *run.reports) if report]
    return said + [Seed(tool=tool, content=report, is_report=True) for tool, report in reports]
