"""What would install the project, said beside what the environment lacks."""

from dataclasses import replace

from fixloop_bot.app.run_check import CheckResult
from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.core.classify import INSTALL
from fixloop_bot.model.command import Check, Plan
from fixloop_bot.model.layer import LayerStatus


def advised(result: CheckResult, check: Check, plan: Plan) -> CheckResult:
    """Return the result with the command that would install the check's project, where something is not installed.

    Nothing is added where the repository names its own `setup` commands: those have run, and were not enough.
    """
    line = "" if plan.setup else suggested_setup(plan, check)
    if not line or not result.reading.environmental:
        return result
    better = f"install it, or declare a `setup` command such as `{line}`"
    missing = tuple(words.replace(INSTALL, better) for words in result.reading.missing)
    if missing == result.reading.missing:
        return result  # what lacks is no package: disk, memory, network
    reason = result.reason
    if result.status is LayerStatus.ERROR and reason:
        reason = f"{reason}; declare a `setup` command such as `{line}`"
    return replace(result, reason=reason, reading=replace(result.reading, missing=missing))


def suggested_setup(plan: Plan, check: Check) -> str:
    """Return the setup of the innermost project around a check, of the tool's own ecosystem where it has one."""
    wanted = TOOLS[check.tool].ecosystem
    around = [
        root
        for root in plan.projects
        if root.setup and root.path in _upwards(check.project) and wanted in ("", root.ecosystem)
    ]
    return max(around, key=lambda root: len(root.path) if root.path != "." else 0).setup if around else ""


def _upwards(project: str) -> tuple[str, ...]:
    parts = project.split("/")
    return (*("/".join(parts[:end]) for end in range(len(parts), 0, -1)), ".")
