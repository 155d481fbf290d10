"""Sweeps of the service: where the App is installed, what each repository's rules choose, and a run for each choice."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fixloop_bot.adapters.codec import decode
from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.installations import Installations
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.repo_config import has_section, parse_repo_config
from fixloop_bot.app.look_up import CONFIG_FILE, base_config
from fixloop_bot.app.sweep import SweepOrder, look_over
from fixloop_bot.entrypoints.action import judge
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.request import MAX_COST_USD
from fixloop_bot.entrypoints.service_orders import to_sweep_order, to_swept_order
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.model.config import ConfigError
from fixloop_bot.model.event import DispatchTrigger, Origin, RepositoryRef, Target
from fixloop_bot.model.installation import InstallationChange, Standing
from fixloop_bot.model.sweep import Chosen
from fixloop_bot.model.ticket import RunTicket, SweepTicket
from fixloop_bot.ports.forge import ForgeError
from fixloop_bot.ports.jobs import JobOrder

SCHEDULED = "the service's schedule"
"""Reason of the tickets that the clock writes; those of people name a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepDesk:
    """What a sweep of the service works with."""

    settings: ServiceSettings
    queue: JobQueue
    note: Callable[[str], None]


def sweep_all(order: JobOrder, desk: SweepDesk) -> int:
    """Learn where the App is installed, and where a cron line is set let each repository have its sweep."""
    from fixloop_bot.adapters.github.installed import list_installations  # noqa: PLC0415 - imports PyGithub

    installations = Installations(desk.queue)
    found = list(list_installations(_access(desk.settings, 0)))
    installations.refresh(found)
    active = [one for one in found if installations.standing(one.installation_id) is Standing.ACTIVE]
    desk.note(f"{len(found)} installation(s), {len(active)} active")
    for installation in active if desk.settings.sweep_cron else ():
        for repository in _reached(installation, desk):
            desk.queue.submit(_one(order, installation, repository))
    return ExitCode.DONE


def _reached(installation: InstallationChange, desk: SweepDesk) -> Iterator[RepositoryRef]:
    """Yield the repositories; one installation that GitHub has trouble with keeps no other from its sweep."""
    from fixloop_bot.adapters.github.installed import list_repositories  # noqa: PLC0415 - imports PyGithub

    try:
        yield from list_repositories(_access(desk.settings, installation.installation_id))
    except ForgeError as error:
        desk.note(f"installation {installation.installation_id}: {error.advice}")


def _access(settings: ServiceSettings, installation_id: int) -> GitHubAccess:
    app = AppAccess(
        app_id=settings.app_id,
        private_key=settings.private_key(),
        installation_id=installation_id,
        permissions={"metadata": "read"},
    )
    return GitHubAccess(full_name="", credential=app, api_url=settings.api_url)


def _one(order: JobOrder, installation: InstallationChange, repository: RepositoryRef) -> JobOrder:
    origin = Origin(repository=repository, installation_id=installation.installation_id)
    part = replace(order, repository=repository.full_name, installation_id=installation.installation_id)
    return to_sweep_order(SweepTicket(origin=origin, reason=SCHEDULED), part, f"{order.job_id}-{repository.id}")


def sweep_one(order: JobOrder, stage: ActionStage, desk: SweepDesk) -> int:
    """Choose in one repository, tell on its dashboard, and make each choice a run of its branch."""
    ticket = decode(order.body, SweepTicket)
    branch = stage.forge.repository().default_branch
    if ticket.reason == SCHEDULED and not _wants(branch, stage, desk):
        desk.note("no `sweep` in .fixloop.yml; nothing is chosen here")
        return ExitCode.DONE
    config = base_config(branch, stage.forge, parse_repo_config)
    if isinstance(config, ConfigError):
        desk.note(f"configuration: {config}")
        return ExitCode.DONE
    run_usd = stage.settings.max_cost_usd if stage.settings.max_cost_usd is not None else config.budget.run_usd
    rules = SweepOrder(run_usd=MAX_COST_USD if run_usd is None else run_usd, only=ticket.only, boxes=True)
    swept = look_over(stage.forge, config, stage.clock, stage.console, rules)
    for chosen in swept.selection.chosen:
        _start(chosen, ticket, order, stage, desk)
    return ExitCode.DONE


def _wants(branch: str, stage: ActionStage, desk: SweepDesk) -> bool:
    if desk.settings.sweep_repositories == "all":
        return True
    text = stage.forge.file(CONFIG_FILE, branch)
    return text is not None and has_section(text, "sweep")


def _start(chosen: Chosen, ticket: SweepTicket, order: JobOrder, stage: ActionStage, desk: SweepDesk) -> None:
    candidate = chosen.candidate
    number = candidate.pull_request
    target = Target(pull_request=number) if number else Target(branch=candidate.branch)
    routed = judge(DispatchTrigger(origin=ticket.origin, target=target), stage)
    if not isinstance(routed, RunTicket):
        desk.note(f"{candidate.name}: {getattr(routed, 'reason', '')}")
        return
    options = replace(routed.options, max_cost_usd=chosen.max_cost_usd)
    run = to_swept_order(replace(routed, options=options, reason=f"a sweep: {ticket.reason}"), order)
    desk.queue.submit(run, asked_by=order.job_id)
