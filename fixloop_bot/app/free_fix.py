"""The project's own fixers: what formatters and linters can mend costs no model call."""

from fixloop_bot.core.as_typed import command_line
from fixloop_bot.model.command import CACHE, SCRATCH, CommandOutput, CommandRequest, Fixer, Plan
from fixloop_bot.model.layer import Layer
from fixloop_bot.ports.project import CommandRunner, Project


def run_fixers(plan: Plan, layer: Layer, project: Project, runner: CommandRunner) -> tuple[str, ...]:
    """Run the layer's fixers, each in its project; return one line on each.

    A fixer that fails is no error: many exit with 1 while something is left that they cannot mend.
    """
    return tuple(_run(fixer, project, runner) for fixer in plan.fixers if fixer.layer is layer)


def _run(fixer: Fixer, project: Project, runner: CommandRunner) -> str:
    output = runner.run(
        CommandRequest(
            argv=project.resolve(fixer),
            cwd=project.root if fixer.project == "." else f"{project.root}/{fixer.project}",
            env={name: value.replace(SCRATCH, f"{project.scratch}/{CACHE}") for name, value in fixer.env.items()},
            timeout_s=fixer.timeout_s,
            idle_timeout_s=fixer.idle_timeout_s,
        )
    )
    where = "" if fixer.project == "." else f" in {fixer.project}"
    return f"fixer `{command_line(fixer.command)}`{where}: {_ending(output)}"


def _ending(output: CommandOutput) -> str:
    if output.missing is not None:
        return f"{output.missing} was not found or cannot be executed"
    if output.limit is not None:
        return f"{output.limit} after {output.duration_s:.0f} s"
    return f"exit code {output.exit_code}"
