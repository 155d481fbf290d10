"""The shape of a tool's module: how to recognise it, ask it for a report and read what it says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a tool left behind, with nothing of the file system in it."""

    text: str
    """Standard output and error, ANSI sequences already removed."""
    report: str | None = None
    """The machine-readable report that it was asked for, if it wrote one."""
    reports: tuple[str, ...] = ()
    """The reports that it writes unasked (`Tool.report_files`), of this run alone, in the order of their paths."""
    exit_code: int | None = 0
    cwd: str = ""
    """Absolute directory that paths in the output are relative to, as the output spells it."""
    project: str = "."
    """The same directory relative to the worktree: prefixed to relative paths."""
    root: str = ""
    """Absolute path of the worktree as the output spells it; stripped from absolute paths."""
    exists: Callable[[str], bool] = field(default=lambda _path: True)
    """Whether a path relative to the worktree is a file there."""
    read: Callable[[str], str | None] = field(default=lambda _path: None)
    """Text of such a file, None where there is none: for what only the project's own build files tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What was made of an output; paths are POSIX, relative to the worktree."""

    diagnostics: tuple[Diagnostic, ...] = ()
    tier: Tier = Tier.TEXT
    tests: TestReport | None = None
    """Set when the output or report says how many tests ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    name: str
    commands: tuple[str, ...]
    """Regular expressions that find the tool in a command line or script."""
    parse: Callable[[ToolOutput], Parsed]
    report_suffix: str = ""
    """`.xml`, `.json`; empty: no report can be asked for without changing the command."""
    report_env: Callable[[str], Mapping[str, str]] | None = None
    """Environment that makes the tool write its report to the given path, the person's command left as it is."""
    report_argv: Callable[[tuple[str, ...], str], tuple[str, ...]] | None = None
    """For commands that fixloop itself composed: argv with the report asked for."""
    report_files: tuple[str, ...] = ()
    """Globs, relative to the project, of reports that it writes unasked: `target/surefire-reports/TEST-*.xml`."""
    config_files: tuple[str, ...] = ()
    """gitwildmatch patterns of files that configure it: protected."""
    keeps_pictures: bool = False
    """It writes pictures beside its report, which are kept for a person."""
    runs_tests: bool = False
    ecosystem: str = ""
    """`python`, `node`; empty: any."""
