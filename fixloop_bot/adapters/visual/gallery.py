"""All pages, one after the other: rendered, compared with their baselines or recorded, and told."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fixloop_bot.adapters.picture_store import PICTURES
from fixloop_bot.adapters.visual.browser import RenderError, Studio, View, open_studio
from fixloop_bot.adapters.visual.compare import Compared, UnreadableError, compare
from fixloop_bot.core.visual import difference_words, no_baseline_words, page_of, split_masks
from fixloop_bot.model.visual import SCHEMA, Box, Page, PageReport, PageStatus

MAX_PICTURES = 20
"""Pages of which pictures are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be done."""

    root: Path
    pages: Sequence[str]
    masks: Sequence[str] = ()
    threshold: float = 0.1
    record: bool = False
    report: Path | None = None
    """Where a report goes, and beside it the pictures; None: nowhere."""


def look_at_pages(order: Order) -> tuple[PageReport, ...]:
    """Return what became of each page; the report and the pictures are written. Raises `NoBrowserError`, OSError."""
    selectors, rectangles = split_masks(order.masks)
    with open_studio(order.root, selectors) as studio:
        reports = tuple(_page(name, studio, rectangles, order) for name in order.pages)
    if order.report is not None:
        pages = [{**asdict(one), **asdict(one.page)} for one in reports]
        order.report.write_text(json.dumps({"schema": SCHEMA, "pages": pages}), encoding="utf-8")
    return reports


def _page(name: str, studio: Studio, rectangles: Sequence[Box], order: Order) -> PageReport:
    page = page_of(name)
    if page is None:
        lost = Page(name=name, path="")
        return PageReport(page=lost, status=PageStatus.UNRENDERED, message="no path inside the repository")
    try:
        with studio.open(page) as view:
            loaded = tuple(studio.site.loaded)
            return _recorded(view, order) if order.record else _compared(view, loaded, rectangles, order)
    except (RenderError, UnreadableError) as error:
        return PageReport(page=page, status=PageStatus.UNRENDERED, message=f"cannot be compared: {error}")


def _recorded(view: View, order: Order) -> PageReport:
    file = order.root / view.page.baseline
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(view.picture())
    return PageReport(page=view.page, status=PageStatus.RECORDED, message=view.page.baseline)


def _compared(view: View, loaded: tuple[str, ...], rectangles: Sequence[Box], order: Order) -> PageReport:
    baseline = order.root / view.page.baseline
    if not baseline.is_file():
        words = no_baseline_words(view.page)
        return PageReport(page=view.page, status=PageStatus.NO_BASELINE, message=words)
    before, after = baseline.read_bytes(), view.picture()
    found = compare(before, after, threshold=order.threshold, rectangles=rectangles)
    if found is None:
        return PageReport(page=view.page, status=PageStatus.SAME)
    words = difference_words(found.difference, view.page.baseline, order.threshold, view.elements(found.difference.box))
    _keep(view.page, before, after, found, order)
    return PageReport(page=view.page, status=PageStatus.DIFFERS, message=words, loaded=loaded)


def _keep(page: Page, before: bytes, after: bytes, found: Compared, order: Order) -> None:
    """Write the pictures beside the report, for a person's eyes."""
    if order.report is None:
        return
    folder = Path(f"{order.report}{PICTURES}")
    folder.mkdir(exist_ok=True)
    if len(list(folder.iterdir())) >= 3 * MAX_PICTURES:
        return
    for name, picture in _names(page, before, after, found):
        (folder / name).write_bytes(picture)


def _names(page: Page, before: bytes, after: bytes, found: Compared) -> Iterator[tuple[str, bytes]]:
    stem = page.baseline.split("/", 2)[2].removesuffix(".png")
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", stem)[:100].lstrip("-.") or "page"
    yield f"{stem}.baseline.png", before
    yield f"{stem}.actual.png", after
    yield f"{stem}.diff.png", found.picture
