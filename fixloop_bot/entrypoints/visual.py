"""`fixloop visual`: the visual layer's check, as the plan calls it in the sandbox."""

import argparse
import importlib.util
import sys
from pathlib import Path

from fixloop_bot.core.visual import failed, report_lines
from fixloop_bot.entrypoints.exit_code import OF_VALIDATION
from fixloop_bot.model.layer import LayerStatus
from fixloop_bot.model.visual import HEADER

PACKAGES = ("playwright", "PIL", "pixelmatch")
NOT_FOUND = 127
"""As a shell says that a program was not found."""
INSTALL = "pip install 'fixloop-bot[visual]'"
BROWSER = "`playwright install chromium`, or your system's package chromium"


def visual_command(arguments: argparse.Namespace) -> int:
    """Compare or record the pages, print a line for each, and return 0, 1 where one does not pass, or 127."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        return _lacking(f"{missing[0]} is not installed", INSTALL)
    from fixloop_bot.adapters.visual.browser import NoBrowserError  # noqa: PLC0415 - an extra may be absent
    from fixloop_bot.adapters.visual.gallery import Order, look_at_pages  # noqa: PLC0415

    order = Order(
        root=Path.cwd(),
        pages=arguments.pages,
        masks=arguments.mask or (),
        threshold=arguments.threshold,
        record=arguments.record,
        report=Path(arguments.report) if arguments.report else None,
    )
    try:
        reports = look_at_pages(order)
    except NoBrowserError as error:
        return _lacking(str(error), BROWSER)
    sys.stdout.write("\n".join(report_lines(reports, order.threshold)) + "\n")
    return OF_VALIDATION[LayerStatus.FAIL if failed(reports) else LayerStatus.PASS]


def _lacking(what: str, advice: str) -> int:
    sys.stdout.write(f"{HEADER} {what}: {advice}\n")
    return NOT_FOUND
