"""What one job of the service works with: GitHub as an App, settings, and a folder that outlives the process."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from fixloop_bot.adapters.checkpoints import Kept
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import CodecError, decode, encode, load_state, to_json_value
from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.git.checkout import stand_on
from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.proposed import has_commit, pack, unpack
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess, Patience
from fixloop_bot.adapters.processors import processors
from fixloop_bot.adapters.run_archive import COMMITS, pack_run, unpack_run
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.core.app_manifest import API_PERMISSIONS, FETCH_PERMISSIONS, PUSH_PERMISSIONS
from fixloop_bot.entrypoints.action_inputs import ActionInputs
from fixloop_bot.entrypoints.action_stage import ActionStage, action_settings
from fixloop_bot.entrypoints.actions_job import ActionsJob
from fixloop_bot.entrypoints.engine import run_job
from fixloop_bot.entrypoints.job import Job, Resume
from fixloop_bot.entrypoints.request import MINUTES
from fixloop_bot.entrypoints.service_money import by_own_prices
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.entrypoints.service_progress import ServiceProgress
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.settings import Settings
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
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Model, Progress
from fixloop_bot.ports.jobs import JobKind, JobOrder
from fixloop_bot.ports.workshop import NotStarted

CLAIM: Final = "claim"
RUNS_BESIDE: Final = 2
"""Runs that share this machine's processors: as many as a worker has at a time unless it is told otherwise."""
LONGEST_RUN_S: Final = 7200.0
"""The most that a repository's `budget.minutes` gets where FIXLOOP_TIMEOUT says nothing."""


class ServiceJob(ActionsJob):
    """What a job of Actions is in the service: it has no page, no outputs and no summary."""

    @property
    def web_url(self) -> str:
        """Return no page."""
        return ""


class ServiceWorkshop(GitWorkshop):
    """A workshop that a killed process leaves to the next, also on another machine; an ended run is not run again."""

    mint: Callable[[Mapping[str, str]], str]
    """Makes a token of the App that may no more than this."""
    is_ours: Callable[[], bool]
    """Asked before a push: whether no other worker has the job by now."""
    ledgered: Callable[[Model], Model]
    """Returns the model as the shared budgets let it be called."""
    carried: bool = False
    """The records came from another machine."""

    def check_out(self, ticket: RunTicket) -> Checkout | HeadMoved | CheckoutProblem:
        """Return the checkout that an earlier process made for the job, else make it."""
        if (left := self._left()) is not None:
            self._ticket, self._clone = ticket, left
            return left
        self._sign(FETCH_PERMISSIONS)
        done = GitWorkshop.check_out(self, ticket)
        state = self.saved()
        if isinstance(done, HeadMoved) and state and done.new_sha in {fix.commit for fix in state.fix_commits}:
            done = GitWorkshop.check_out(self, replace(ticket, head_sha=done.new_sha))  # it was pushed before the kill
        if isinstance(done, Checkout):
            if state is not None:
                self._take_up(state)
            self._note.write_text(encode(to_json_value(done)), encoding="utf-8")
        return done

    def repair(
        self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress
    ) -> LoopState | NotStarted:
        """Return the end that is written down already, else go on or begin."""
        return self.ended() or GitWorkshop.repair(self, ticket, config, error_context, progress)

    def to_job(self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress) -> Job:
        """Return the job; where its records came from elsewhere, it names the run that is to go on."""
        job = GitWorkshop.to_job(self, ticket, config, error_context, progress)
        plain = job.to_model
        job = replace(job, to_model=lambda config, clock: self.ledgered(plain(by_own_prices(config), clock)))
        return replace(job, resume=Resume(self.run_id)) if self.carried and self.saved() else job

    def bounds(self, ticket: RunTicket, config: RepoConfig) -> Settings:
        """Return the settings of one run; a repository may shorten it, but not hold a worker for ever."""
        settings = GitWorkshop.bounds(self, ticket, config)
        if settings.timeout is not None:
            return settings
        asked = config.budget.minutes if config.budget.minutes is not None else MINUTES
        return settings.model_copy(update={"timeout": min(60.0 * asked, LONGEST_RUN_S)})

    def level(self, config: RepoConfig) -> SandboxLevel | None:
        """Return the operator's sandbox, else `best`: a repository may ask for more, never for less."""
        return self.settings.sandbox or ("strict" if config.sandbox.level == "strict" else "best")

    def push(self, order: PushOrder) -> PushOutcome:
        """Push with a fresh token, if the job is still this process's."""
        if not self.is_ours():
            raise KeyboardInterrupt
        self._sign(PUSH_PERMISSIONS)
        return GitWorkshop.push(self, order)

    def rebase(self, commits: Sequence[FixCommit], onto: str) -> tuple[FixCommit, ...] | RebaseConflict:
        """Fetch with a fresh token."""
        self._sign(FETCH_PERMISSIONS)
        return GitWorkshop.rebase(self, commits, onto)

    def abandon(self, ticket: RunTicket, progress: Progress) -> None:
        """Write down that the run has ended, where it was begun here and has not."""
        if self._clone is not None and (state := self.saved()) is not None and state.end is None:
            job = GitWorkshop.to_job(self, ticket, RepoConfig(), "", progress)
            run_job(replace(job, resume=Resume(self.run_id, stop=True)))

    def packed(self, state: LoopState | None) -> bytes:
        """Return the run's records as another machine needs them, with the commits that it stands on."""
        folder = StateFolder(self.state_dir)
        if state is not None and self._clone is not None:
            commits = {state.head, state.clean_commit, *([state.best.commit] if state.best else [])}
            kept = pack(clone_git(self._clone), state.start_commit, *sorted(commits))
            if kept:
                write_durably(folder.state(self.run_id).with_name(COMMITS), kept)
        return pack_run(folder, self.run_id)

    def unpacked(self, kept: Kept | None, claim: int) -> None:
        """Take over what another machine has done of the run, unless this one was the last to have it.

        `claim` is this process's. A clone that stands where an older claim left it is thrown away.
        """
        if kept is not None and kept.claim > claim_here(self.folder):
            self._note.unlink(missing_ok=True)
            shutil.rmtree(self.folder / "clone", ignore_errors=True)
            unpack_run(StateFolder(self.state_dir), self.run_id, kept.archive)
            self.carried = True
        (self.folder / CLAIM).write_text(str(claim), encoding="ascii")

    def saved(self) -> LoopState | None:
        """Return the run's state as it was last written down here, None for a run that is new."""
        try:
            return load_state(StateFolder(self.state_dir).state(self.run_id).read_bytes())
        except (OSError, CodecError):
            return None

    def ended(self) -> LoopState | None:
        """Return the state of the run where an earlier process brought it to its end."""
        state = self.saved()
        return state if state is not None and state.end is not None else None

    def _take_up(self, state: LoopState) -> None:
        """Let the new clone stand where the run stood."""
        git, kept = clone_git(self.clone), StateFolder(self.state_dir).state(self.run_id).with_name(COMMITS)
        if kept.exists():
            unpack(git, kept.read_bytes())
        if has_commit(git, state.head):
            stand_on(self.clone, state.head)

    @property
    def _note(self) -> Path:
        return self.folder / "checkout.json"

    def _sign(self, permissions: Mapping[str, str]) -> None:
        self.remote = replace(self.remote, credential=Credential(self.mint(permissions)))

    def _left(self) -> Checkout | None:
        try:
            return decode(self._note.read_bytes(), Checkout)
        except (OSError, CodecError):
            return None


