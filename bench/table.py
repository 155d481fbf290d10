"""A benchmark's section of docs/benchmarks.md: what was measured, where and when, as a table."""

import datetime
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
_HEAD = """# Benchmarks

Speed, memory and the aim of the first prompt, measured by `make bench` (or `python -m bench NAME …` for some of them);
no test depends on times. Each section says where and when it was measured; at a load average near the number of
processors others were at work, and times are too long rather than too short.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One benchmark's result."""

    name: str
    """As the command line names it."""
    about: str
    """What is measured, how, and what the goal is; a paragraph."""
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def written(section: Section) -> str:
    """Return the section as Markdown, its machine and date under its heading."""
    lines = [section.head, ["---"] * len(section.head), *section.rows]
    table = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
    return f"## {section.name}\n\n{section.about}\n\n{table}\n\n{machine()}\n"


def machine() -> str:
    """Return what the numbers hold for: processors, memory, system, Python, the day, and how busy it was."""
    memory = psutil.virtual_memory().total / 2**30
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return (
        f"Measured on {today}: {os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GiB of memory,"
        f" {platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()};"
        f" load average {os.getloadavg()[0]:.1f}."
    )


def replaced(page: str, section: Section) -> str:
    """Return the page with this section in place of the one of the same name, else at its end."""
    parts = (page or _HEAD).split("\n## ")
    others = [part for part in parts[1:] if part.partition("\n")[0] != section.name]
    new = written(section).removeprefix("## ")
    sections = sorted([*(part.rstrip("\n") + "\n" for part in others), new])
    return parts[0].rstrip("\n") + "\n" + "".join(f"\n## {part}" for part in sections)


def publish(section: Section, page: Path = PAGE) -> None:
    """Put the section into the page."""
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(replaced(before, section), encoding="utf-8")
