"""The problem matchers that `.fixloop.yml` names, read from where the configuration is trusted."""

from collections.abc import Callable, Sequence

from fixloop_bot.adapters.yaml_lines import YamlProblem, parse_yaml
from fixloop_bot.checks.problem_matcher import parse_matchers
from fixloop_bot.model.config import ConfigError, ConfigProblem
from fixloop_bot.model.matcher import MatcherError, ProblemMatcher

KEY = "problem-matchers"

Read = Callable[[str], str | None]
"""Text of a file by its path in the repository, None if there is none."""


def load_matchers(paths: Sequence[str], read: Read, config_file: str) -> tuple[ProblemMatcher, ...]:
    """Return the matchers of these files, in order. Raises `ConfigProblem` with the line that names a bad one."""
    return tuple(matcher for number in range(len(paths)) for matcher in _load(paths, number, read, config_file))


def _load(paths: Sequence[str], number: int, read: Read, config_file: str) -> tuple[ProblemMatcher, ...]:
    document = read(paths[number])
    found = MatcherError("does not exist") if document is None else parse_matchers(document)
    if isinstance(found, MatcherError):
        message = f"`{KEY}[{number}]`: {paths[number]} {found.message}"
        raise ConfigProblem(ConfigError(config_file, _line(read(config_file), number), message))
    return found


def _line(config: str | None, number: int) -> int | None:
    """Return the line of `.fixloop.yml` that names the file, None where that is not at hand."""
    if config is None:
        return None
    try:
        return parse_yaml(config).lines.get((KEY, number))
    except YamlProblem:
        return None
