"""Real outputs to start from: the samples, the recorded runs, and the inputs that once were too much for a parser."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.record.recorder import RECORDED
from tests.samples import SAMPLES

FOUND = Path(__file__).parent.parent / "fixtures" / "fuzz"
"""Inputs of the fuzzer's targets that once ended in an exception or took too long, by target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """What one tool really printed or reported."""

    tool: str
    """Name in `checks.registry.TOOLS`, or near to one: a recipe may be named otherwise."""
    text: str
    is_report: bool


@cache
def seeds() -> tuple[Seed, ...]:
    """Return every sample's text and report, and of each recorded case the first run's."""
    said = [Seed(tool=one.tool, text=one.text, is_report=False) for one in SAMPLES]
    told = [Seed(tool=one.tool, text=one.report, is_report=True) for one in SAMPLES if one.report]
    return (*said, *told, *_recorded())


def _recorded() -> tuple[Seed, ...]:
    files = sorted(path for path in RECORDED.glob("*/base.*") if path.suffix == ".txt" or "report" in path.suffix)
    return tuple(
        Seed(
            tool=path.parent.name,
            text=path.read_text(encoding="utf-8", errors="replace"),
            is_report=path.suffix != ".txt",
        )
        for path in files
    )
