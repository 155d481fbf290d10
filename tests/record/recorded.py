"""The recorded failures, read back: each variant of each recipe as an output to be read."""

import json
from dataclasses import dataclass

from fixloop_bot.app.read_output import Reading, read_output
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.layer import Layer
from tests.record.collection import all_recipes
from tests.record.recipe import Recipe
from tests.record.recorder import RECORDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded run."""

    recipe: Recipe
    variant: str
    cwd: str
    tmpdir: str
    exit_code: int | None

    @property
    def name(self) -> str:
        return f"{self.recipe.name}, {self.variant}"

    @property
    def report(self) -> str | None:
        path = RECORDED / self.recipe.name / f"{self.variant}.report"
        return path.read_bytes().decode() if path.exists() else None

    @property
    def reports(self) -> tuple[str, ...]:
        found = (RECORDED / self.recipe.name).glob(f"{self.variant}.report-*")
        return tuple(path.read_bytes().decode() for path in sorted(found, key=lambda path: (len(path.name), path)))

    def output(self, *, with_report: bool) -> ToolOutput:
        """Return the output, with all reports or with none."""
        text = (RECORDED / self.recipe.name / f"{self.variant}.txt").read_bytes().decode()
        return ToolOutput(
            text=strip_ansi(text),
            report=self.report if with_report else None,
            reports=self.reports if with_report else (),
            exit_code=self.exit_code,
            cwd=self.cwd,
            root=self.cwd,
            exists=self.recipe.sources(self.variant).__contains__,
            read=self.recipe.sources(self.variant).get,
        )

    def read(self, *, with_report: bool, tool: str | None = None) -> Reading:
        """Return what fixloop makes of it; the sources are the recipe's."""
        return read_output(
            layer=Layer(self.recipe.layer),
            tool=tool or self.recipe.tool,
            output=self.output(with_report=with_report),
            limit=None,
            missing_program=None,
            scratch=self.tmpdir,
            source_line=self._line,
            declared=frozenset,
        )

    def _line(self, path: str, number: int) -> str | None:
        lines = self.recipe.sources(self.variant).get(path, "").split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else None


def recorded_of(recipe: Recipe) -> dict[str, Recorded]:
    """Return the recorded variants of a recipe by name, none where it was not recorded yet."""
    meta = RECORDED / recipe.name / "meta.json"
    if not meta.exists():
        return {}
    variants = json.loads(meta.read_text(encoding="utf-8"))["variants"]
    return {
        variant: Recorded(
            recipe=recipe, variant=variant, cwd=run["cwd"], tmpdir=run["tmpdir"], exit_code=run["exit_code"]
        )
        for variant, run in variants.items()
    }


RECIPES = all_recipes()
ALL = tuple(one for recipe in RECIPES for one in recorded_of(recipe).values())
