"""Inputs that the fuzzer found, kept as fixtures so that each is read again by every test run."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "fixtures" / "fuzz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one parser once could not read."""

    tool: str
    content: str
    is_report: bool


def found_for_parsers() -> dict[str, Found]:
    """Return the inputs by the names of their files, `TOOL.text.WHAT` or `TOOL.report.WHAT`."""
    files = sorted(path for path in (FOLDER / "parsers").glob("*.*.*"))
    return {path.name: _read(path) for path in files}


def _read(path: Path) -> Found:
    tool, kind, _ = path.name.split(".", 2)
    return Found(tool=tool, is_report=kind == "report", content=path.read_bytes().decode("utf-8", errors="replace"))


def found_for_core() -> dict[str, str]:
    """Return the texts that masking and its like once could not take, by the names of their files."""
    return {path.name: path.read_bytes().decode("utf-8", errors="replace") for path in (FOLDER / "core").glob("*.txt")}
