"""The worktree's files as checks see them; nothing outside of it is read through a link."""

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from fixloop_bot.adapters.matchers import load_matchers
from fixloop_bot.adapters.picture_store import PICTURES, PictureStore
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.adapters.report_watch import ReportWatch, read_regular
from fixloop_bot.adapters.tool_lookup import ToolLookup
from fixloop_bot.checks.ecosystems import registry as ecosystems
from fixloop_bot.checks.ecosystems.dependencies import declared_dependencies
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.registry import recognise
from fixloop_bot.core.plan import combine
from fixloop_bot.core.side_by_side import self_contained
from fixloop_bot.model.command import Check, Fixer, Plan
from fixloop_bot.model.config import ConfigError, ConfigProblem, RepoConfig
from fixloop_bot.model.matcher import ProblemMatcher
from fixloop_bot.model.visual import VisualMode

CONFIG_FILE = ".fixloop.yml"
MAX_TEXT = 1_000_000
MAX_REPORT = 16_000_000


class GitProject:
    """`Project` over a git worktree."""

    def __init__(  # noqa: PLR0913 - all but the first three are optional
        self,
        root: Path,
        *,
        scratch: Path,
        list_files: Callable[[], Sequence[str]],
        base_env: Mapping[str, str],
        config: RepoConfig | None = None,
        read_trusted: Callable[[str], str | None] | None = None,
        redact: Callable[[str], str] = str,
        visual: VisualMode = VisualMode.OFF,
        pictures: PictureStore | None = None,
    ) -> None:
        """`list_files` gives git's tracked and untracked, unignored paths; `config` None reads the worktree's own.

        `read_trusted` reads files where `config` comes from; None: in the worktree, too. Reports pass `redact`.
        `pictures` keeps what the visual layer shows; None: nobody does.
        """
        self._path = root.resolve()
        self.root = str(self._path)
        self.scratch = str(scratch)
        self._reports = scratch / "reports"
        self._list_files = list_files
        self._lookup = ToolLookup(self._path, base_env)
        self._config = config
        self._read_trusted = read_trusted or self.read
        self._redact = redact
        self._visual, self.pictures = visual, pictures
        self._numbers = count(1)

    def config(self) -> RepoConfig:
        """Return what `.fixloop.yml` says. Raises `ConfigProblem` where it cannot be used."""
        if self._config is not None:
            return self._config
        text = self.read(CONFIG_FILE)
        found = RepoConfig() if text is None else parse_repo_config(text, CONFIG_FILE)
        if isinstance(found, ConfigError):
            raise ConfigProblem(found)
        return found

    def plan(self) -> Plan:
        """Return what validates this worktree. Raises `ConfigProblem` for a `.fixloop.yml` that cannot be used."""
        config = self.config()
        snapshot = self._snapshot()
        plan = combine(ecosystems.detect(snapshot), config, recognise, visual=self._visual)
        plan = replace(plan, matchers=self.matchers(), parallel=config.parallel)
        if config.parallel == 1:
            return plan
        return replace(plan, self_contained=self_contained(plan.checks, snapshot.files, self.read))

    def matchers(self) -> tuple[ProblemMatcher, ...]:
        """Return the problem matchers that `.fixloop.yml` names. Raises `ConfigProblem` where one cannot be used."""
        return load_matchers(self.config().problem_matchers, self._read_trusted, CONFIG_FILE)

    def declared(self) -> frozenset[str]:
        """Return the names of the dependencies that the worktree's manifests declare, in lower case."""
        return declared_dependencies(self._snapshot())

    def resolve(self, command: Check | Fixer) -> tuple[str, ...]:
        """Return the argv with the tool found in the project's environment."""
        return self._lookup.resolve(command.command, command.project)

    def exists(self, path: str) -> bool:
        """Return whether the relative POSIX path is a regular file inside the worktree, no link followed out."""
        return self._inside(path) is not None

    def read(self, path: str) -> str | None:
        """Return the text of a file (UTF-8 with replacement, at most 1 MB), None if there is none."""
        real = self._inside(path)
        data = read_regular(real, MAX_TEXT) if real else None
        return None if data is None else data.decode("utf-8", errors="replace")

    def files(self) -> Sequence[str]:
        """Return the POSIX paths of the files that git knows or does not ignore, relative to the worktree."""
        return tuple(self._list_files())

    def report_path(self, name: str) -> str:
        """Return an absolute path, outside the worktree, where a command may write a report."""
        self._reports.mkdir(parents=True, exist_ok=True)
        return str(self._reports / f"{next(self._numbers)}-{name.replace('/', '-')}")

    def read_report(self, path: str) -> str | None:
        """Return what a command wrote there (at most 16 MB), None if nothing; the file is gone afterwards."""
        place = Path(path)
        if place.parent != self._reports:
            raise ValueError(f"not a report's path: {path}")
        data = read_regular(place, MAX_REPORT + 1)
        if not place.is_dir() or place.is_symlink():
            place.unlink(missing_ok=True)
        return None if data is None or len(data) > MAX_REPORT else self._redact(data.decode("utf-8", errors="replace"))

    def keep_pictures(self, path: str) -> tuple[str, ...]:
        """Keep the pictures that a command wrote beside its report at `path`; return where they are."""
        return self.pictures.keep(Path(f"{path}{PICTURES}")) if self.pictures else ()

    def watch_reports(self, project: str, patterns: Sequence[str]) -> Callable[[], tuple[str, ...]]:
        """Return what gives, once a command has run, the texts of matching files that it wrote (at most 16 MB in all).

        `patterns` are globs relative to the project; no link is followed. In the order of their paths.
        """
        watch = ReportWatch(self._path / project, patterns)
        return lambda: tuple(self._redact(report) for report in watch.written())

    def _snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._list_files()), self.read)

    def _inside(self, path: str) -> Path | None:
        """Return the real path of a regular file inside the worktree, None for everything else."""
        if not path or "\0" in path or path.startswith("/"):
            return None
        try:
            real = (self._path / path).resolve()
            regular = stat.S_ISREG(real.lstat().st_mode)
        except (OSError, RuntimeError, ValueError):  # a loop of links, a name too long, no such file
            return None
        return real if regular and real.is_relative_to(self._path) else None
