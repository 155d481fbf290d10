"""Small programs of our own in four languages, and the single faults that are put into them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
LANGUAGES = ("python", "javascript", "go", "ruby")
KINDS = ("operator", "boundary", "wrong variable", "missing case", "wrong call")
TABLE = "faults.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One line that is wrong."""

    language: str
    name: str
    kind: str
    """One of `KINDS`."""
    path: str
    """Relative to the program."""
    calls: int
    """Calls between the test and the function with the fault; 1: the test calls it itself."""
    old: str
    """The right line, whole."""
    new: str

    def line(self, program: Mapping[str, str]) -> int:
        """Return the 1-based number of the line. Raises `ValueError` unless the right line occurs exactly once."""
        lines = program[self.path].split("\n")
        if lines.count(self.old) != 1:
            raise ValueError(f"{self.language}: {self.name}: the line occurs {lines.count(self.old)} times")
        return lines.index(self.old) + 1

    def put_into(self, program: Mapping[str, str]) -> dict[str, str]:
        """Return the program with the fault in it."""
        lines = program[self.path].split("\n")
        lines[self.line(program) - 1] = self.new
        return {**program, self.path: "\n".join(lines)}


def program(language: str) -> dict[str, str]:
    """Return the texts of a program's files by their paths, the table of faults left out."""
    root = PROGRAMS / language
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}
    del texts[TABLE]
    return texts


def faults(language: str) -> tuple[Fault, ...]:
    """Return the faults of a program, as its table has them. Raises `ValueError` for a kind that there is not."""
    rows = tomllib.loads((PROGRAMS / language / TABLE).read_text(encoding="utf-8"))["fault"]
    if wrong := {row["kind"] for row in rows} - set(KINDS):
        raise ValueError(f"{language}: no such kind: {', '.join(sorted(wrong))}")
    return tuple(
        Fault(
            language=language,
            name=row["name"],
            kind=row["kind"],
            path=row["file"],
            calls=row["calls"],
            old=row["old"],
            new=row["new"],
        )
        for row in rows
    )
