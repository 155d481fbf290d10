"""What one job of the service works with: GitHub as an App, settings, and a folder that outlives the process."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import CodecError, decode, encode, load_state, to_json_value
from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.action_inputs import ActionInputs
from fixloop_bot.entrypoints.action_stage import ActionStage, action_settings
from fixloop_bot.entrypoints.actions_job import ActionsJob
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.workshop import GitWorkshop
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.delivery import (
    Checkout,
    CheckoutProblem,
    FixCommit,
    HeadMoved,
    PushOrder,
    PushOutcome,
    RebaseConflict,
)
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Progress
from fixloop_bot.ports.jobs import JobOrder
from fixloop_bot.ports.workshop import NotStarted


class ServiceJob(ActionsJob):
    """What a job of Actions is in the service: it has no page, no outputs and no summary."""

    @property
    def web_url(self) -> str:
        """Return no page."""
        return ""


class ServiceWorkshop(GitWorkshop):
    """A workshop that a killed process leaves to the next: the clone stays, and an ended run is not run again."""

    mint: Callable[[], str]

    def check_out(self, ticket: RunTicket) -> Checkout | HeadMoved | CheckoutProblem:
        """Return the checkout that an earlier process made for the job, else make it."""
        if (left := self._left()) is not None:
            self._ticket, self._clone = ticket, left
            return left
        self._sign()
        done = GitWorkshop.check_out(self, ticket)
        if isinstance(done, Checkout):
            self._note.write_text(encode(to_json_value(done)), encoding="utf-8")
        return done

    def repair(
        self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress
    ) -> LoopState | NotStarted:
        """Return the end that is written down already, else go on or begin."""
        return self.ended() or GitWorkshop.repair(self, ticket, config, error_context, progress)

    def push(self, order: PushOrder) -> PushOutcome:
        """Push with a fresh token."""
        self._sign()
        return GitWorkshop.push(self, order)

    def rebase(self, commits: Sequence[FixCommit], onto: str) -> tuple[FixCommit, ...] | RebaseConflict:
        """Fetch with a fresh token."""
        self._sign()
        return GitWorkshop.rebase(self, commits, onto)

    @property
    def _note(self) -> Path:
        return self.folder / "checkout.json"

    def _sign(self) -> None:
        self.remote = replace(self.remote, credential=Credential(self.mint()))

    def _left(self) -> Checkout | None:
        try:
            return decode(self._note.read_bytes(), Checkout)
        except (OSError, CodecError):
            return None

    def ended(self) -> LoopState | None:
        """Return the state of the run where an earlier process brought it to its end."""
        try:
            state = load_state(StateFolder(self.state_dir).state(self.run_id).read_bytes())
        except (OSError, CodecError):
            return None
        return state if state.end is not None else None


def to_access(order: JobOrder, settings: ServiceSettings) -> GitHubAccess:
    """Return how GitHub is reached for a job."""
    app = AppAccess(app_id=settings.app_id, private_key=settings.private_key(), installation_id=order.installation_id)
    return GitHubAccess(full_name=order.repository, credential=app, api_url=settings.api_url)


@contextmanager
def open_service_stage(
    order: JobOrder,
    settings: ServiceSettings,
    root: Path,
    env: Mapping[str, str],
    redact: Callable[[str], str],
) -> Iterator[ActionStage]:
    """Open the connection to GitHub, and the job's folder below `root`."""
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import
    from fixloop_bot.adapters.github.installation import mint_token  # noqa: PLC0415 - as above

    access, clock = to_access(order, settings), SystemClock()
    inputs = ActionInputs.model_validate({})
    job = to_service_job(order, settings, root)
    run_settings = action_settings(inputs)
    workshop = ServiceWorkshop(
        remote=Remote(url=f"{settings.server_url}/{order.repository}.git", network_env=env),
        site=settings.server_url,
        folder=root / "jobs" / order.job_id,
        settings=run_settings,
        state_dir=root,
        env=env,
        clock=clock,
        redact=redact,
        run_id=order.job_id,
    )
    workshop.mint = lambda: mint_token(access)
    with GitHubForge(access) as forge:
        yield ActionStage(
            env=env,
            inputs=inputs,
            job=job,
            access=access,
            forge=forge,
            workshop=workshop,
            settings=run_settings,
            clock=clock,
            state_dir=str(root),
            console=PlainProgress(sys.stderr, redact),
            redact=redact,
        )


def to_service_job(order: JobOrder, settings: ServiceSettings, root: Path) -> ServiceJob:
    """Return the job as the Action's own code takes it."""
    return ServiceJob(
        event_name=order.event,
        payload={},
        repository=order.repository,
        api_url=settings.api_url,
        server_url=settings.server_url,
        workspace=root,
        run_id="",
        run_attempt="1",
        workflow_ref="",
        output=None,
        summary=None,
    )
