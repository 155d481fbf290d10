"""What is protected in a repository: what every repository protects, and what its own plan and configuration add."""

from collections.abc import Callable, Iterable

from fixloop_bot.checks.registry import config_files
from fixloop_bot.core.command_files import command_files
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.command import Plan
from fixloop_bot.model.config import RepoConfig


def protection_of(plan: Plan, config: RepoConfig, tracked: Callable[[], Iterable[str]]) -> Protection:
    """Return the protected paths; `tracked` gives the files that git knows, asked for when the first path is judged."""
    return Protection(
        config_files=config_files(),
        extra=(*config.protect, *config.problem_matchers),
        executed=lambda: command_files(plan, frozenset(tracked())),
    )
