"""From settings and the repository's configuration to a run request: flags, environment, `.fixloop.yml`, defaults."""

from fixloop_bot.entrypoints.settings import MAX_RETRIES_RANGE, Settings
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.request import RunRequest
from fixloop_bot.model.state import Limits, Models

MAX_RETRIES = 3
MAX_COST_USD = 3.0
MINUTES = 45.0


def to_request(
    settings: Settings, config: RepoConfig, *, run_id: str, now: float, error_context: str = ""
) -> RunRequest:
    """Return the request; `now` is in seconds since the epoch."""
    return RunRequest(
        run_id=run_id,
        story_id=settings.story_id,
        branch=settings.story_branch,
        limits=_limits(settings, config, now),
        models=Models(triage=config.models.triage, repair=config.models.repair, escalated=config.models.escalated),
        start_layer=Layer.LINT if settings.skip_compile else Layer.COMPILE,
        require=config.require,
        error_context=error_context,
        allow_dirty=settings.allow_dirty,
        allow_stale_updates=config.tests.allow_stale_updates,
    )


def _limits(settings: Settings, config: RepoConfig, now: float) -> Limits:
    low, high = MAX_RETRIES_RANGE
    retries = settings.max_retries or config.repair.max_retries or MAX_RETRIES
    cost = settings.max_cost_usd if settings.max_cost_usd is not None else config.budget.run_usd
    minutes = config.budget.minutes if config.budget.minutes is not None else MINUTES
    seconds = settings.timeout if settings.timeout is not None else 60 * minutes
    return Limits(
        max_retries=min(max(retries, low), high),
        max_attempts=config.repair.max_attempts,
        attempt_turns=config.repair.attempt_turns,
        max_cost_usd=MAX_COST_USD if cost is None else cost,
        deadline=now + seconds,
    )
