"""What one step of the Action works with: GitHub, the job, settings, a folder of its own."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.github.access import GitHubAccess, Patience, TokenAccess
from fixloop_bot.entrypoints.action_inputs import ActionInputs
from fixloop_bot.entrypoints.actions_job import ActionsJob
from fixloop_bot.entrypoints.engine import new_run_id
from fixloop_bot.entrypoints.settings import Settings, SettingsError, load_settings
from fixloop_bot.entrypoints.workshop import GitWorkshop
from fixloop_bot.model.report import Links

if TYPE_CHECKING:
    from fixloop_bot.adapters.github.forge import GitHubForge

STATE_FOLDER = ".fixloop-state"
"""Below the workspace, the one folder that a container action shares with the steps after it. The checked-out code may
have something of that name: so each run has a new folder in it, and a link is not followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionStage:
    """One step under way."""

    env: Mapping[str, str]
    inputs: ActionInputs
    job: ActionsJob
    access: GitHubAccess
    forge: "GitHubForge"
    workshop: GitWorkshop
    settings: Settings
    clock: SystemClock
    state_dir: str
    """Relative to the workspace."""
    console: PlainProgress
    redact: Callable[[str], str]

    @property
    def links(self) -> Links:
        """Return the addresses that reports name."""
        return Links(repository=f"{self.job.server_url}/{self.job.repository}", run=self.job.web_url)


@contextmanager
def open_stage(
    env: Mapping[str, str], inputs: ActionInputs, job: ActionsJob, redact: Callable[[str], str]
) -> Iterator[ActionStage]:
    """Open the connection to GitHub and a private folder; both are gone afterwards."""
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import

    token = inputs.github_token.get_secret_value() if inputs.github_token else ""
    settings, clock = action_settings(inputs), SystemClock()
    run_id = new_run_id(clock)
    access = to_access(job, token, settings)
    if (job.workspace / STATE_FOLDER).is_symlink():
        raise SettingsError(f"`{STATE_FOLDER}` in the workspace is a link, which fixloop does not follow; remove it")
    folder = Path(tempfile.mkdtemp(prefix="fixloop-"))
    workshop = GitWorkshop(
        remote=Remote(url=f"{job.server_url}/{job.repository}.git", credential=Credential(token), network_env=env),
        site=job.server_url,
        folder=folder,
        settings=settings,
        state_dir=job.workspace / STATE_FOLDER / run_id,
        env=env,
        clock=clock,
        redact=redact,
        run_id=run_id,
    )
    try:
        with GitHubForge(access) as forge:
            yield ActionStage(
                env=env,
                inputs=inputs,
                job=job,
                access=access,
                forge=forge,
                workshop=workshop,
                settings=settings,
                clock=clock,
                state_dir=f"{STATE_FOLDER}/{run_id}",
                console=PlainProgress(sys.stdout, redact),
                redact=redact,
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def to_access(job: ActionsJob, token: str, settings: Settings) -> GitHubAccess:
    """Return how GitHub is reached for a job."""
    return GitHubAccess(
        full_name=job.repository,
        credential=TokenAccess(token),
        api_url=job.api_url,
        workflow_path=job.workflow_path,
        patience=Patience(between_writes_s=settings.write_every),
    )


def action_settings(inputs: ActionInputs) -> Settings:
    """Return the settings: inputs, then environment, then defaults. Raises SettingsError."""
    given: dict[str, Any] = {
        "max_retries": inputs.max_retries,
        "max_cost_usd": inputs.max_cost_usd,
        "skip_compile": inputs.skip_compile or None,
        "story_id": inputs.story_id,
        "model_provider": inputs.model_provider,
        "sandbox": inputs.sandbox,
    }
    settings = load_settings(given)
    update: dict[str, object] = {}
    if inputs.anthropic_api_key is not None:
        update["anthropic_api_key"] = inputs.anthropic_api_key
    if inputs.anthropic_base_url is not None:
        update["anthropic_base_url"] = inputs.anthropic_base_url
    return settings.model_copy(update=update)
