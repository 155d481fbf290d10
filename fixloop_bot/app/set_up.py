"""The project's own dependencies, installed by the commands that its configuration names, before any check."""

from fixloop_bot.core.excerpt import excerpt
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.command import CommandOutput, CommandRequest, Plan
from fixloop_bot.ports import Progress, SetupMemory
from fixloop_bot.ports.project import CommandRunner, Project

TIMEOUT_S = 1800.0
IDLE_TIMEOUT_S = 600.0
TOLD_LINES = 12


def set_up(
    plan: Plan, project: Project, runner: CommandRunner, progress: Progress, memory: SetupMemory | None = None
) -> str:
    """Run the `setup` commands in order until one fails; return what failed and what it said, empty for nothing.

    With a `memory` that still holds for them, they are not run again.
    """
    if memory is None:
        return _run(plan, project, runner, progress)
    if memory.holds(plan.setup):
        progress.note("setup: not run again, as nothing that it reads or left has changed since it last succeeded")
        return ""
    memory.forget()
    why = _run(plan, project, runner, progress)
    if not why:
        memory.remember(plan.setup)
    return why


def _run(plan: Plan, project: Project, runner: CommandRunner, progress: Progress) -> str:
    for line in plan.setup:
        progress.note(f"setup: {line}")
        output = runner.run(
            CommandRequest(
                argv=("sh", "-c", line), cwd=project.root, timeout_s=TIMEOUT_S, idle_timeout_s=IDLE_TIMEOUT_S
            )
        )
        if output.exit_code != 0 or output.limit is not None:
            return f"setup `{one_line(line, limit=200)}`: {_how(output)}: {_said(output)}"
    return ""


def _how(output: CommandOutput) -> str:
    if output.missing is not None:
        return f"{output.missing} was not found"
    return str(output.limit) if output.limit is not None else f"exit code {output.exit_code}"


def _said(output: CommandOutput) -> str:
    return one_line(excerpt(strip_ansi(output.text), (), limit=TOLD_LINES), limit=800)
