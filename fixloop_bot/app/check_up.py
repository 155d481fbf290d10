"""Looking at an installation on GitHub: every question is asked once, and nothing is changed."""

from collections.abc import Callable
from dataclasses import dataclass

from fixloop_bot.app.look_up import CONFIG_FILE, ParseConfig
from fixloop_bot.core.doctor_github import NEEDS
from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.doctor import HubFacts, HubUnseen, Writer
from fixloop_bot.model.ticket import Absent, Identity
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile
from fixloop_bot.ports.forge import Forge, ForgeError
from fixloop_bot.ports.probe import Probe

ParseWorkflow = Callable[[str, str], WorkflowFile | BadWorkflow]
ACTIONS_BOT_ID = 41898282
"""As whom GITHUB_TOKEN acts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What is looked at."""

    forge: Forge
    probe: Probe
    parse_config: ParseConfig
    parse_workflow: ParseWorkflow
    workflow_path: str
    workflow_is_local: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What GitHub told."""

    hub: HubFacts | HubUnseen
    config: RepoConfig | ConfigError | None = None
    """None: the default branch has no `.fixloop.yml`."""


def look_at(patient: Patient) -> Seen:
    """Return what GitHub tells of the installation; what it refuses to tell is a value too."""
    try:
        return _look_at(patient)
    except ForgeError as error:
        return Seen(hub=HubUnseen(reason=error.advice, mend=_mend(error)))


def _look_at(patient: Patient) -> Seen:
    repository = patient.forge.repository()
    branch = repository.default_branch
    return Seen(
        hub=HubFacts(
            repository=repository.full_name,
            writer=_writer(patient.forge.identity()),
            access={need.permission: patient.probe.may(need.permission) for need in NEEDS if need.tells},
            default_branch=branch,
            protected=_protected(patient.forge, branch),
            may_change_workflows=patient.forge.may_change_workflows(),
            workflow=_workflow(patient, branch),
            workflow_path=patient.workflow_path,
            workflow_is_local=patient.workflow_is_local,
        ),
        config=_config(patient, branch),
    )


def _writer(identity: Identity) -> Writer:
    if identity.actor_ids:
        return Writer.ACTIONS if ACTIONS_BOT_ID in identity.actor_ids else Writer.APP
    return Writer.PERSON


def _protected(forge: Forge, branch: str) -> bool | None:
    try:
        found = forge.is_protected(branch)
    except ForgeError:
        return None
    return None if isinstance(found, Absent) else found


def _workflow(patient: Patient, branch: str) -> WorkflowFile | BadWorkflow | None:
    try:
        text = patient.forge.file(patient.workflow_path, branch)
    except ForgeError as error:
        return BadWorkflow(patient.workflow_path, error.advice)
    return None if text is None else patient.parse_workflow(text, patient.workflow_path)


def _config(patient: Patient, branch: str) -> RepoConfig | ConfigError | None:
    """Return what the default branch's `.fixloop.yml` says, None where it has none."""
    try:
        text = patient.forge.file(CONFIG_FILE, branch)
    except ForgeError as error:
        return ConfigError(CONFIG_FILE, None, error.advice)
    return None if text is None else patient.parse_config(text, CONFIG_FILE)


def _mend(error: ForgeError) -> str:
    match error.status:
        case 401:
            return "Make a new token; in a workflow give `${{ github.token }}` to the input `github-token`."
        case 404:
            return "Check the repository's name, and that the token may see it."
        case _:
            return "See the reason, and ask again."
