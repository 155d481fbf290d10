"""The visual layer's rules: which check it is, where a page and its baseline lie, and how a difference is told."""

import hashlib
import posixpath
import re
from collections.abc import Sequence

from fixloop_bot.model.command import Check
from fixloop_bot.model.config import VisualConfig
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.visual import COMMAND, HEADER, TOOL, Box, Difference, Page, PageReport, PageStatus, VisualMode

BASELINES = ".fixloop/visual"
"""Folder of the baselines; `.fixloop/` is protected, so an attempt cannot change, move or delete them."""
RECORD = "fixloop validate --project-root . --layer visual --update-baselines"
LEFT_OUT = "the visual layer is left out; `--no-skip-visual` or FIXLOOP_SKIP_VISUAL=no runs it"
TIMEOUT_S = 900.0
_RECTANGLE = re.compile(r"(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})")
_WORDS: dict[PageStatus, str] = {
    PageStatus.SAME: "PASS",
    PageStatus.DIFFERS: "FAIL",
    PageStatus.NO_BASELINE: "NONE",
    PageStatus.UNRENDERED: "FAIL",
    PageStatus.RECORDED: "MADE",
}


def visual_check(config: VisualConfig, mode: VisualMode) -> Check | None:
    """Return the check that compares the configured pages, None where there is none to run."""
    if mode is VisualMode.OFF or not config.pages:
        return None
    masks = [f"--mask={mask}" for mask in config.mask]
    record = ["--record"] if mode is VisualMode.RECORD else []
    return Check(
        layer=Layer.VISUAL,
        command=(*COMMAND, *record, "--threshold", f"{config.threshold:g}", *masks, "--", *config.pages),
        tool=TOOL,
        source=".fixloop.yml visual",
        timeout_s=TIMEOUT_S,
        composed=True,
    )


def page_of(name: str) -> Page | None:
    """Return the page that a name in the configuration stands for, None where it leads out of the repository."""
    cut = min((at for at in (name.find("?"), name.find("#")) if at >= 0), default=len(name))
    path, query = name[:cut], name[cut:]
    folder = path.endswith("/") or path in ("", ".")
    normal = posixpath.normpath(path or ".")
    if "://" in path or normal.startswith(("/", "../")) or normal == ".." or not name.isprintable():
        return None
    normal = posixpath.normpath(f"{normal}/index.html") if folder else normal
    stem = re.sub(r"\.html?$", "", normal)
    mark = f"-{hashlib.sha256(query.encode()).hexdigest()[:8]}" if query else ""
    return Page(name=name, path=normal, query=query, baseline=f"{BASELINES}/{stem}{mark}.png")


def candidates(page: Page) -> tuple[str, ...]:
    """Return the files that the page may be, the likeliest first: its name may leave the ending out."""
    return (page.path, f"{page.path}.html", f"{page.path}/index.html")


def split_masks(masks: Sequence[str]) -> tuple[tuple[str, ...], tuple[Box, ...]]:
    """Return the CSS selectors and the rectangles; these are spelled `x,y,width,height`."""
    found = {mask: _RECTANGLE.fullmatch(mask.replace(" ", "")) for mask in masks}
    boxes = [tuple(map(int, match.groups())) for match in found.values() if match]
    return (
        tuple(mask for mask, match in found.items() if match is None),
        tuple((x, y, x + width, y + height) for x, y, width, height in boxes),
    )


def difference_words(difference: Difference, baseline: str, threshold: float, elements: Sequence[str]) -> str:
    """Return what differs, for somebody who does not see the pictures."""
    share = 100 * difference.pixels / max(difference.of, 1)
    left, top, right, bottom = difference.box
    parts = [
        f"{share:.2f} % of pixels differ from {baseline} ({difference.pixels} of {difference.of}, threshold "
        f"{threshold:g}), between ({left}, {top}) and ({right}, {bottom})"
    ]
    if difference.sizes:
        (width, height), (new_width, new_height) = difference.sizes
        parts.append(f"the page is {new_width}x{new_height} pixels, the baseline {width}x{height}")
    if elements:
        parts.append(f"there: {', '.join(elements)}")
    if difference.colours:
        parts.append("most often {} became {}".format(*difference.colours))
    return "; ".join(parts)


def no_baseline_words(page: Page) -> str:
    """Return how a person makes the picture that is missing."""
    return f"no baseline {page.baseline}: record it with `{RECORD}`, look at the picture, and commit it"


def report_lines(reports: Sequence[PageReport], threshold: float) -> list[str]:
    """Return the reports as text, a line a page, and one for what a page that differs is made of."""
    lines = [f"{HEADER} {len(reports)} page(s), threshold {threshold:g}"]
    for report in reports:
        said = f": {report.message}" if report.message else ""
        lines.append(f"{_WORDS[report.status]} {report.page.name}{said}")
        if report.status is PageStatus.DIFFERS and len(report.loaded) > 1:
            lines.append(f"     made of {', '.join(report.loaded)}")
    return lines


def failed(reports: Sequence[PageReport]) -> bool:
    """Return whether a page keeps the layer from passing."""
    return any(report.status not in (PageStatus.SAME, PageStatus.RECORDED) for report in reports)