def claim_here(folder: Path) -> int:
    """Return the last claim under which a job was worked on in its folder here, 0 for none."""
    try:
        return int((folder / CLAIM).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def to_access(
    order: JobOrder, settings: ServiceSettings, permissions: Mapping[str, str] = API_PERMISSIONS
) -> GitHubAccess:
    """Return how GitHub is reached for a job, with no more than these permissions."""
    app = AppAccess(
        app_id=settings.app_id,
        private_key=settings.private_key(),
        installation_id=order.installation_id,
        permissions=permissions,
    )
    return GitHubAccess(full_name=order.repository, credential=app, api_url=settings.api_url)


IN_A_HURRY: Final = Patience(retries=3, longest_wait_s=20.0, timeout_s=10)
"""Of a judge, on whom other events wait: what takes longer is judged again later."""


@contextmanager
def open_service_stage(
    order: JobOrder,
    settings: ServiceSettings,
    place: ServicePlace,
    env: Mapping[str, str],
    redact: Callable[[str], str],
) -> Iterator[ActionStage]:
    """Open the connection to GitHub; the job's folder is the place's."""
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import
    from fixloop_bot.adapters.github.installation import mint_token  # noqa: PLC0415 - as above

    inputs, clock = ActionInputs.model_validate({}), SystemClock()
    job = to_service_job(order, settings, place.records)
    run_settings = action_settings(inputs)
    patience = IN_A_HURRY if order.kind is JobKind.EVENT else Patience()
    access = replace(to_access(order, settings), patience=replace(patience, between_writes_s=run_settings.write_every))
    workshop = ServiceWorkshop(
        remote=Remote(url=f"{settings.server_url}/{order.repository}.git", network_env=env),
        site=settings.server_url,
        folder=place.job(order.job_id),
        settings=run_settings,
        state_dir=place.records,
        env=env,
        clock=clock,
        redact=redact,
        run_id=order.job_id,
        at_once=max(processors() // RUNS_BESIDE, 1),
    )
    workshop.mint = lambda permissions: mint_token(to_access(order, settings, permissions))
    workshop.is_ours = lambda: True
    workshop.ledgered = lambda model: model
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
            state_dir=str(place.records),
            console=ServiceProgress(sys.stderr, redact, order),
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
