"""One target of a sweep from a shell, run as a job of the Action's matrix runs it."""

import io
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path

from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.adapters.turnstile import Turn, TurnModel
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.workflow_file import WORKFLOW_PATH
from fixloop_bot.entrypoints.action import judge, what_happened
from fixloop_bot.entrypoints.action_inputs import ActionInputs
from fixloop_bot.entrypoints.action_stage import ActionStage, open_stage
from fixloop_bot.entrypoints.action_tickets import run
from fixloop_bot.entrypoints.actions_job import ActionsJob
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.provider import anthropic_model
from fixloop_bot.entrypoints.shell_github import ShellGitHub
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.sweep import Chosen
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Clock, Model
from fixloop_bot.ports.forge import ForgeError

SKIPPED = "SKIPPED"
FAULT = "FAULT"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellJob(ActionsJob):
    """What a job is in a shell: it has no page, and keeps what a step would hand to the next."""

    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def web_url(self) -> str:
        """Return no page."""
        return ""

    def set_outputs(self, values: Mapping[str, str]) -> None:
        """Keep them."""
        self.outputs.update(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptTarget:
    """What came of one target."""

    name: str
    status: str
    """DONE, NEED_DECISION, BLOCKED; SKIPPED: nothing was left to do; FAULT: fixloop's own, or GitHub's."""
    reason: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)
    """As the Action's."""
    exit_code: int = ExitCode.DONE

    @property
    def line(self) -> str:
        """Return what a shell shows of it."""
        cost = f", ${self.outputs['cost-usd']}" if self.outputs.get("cost-usd") else ""
        why = f": {plain(self.reason)}" if self.reason else ""
        return f"{self.status:<13} {plain(self.name)}{cost}{why}"


def run_target(
    chosen: Chosen,
    shell: ShellGitHub,
    env: Mapping[str, str],
    *,
    state_dir: Path,
    redact: Callable[[str], str],
    turn: Turn | None = None,
) -> SweptTarget:
    """Run on the target as it is now, through the Action's own conductor; progress goes to standard error, by name.

    `turn` is what the run shares with others at work; None: it is alone.
    """
    name, job = chosen.candidate.name, _job(shell, state_dir)
    inputs = _inputs(chosen, shell)
    trigger = what_happened(inputs, job)
    if isinstance(trigger, Ignored):
        return SweptTarget(name=name, status=SKIPPED, reason=trigger.reason)
    try:
        with open_stage(env, inputs, job, redact) as opened:
            stage = replace(opened, console=PlainProgress(sys.stderr, redact, about=name))
            stage.workshop.state_dir = state_dir
            if turn is not None:
                _share(stage, turn)
            ticket = judge(trigger, stage)
            if not isinstance(ticket, RunTicket):
                return SweptTarget(name=name, status=SKIPPED, reason=str(getattr(ticket, "reason", "")))
            return _run(name, ticket, stage, job)
    except ForgeError as error:
        return SweptTarget(name=name, status=FAULT, reason=error.advice, exit_code=ExitCode.FAULT)


def _share(stage: ActionStage, turn: Turn) -> None:
    """Let others work while the run waits for its model, and check one project at a time, as they have the rest."""

    def to_model(config: RepoConfig, clock: Clock) -> Model:
        return TurnModel(anthropic_model(stage.settings, config, clock, redact=stage.redact), turn)

    stage.workshop.to_model, stage.workshop.at_once = to_model, 1


def _run(name: str, ticket: RunTicket, stage: ActionStage, job: ShellJob) -> SweptTarget:
    """Run the ticket; the workflow commands that the Action prints for its log mean nothing in a shell."""
    with redirect_stdout(io.StringIO()):
        code = run(ticket, stage)
    outputs = {**job.outputs, "state-dir": str(stage.workshop.state_dir)}
    reason = outputs.get("terminal-state", "") if outputs.get("status") != "DONE" else ""
    return SweptTarget(name=name, status=outputs.get("status") or FAULT, reason=reason, outputs=outputs, exit_code=code)


def _inputs(chosen: Chosen, shell: ShellGitHub) -> ActionInputs:
    candidate = chosen.candidate
    return ActionInputs.model_validate({
        "github_token": shell.token,
        "pull_request": candidate.pull_request,
        "branch": None if candidate.pull_request else candidate.branch,
        "max_cost_usd": f"{chosen.max_cost_usd:.2f}",
    })  # fmt: skip


def _job(shell: ShellGitHub, state_dir: Path) -> ShellJob:
    return ShellJob(
        event_name="schedule",
        payload={},
        repository=shell.full_name,
        api_url=shell.api_url,
        server_url=shell.server_url,
        workspace=state_dir,
        run_id="",
        run_attempt="1",
        workflow_ref=f"{shell.full_name}/{WORKFLOW_PATH}@",
        output=None,
        summary=None,
    )
