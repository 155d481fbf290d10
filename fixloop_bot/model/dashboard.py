"""What the dashboard issue of a sweep tells."""

from dataclasses import dataclass

from fixloop_bot.model.report import ReportStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class LastResult:
    """How the last run on a branch ended."""

    status: ReportStatus
    cost_usd: float | None
    at: str
    """ISO 8601, UTC."""
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardRow:
    """A branch that the sweep looked at."""

    branch: str
    pull_request: int | None = None
    chosen: bool
    why: str
    """Why it was chosen, or why not."""
    last: LastResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """A sweep, whole; rows in the order in which they would run."""

    rows: tuple[DashboardRow, ...]
    updated_at: str
    """ISO 8601, UTC."""
    cost_usd: float | None = 0.0
    max_usd: float = 0.0
    run_url: str = ""
    boxes: bool = True
    """Somebody listens when a box is ticked; without that there is none."""
