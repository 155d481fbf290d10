"""What is protected in a repository: what every repository protects, and what its own plan and configuration add."""

from collections.abc import Iterable

from fixloop_bot.checks.registry import config_files
from fixloop_bot.core.command_files import command_files
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.command import Plan
from fixloop_bot.model.config import RepoConfig


def protection_of(plan: Plan, config: RepoConfig, tracked: Iterable[str]) -> Protection:
    """Return the protected paths; `tracked` are the files that git knows."""
    return Protection(
        config_files=config_files(),
        extra=(*config.protect, *config.problem_matchers),
        executed=command_files(plan, frozenset(tracked)),
    )
