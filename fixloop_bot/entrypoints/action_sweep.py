"""The sweep's first job on Actions: it chooses, and each target becomes a job of a matrix."""

from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.adapters.workflow_yaml import parse_workflow
from fixloop_bot.app.look_up import base_config
from fixloop_bot.app.sweep import SweepOrder, look_over
from fixloop_bot.core.sweep import matrix_json
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.request import MAX_COST_USD
from fixloop_bot.model.config import ConfigError, ConfigProblem
from fixloop_bot.model.ticket import SweepTicket
from fixloop_bot.model.workflow import WorkflowFile


def sweep(ticket: SweepTicket, stage: ActionStage) -> int:
    """Choose the targets, set the output `targets`, and tell on the dashboard issue."""
    branch = stage.forge.repository().default_branch
    config = base_config(branch, stage.forge, parse_repo_config)
    if isinstance(config, ConfigError):
        raise ConfigProblem(config)
    stage.console.note(ticket.reason)
    run_usd = stage.settings.max_cost_usd if stage.settings.max_cost_usd is not None else config.budget.run_usd
    order = SweepOrder(
        run_usd=MAX_COST_USD if run_usd is None else run_usd,
        only=ticket.only,
        run_url=stage.job.web_url,
        boxes=_boxes_are_heard(stage),
    )
    swept = look_over(stage.forge, config, stage.clock, stage.console, order)
    stage.job.set_outputs({"targets": matrix_json(swept.selection)})
    where = f" See [the dashboard]({swept.issue.url})." if swept.issue and swept.issue.url else ""
    chosen = ", ".join(one.candidate.name for one in swept.selection.chosen) or "nothing"
    stage.job.add_summary(f"**fixloop** sweep: {len(swept.selection.chosen)} chosen.{where}")
    stage.console.note(f"chosen: {chosen}")
    return ExitCode.DONE


def _boxes_are_heard(stage: ActionStage) -> bool:
    """Return whether the workflow that runs this starts when the dashboard is edited: a dead box is worse than none."""
    path = stage.job.workflow_path
    text = stage.forge.file(path, stage.forge.repository().default_branch) if path else None
    workflow = parse_workflow(text, path) if text else None
    return isinstance(workflow, WorkflowFile) and "issues" in workflow.events
