"""The GitHub Action: from the job's environment to commits, comment, check run, summary and outputs."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.app.look_up import routed
from fixloop_bot.core.events import parse_event
from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.log_groups import log_note
from fixloop_bot.core.status_line import one_line
from fixloop_bot.core.targets import Aimable, aim, to_target
from fixloop_bot.entrypoints.action_inputs import ActionInputs, read_inputs
from fixloop_bot.entrypoints.action_stage import ActionStage, open_stage
from fixloop_bot.entrypoints.action_tickets import handle
from fixloop_bot.entrypoints.actions_job import ActionsJob, read_job
from fixloop_bot.entrypoints.boundary import guarded
from fixloop_bot.entrypoints.doctor import doctor_step
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets
from fixloop_bot.model.event import Ignored, RepositoryRef, Trigger
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.model.ticket import Routed, RouteFacts
from fixloop_bot.ports.forge import ForgeError

NO_OUTPUTS = {
    "status": "",
    "terminal-state": "",
    "iterations": "0",
    "commits": "",
    "cost-usd": "0.00",
    "state-dir": "",
    "targets": "[]",
}


def main() -> int:
    """Run the Action's step and return its exit code: not 0 only for a fault of fixloop's or bad configuration."""
    env = environment()
    redact = redactor(known_secrets(env))
    return guarded(lambda: _step(env, redact), redact=redact)


def _step(env: Mapping[str, str], redact: Callable[[str], str]) -> int:
    """Run the step; what GitHub refuses is no riddle for a traceback: its advice says what to do."""
    try:
        return run_step(env, redact)
    except ForgeError as error:
        sys.stderr.write(f"fixloop: {one_line(redact(error.advice), limit=2000)}\n")
        mendable = error.kind in (ForgeErrorKind.NOT_PERMITTED, ForgeErrorKind.BAD_CREDENTIALS)
        return ExitCode.USAGE if mendable else ExitCode.FAULT


def run_step(env: Mapping[str, str], redact: Callable[[str], str]) -> int:
    """Judge the event, and do what it asks for."""
    inputs, job = read_inputs(env), read_job(env)
    job.set_outputs(NO_OUTPUTS)
    if inputs.mode == "doctor":
        return doctor_step(inputs, job, redact)
    if inputs.github_token is None:
        raise SettingsError("input `github-token` is empty: give `${{ github.token }}` or a GitHub App's token")
    trigger = what_happened(inputs, job)
    if isinstance(trigger, Ignored):
        return ignore(trigger, job, redact)
    with open_stage(env, inputs, job, redact) as stage:
        return handle(judge(trigger, stage), stage)


def what_happened(inputs: ActionInputs, job: ActionsJob) -> Trigger | Ignored:
    """Return the trigger, aimed at the inputs' own target where they name one."""
    sweeps = inputs.mode == "sweep" and job.event_name not in ("workflow_dispatch", "issues")
    name = "schedule" if sweeps else job.event_name
    here = RepositoryRef(full_name=job.repository, id=0)
    trigger = parse_event(name, job.payload, repository=here)
    target = to_target({"pull-request": inputs.pull_request or "", "branch": inputs.branch or ""})
    if isinstance(target, Ignored) or isinstance(trigger, Ignored):
        return target if isinstance(target, Ignored) else trigger
    named = bool(target.pull_request or target.branch)
    return aim(trigger, target) if named and isinstance(trigger, Aimable) else trigger


def judge(trigger: Trigger, stage: ActionStage) -> Routed:
    """Return what the trigger comes to; nothing is spent before that."""
    identity = replace(stage.forge.identity(), workflow_path=stage.job.workflow_path)
    facts = RouteFacts(identity=identity)
    return routed(trigger, facts, stage.forge, parse_repo_config, now=stage.clock.now())


def ignore(ignored: Ignored, job: ActionsJob, redact: Callable[[str], str]) -> int:
    """Say in log and summary why nothing is done."""
    sys.stdout.write(log_note("notice", f"Nothing to do: {ignored.reason}", redact=redact) + "\n")
    job.add_summary(f"**fixloop**: nothing to do. {ignored.reason}.")
    return ExitCode.DONE


if __name__ == "__main__":
    sys.exit(main())
