"""The shape of a recipe: a project with two faults, its variants, and what is true of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field

BASE = "base"
"""The project with its two faults."""
AGAIN = "again"
"""The same tree in another directory at another time: the same failure."""
SHIFTED = "shifted"
"""Lines inserted above the faults: the same failure."""
PARTIAL = "partial"
"""One of the two faults is mended: another failure, and progress."""
OTHER = "other"
"""Another fault in the same file in the place of one of the two: another failure."""
DETAIL = "detail"
"""The same test or rule fails with another detail (another value, another name): another failure."""
VARIANTS = (AGAIN, SHIFTED, PARTIAL, OTHER, DETAIL)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a careful person reads in the output."""

    errors: int
    """Distinct errors, warnings not counted."""
    files: frozenset[str]
    """Paths, relative to the project, in which the errors are."""
    ids: tuple[str, ...]
    """Rule or test of each error, sorted; empty strings where the tool names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One tool on one small project. `RECIPES` of each module under `recipes` are found by themselves."""

    tool: str
    """Name in `checks.registry.TOOLS`."""
    case: str
    """Short name: `assert`, `syntax`, `types`."""
    layer: str
    command: str
    """Shell line, as a person's `.fixloop.yml` or script would have it."""
    needs: tuple[str, ...]
    """Programs that must be installed to record it."""
    packages: str = ""
    """How to install them: `apt: golang-go`, `npm: eslint@9`, `pip: flake8`."""
    files: Mapping[str, str]
    """Path to text: the project with its two faults."""
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each of `VARIANTS` (all but `again`, which needs nothing), the files that differ from `files`."""
    truths: Mapping[str, Truth]
    """For the project itself under `base` (also true of `again` and `shifted`), and for each other variant."""
    version: str = ""
    """Shell line that prints the tool's version; empty: the first of `needs` is asked."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Folders to link into the project, for tools that are installed beside it: `node_modules` to a path."""

    @property
    def name(self) -> str:
        """Return the name of its folder under `tests/fixtures/recorded`."""
        return f"{self.tool}-{self.case}"

    @property
    def recorded(self) -> tuple[str, ...]:
        """Return the variants that are recorded: the project itself, the same again, and those with other files."""
        return (BASE, AGAIN, *(variant for variant in VARIANTS if variant in self.variants))

    def sources(self, variant: str) -> Mapping[str, str]:
        """Return the files of a variant, by path."""
        return {**self.files, **self.variants.get(variant, {})}

    def truth(self, variant: str) -> Truth:
        """Return what is true of a variant's output."""
        return self.truths[BASE if variant in (AGAIN, SHIFTED) else variant]
