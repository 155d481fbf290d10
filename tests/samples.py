"""The recorded outputs under `tests/fixtures/samples`."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.layer import Layer

FOLDER = Path(__file__).parent / "fixtures" / "samples"
OTHER_SOURCES = frozenset({"app.py", "app.js", "svc.py"})
"""Files of the recorded projects that hold no fault themselves but stand in stack traces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One recorded output with its truth."""

    tool: str
    case: str
    variant: str
    layer: Layer
    command: str
    cwd: str
    tmpdir: str
    exit_code: int
    errors: int
    files: frozenset[str]
    ids: tuple[str, ...]
    text: str
    report: str | None

    @property
    def name(self) -> str:
        return f"{self.tool}, {self.case}, {self.variant}"

    @property
    def exists(self) -> Callable[[str], bool]:
        return (self.files | OTHER_SOURCES).__contains__

    def output(self, *, with_report: bool) -> ToolOutput:
        return ToolOutput(
            text=strip_ansi(self.text),
            report=self.report if with_report else None,
            exit_code=self.exit_code,
            cwd=self.cwd,
            root=self.cwd,
            exists=self.exists,
            read=self.read,
        )

    def read(self, path: str) -> str | None:
        """Return a build file of the recorded project, where one is kept beside the outputs."""
        file = FOLDER / self.tool / "project" / path
        return file.read_text(encoding="utf-8") if file.is_file() else None


def _sample(row: dict[str, str]) -> Sample:
    folder = FOLDER / row["tool"]
    return Sample(
        tool=row["tool"],
        case=row["case"],
        variant=row["variant"],
        layer=Layer(row["layer"]),
        command=row["command"],
        cwd=row["cwd"],
        tmpdir=row["tmpdir"],
        exit_code=int(row["exit"]),
        errors=int(row["true_errors"]),
        files=frozenset(row["true_files"].split(",")),
        ids=tuple(sorted(row["true_ids"].split(" | "))),
        text=(folder / f"{row['case']}-{row['variant']}.txt").read_text(encoding="utf-8", errors="replace"),
        report=(folder / row["struct_file"]).read_text(encoding="utf-8") if row["struct_file"] else None,
    )


def _rows(manifest: Path) -> list[dict[str, str]]:
    with manifest.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


SAMPLES = tuple(_sample(row) for row in _rows(FOLDER / "MANIFEST.tsv"))
CASES = tuple(sorted({(sample.tool, sample.case) for sample in SAMPLES}))
ENVIRONMENT = tuple(_rows(FOLDER / "env" / "MANIFEST.tsv"))


def sample(tool: str, case: str, variant: str) -> Sample | None:
    """Return one recording, None if that variant was not recorded."""
    wanted = (tool, case, variant)
    return next((one for one in SAMPLES if (one.tool, one.case, one.variant) == wanted), None)
