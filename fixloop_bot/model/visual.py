"""Pages, their pictures, and what comparing them gave."""

from dataclasses import dataclass, field
from enum import StrEnum

SCHEMA = "fixloop.visual/1"
COMMAND = ("fixloop", "visual")
TOOL = "fixloop-visual"
HEADER = "fixloop visual:"
"""How its output begins."""


class VisualMode(StrEnum):
    """What the visual layer does in a run."""

    OFF = "off"
    COMPARE = "compare"
    RECORD = "record"
    """Make the pictures that later ones are compared with: a person's act."""


def visual_mode(*, skip: bool) -> VisualMode:
    """Return the mode that the setting `skip-visual` means."""
    return VisualMode.OFF if skip else VisualMode.COMPARE


class PageStatus(StrEnum):
    """What became of one page."""

    SAME = "same"
    DIFFERS = "differs"
    NO_BASELINE = "no-baseline"
    UNRENDERED = "unrendered"
    RECORDED = "recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of `visual.pages`."""

    name: str
    """As the configuration spells it."""
    path: str
    """POSIX, relative to the worktree; a page of a site, or a folder's `index.html`."""
    query: str = ""
    """With its `?` or `#`; empty for none."""
    baseline: str = ""
    """The picture that it is compared with, relative to the worktree."""


Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; the last two are the first that no longer belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where and how a picture differs from its baseline."""

    pixels: int
    of: int
    """Pixels of the area that both pictures cover together."""
    box: Box
    colours: tuple[str, str] | None = None
    """The most frequent change of a pixel, `#rrggbb` before and after."""
    sizes: tuple[tuple[int, int], tuple[int, int]] | None = None
    """Width and height of the baseline and of the page, where they differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReport:
    """What is told of one page."""

    page: Page
    status: PageStatus
    message: str = ""
    loaded: tuple[str, ...] = field(default=())
    """Files of the worktree that the page is made of, itself first."""
