"""Checks: run them, read what they left, and say what that means."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.app.read_output import Reading, read_output
from fixloop_bot.app.source_line import source_line
from fixloop_bot.checks.named_reports import named_reports
from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.as_typed import as_text, command_line
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.command import CACHE, SCRATCH, Check, CommandOutput, CommandRequest
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.layer import Evidence, LayerStatus
from fixloop_bot.model.matcher import ProblemMatcher
from fixloop_bot.ports.project import CommandRunner, Project

CANNOT_EXECUTE = (126, 127)
"""What a shell exits with when it cannot execute a command, or not find it (POSIX, Shell Command Language 2.8.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What one check's run means."""

    status: LayerStatus
    reason: str = ""
    reading: Reading
    evidence: Evidence
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a worktree before its checks run."""

    declared: Callable[[], frozenset[str]] = frozenset
    """Gives the names of the dependencies that its manifests declare; asked only where one is missing."""
    matchers: tuple[ProblemMatcher, ...] = ()
    noise: frozenset[str] = frozenset()
    """What differed in the layer's output between runs on one tree."""


def run_checks(
    checks: Sequence[Check], project: Project, runner: CommandRunner, known: Known, *, at_once: int | None = None
) -> list[CheckResult]:
    """Run checks side by side, each in its project; `at_once` at the same time at most."""
    begun = [_begun(check, project) for check in checks]
    outputs = runner.run_all([one.request for one in begun], at_once=at_once)
    return [_read(one, output, project, known) for one, output in zip(begun, outputs, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """A check about to run."""

    check: Check
    request: CommandRequest
    report: str
    """Path of the report that is asked for; empty: none."""
    written: Callable[[], tuple[str, ...]]
    """Gives the other reports that it wrote."""


def _begun(check: Check, project: Project) -> _Begun:
    asked, path = _with_report(check, project)
    named = named_reports(command_line(check.command))
    return _Begun(
        check=check,
        request=CommandRequest(
            argv=project.resolve(asked),
            cwd=_folder(check, project),
            env=_placed(asked, project),
            timeout_s=check.timeout_s,
            idle_timeout_s=check.idle_timeout_s,
        ),
        report=path,
        written=project.watch_reports(check.project, (*TOOLS[check.tool].report_files, *named)),
    )


def _read(begun: _Begun, output: CommandOutput, project: Project, known: Known) -> CheckResult:
    check, path = begun.check, begun.report
    reports = begun.written()
    pictures = project.keep_pictures(path) if path and TOOLS[check.tool].keeps_pictures else ()
    report = _own_report(check, project.read_report(path) if path else None, reports)
    reading = read_output(
        layer=check.layer,
        tool=check.tool,
        output=replace(_tool_output(check, project, output, report), reports=reports),
        limit=output.limit,
        missing_program=output.missing,
        scratch=project.scratch,
        source_line=source_line(project),
        declared=known.declared,
        matchers=known.matchers,
        noise=known.noise,
    )
    reported = (report is not None) if path else _has_reported(check, reading, reports)
    status, reason = judge_check(check, output, reading, reported=reported)
    evidence = _evidence(check, output)
    return CheckResult(status=status, reason=reason, reading=reading, evidence=evidence, pictures=pictures)


def _own_report(check: Check, report: str | None, reports: tuple[str, ...]) -> str | None:
    """Return the report asked for; where the command names another file for it, which wins, that one."""
    tool = TOOLS[check.tool]
    stands_in = report is None and tool.report_suffix and not tool.report_files and reports
    return reports[0] if stands_in else report


def _has_reported(check: Check, reading: Reading, reports: tuple[str, ...]) -> bool | None:
    """Return whether reports that nobody asked for speak for the tool; a file that the command names, of tests alone.

    A linter that reports findings to a file and exits with 0 does as it was told.
    """
    speaks = reports and (TOOLS[check.tool].report_files or reading.tests is not None)
    return True if speaks else None


def judge_check(
    check: Check, output: CommandOutput, reading: Reading, *, reported: bool | None
) -> tuple[LayerStatus, str]:
    """Return status and reason. The exit code decides, with two guards: no test ran, or the report contradicts it.

    `reported` says whether the tool wrote the report it was asked for, None if it was not asked.
    """
    line = command_line(check.command)
    if output.limit is not None:
        return LayerStatus.FAIL, f"`{line}`: {output.limit} after {output.duration_s:.0f} s"
    lacking = _lacking(check, output)
    if lacking:
        return LayerStatus.ERROR, f"`{line}`: {lacking}"
    errors = [item for item in reading.diagnostics if item.level is Level.ERROR]
    if reading.tests is not None and reading.tests.executed == 0 and not errors:
        return LayerStatus.ERROR, f"`{line}` ran no test"
    if output.exit_code != 0:
        return LayerStatus.FAIL, ""
    failed = len(reading.tests.failed) if reading.tests else 0
    if reported and (failed or errors):  # the text alone contradicts nothing: it may be another program's
        return LayerStatus.FAIL, f"`{line}` exits with 0, but its own report has {failed or len(errors)} failed"
    silent = not output.text.strip()
    if TOOLS[check.tool].runs_tests and reading.tests is None and (reported is False or reading.missing or silent):
        return LayerStatus.ERROR, f"`{line}` exits with 0, but nothing shows that a test ran"
    return LayerStatus.PASS, ""


def _lacking(check: Check, output: CommandOutput) -> str:
    """Return what the command could not be run for, empty if it ran."""
    if output.missing is not None:
        return f"{output.missing} was not found or cannot be executed"
    if output.exit_code in CANNOT_EXECUTE:
        return f"a command was not found or cannot be executed (exit code {output.exit_code})"
    module = check.command[2] if check.command[1:2] == ("-m",) and len(check.command) > 2 else ""
    if module and output.exit_code and output.text.rstrip().endswith(f"No module named {module}"):
        return f"{module} is not installed"
    return ""


def _with_report(check: Check, project: Project) -> tuple[Check, str]:
    """Return the check with a report asked for, and the report's path; empty where the tool offers none."""
    tool = TOOLS[check.tool]
    if tool.report_env is not None:
        path = project.report_path(f"{tool.name}{tool.report_suffix}")
        return replace(check, env=_joined(check.env, tool.report_env(path))), path
    if tool.report_argv is not None and check.composed:
        path = project.report_path(f"{tool.name}{tool.report_suffix}")
        return replace(check, command=tool.report_argv(check.command, path)), path
    return check, ""


def _placed(check: Check, project: Project) -> Mapping[str, str]:
    if not check.composed:
        return check.env
    return {name: value.replace(SCRATCH, f"{project.scratch}/{CACHE}") for name, value in check.env.items()}


def _joined(env: Mapping[str, str], more: Mapping[str, str]) -> Mapping[str, str]:
    """Return the check's variables with the tool's options added after its own."""
    return {**env, **{name: f"{env[name]} {value}" if env.get(name) else value for name, value in more.items()}}


def _tool_output(check: Check, project: Project, output: CommandOutput, report: str | None) -> ToolOutput:
    return ToolOutput(
        text=strip_ansi(output.text),
        report=report,
        exit_code=output.exit_code,
        cwd=_folder(check, project),
        project=check.project,
        root=project.root,
        exists=project.exists,
        read=project.read,
    )


def _folder(check: Check, project: Project) -> str:
    return project.root if check.project == "." else f"{project.root}/{check.project}"


def _evidence(check: Check, output: CommandOutput) -> Evidence:
    return Evidence(
        command=command_line(check.command),
        project=as_text(check.project),
        exit_code=output.exit_code,
        duration_s=round(output.duration_s, 3),
        output_sha256=output.sha256,
    )
