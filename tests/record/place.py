"""The two places in which failures are recorded: unlike in depth and name, so that no path may matter."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.record.recipe import AGAIN, PARTIAL, SHIFTED, Recipe

TOP = Path("/tmp/fixloop-recording")
ELSEWHERE = frozenset({AGAIN, SHIFTED, PARTIAL})
"""Variants that are compared as equal, or as a part: recorded in the second place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a variant is built and run."""

    root: Path
    scratch: Path


def place_of(recipe: Recipe, variant: str) -> Place:
    """Return where a variant is recorded: always the same, so that recording again changes little."""
    if variant in ELSEWHERE:
        folder = TOP / "two" / "deeper" / recipe.name
        return Place(folder / "proj", TOP / "two-tmp" / f"tmp.{len(variant)}Xq" / recipe.name)
    folder = TOP / "one" / recipe.name
    return Place(folder / "project", folder / "scratch")


def build(place: Place, sources: Mapping[str, str], links: Mapping[str, str]) -> None:
    """Make the project afresh; what begins with `#!` is executable."""
    for folder in (place.root, place.scratch):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for path, text in sources.items():
        file = place.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        if text.startswith("#!"):
            file.chmod(0o755)
    for path, target in links.items():
        link = place.root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path(target).resolve(), target_is_directory=True)
