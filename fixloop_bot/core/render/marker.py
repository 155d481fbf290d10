"""The hidden first line of fixloop's comment: by it the comment is found, and the next run reads what was left."""

import re
from collections.abc import Mapping

from fixloop_bot.model.layer import ORDER
from fixloop_bot.model.report import Marker, Report, ReportStatus

MARKER_START = "<!-- fixloop:report "

_STATUSES = "|".join(ReportStatus)
_LAYERS = "|".join(ORDER)
_MARKER = re.compile(
    r"<!-- fixloop:report v=1 run=(?P<run>[A-Za-z0-9._-]{1,100}) head=(?P<head>[0-9a-f]{40}|[0-9a-f]{64}|none)"
    rf" status=(?P<status>{_STATUSES}) iterations=(?P<iterations>\d{{1,6}}) usd=(?P<usd>\d{{1,7}}\.\d{{4}})"
    r" pushed=(?P<pushed>[0-9a-f]{40}|[0-9a-f]{64}|none)"
    rf" attempts=(?P<attempts>none|(?:{_LAYERS}):\d{{1,6}}(?:,(?:{_LAYERS}):\d{{1,6}}){{0,4}}) -->",
    re.ASCII,
)
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_UNFIT = re.compile(r"[^A-Za-z0-9._-]")
_MOST = 999_999
_FIRST_LINE = 1_000
"""Characters of a comment that are looked at."""


def marker(report: Report) -> str:
    """Return the marker, one line."""
    cost = min(report.cost_usd + report.surroundings.earlier_cost_usd, float(_MOST))
    fields = {
        "v": "1",
        "run": _UNFIT.sub("_", report.run_id)[:100] or "none",
        "head": _sha(report.head_sha),
        "status": str(report.status),
        "iterations": str(min(report.iteration, _MOST)),
        "usd": f"{max(cost, 0.0):.4f}",
        "pushed": _sha(report.pushed_sha),
        "attempts": _attempts(report.attempts_by_layer),
    }
    return MARKER_START + " ".join(f"{name}={value}" for name, value in fields.items()) + " -->"


def is_report(text: str) -> bool:
    """Return whether a comment is one of fixloop's reports by its look; who wrote it is for the caller to check."""
    return text.startswith(MARKER_START)


def read_marker(text: str) -> Marker | None:
    """Return the state in a comment's first line, None for any other shape. Nothing in it is proven."""
    first = text[:_FIRST_LINE].split("\n", 1)[0].rstrip("\r ")
    found = _MARKER.fullmatch(first)
    if found is None:
        return None
    counts = [] if found["attempts"] == "none" else [pair.split(":") for pair in found["attempts"].split(",")]
    if len({layer for layer, _ in counts}) != len(counts):
        return None
    return Marker(
        run_id=found["run"],
        head_sha="" if found["head"] == "none" else found["head"],
        status=ReportStatus(found["status"]),
        iterations=int(found["iterations"]),
        cost_usd=float(found["usd"]),
        pushed_sha="" if found["pushed"] == "none" else found["pushed"],
        attempts={layer: int(number) for layer, number in counts},
    )


def _sha(text: str) -> str:
    return text if _SHA.fullmatch(text) else "none"


def _attempts(counts: Mapping[str, int]) -> str:
    known = [f"{layer}:{min(counts[layer], _MOST)}" for layer in ORDER if counts.get(layer, 0) > 0]
    return ",".join(known) or "none"
