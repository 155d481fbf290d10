"""The workshop on this machine: a private clone, and the engine on it."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fixloop_bot.adapters.git.checkout import CheckoutRequest, checkout, fetch_head, stand_on
from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.push import push
from fixloop_bot.adapters.git.rebase import rebase_onto
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.git.revert import revert_onto
from fixloop_bot.adapters.git.series import own_commit, patch, read_series
from fixloop_bot.adapters.project import MAX_TEXT
from fixloop_bot.app.begin import Refused
from fixloop_bot.entrypoints.engine import run_job
from fixloop_bot.entrypoints.job import Job
from fixloop_bot.entrypoints.provider import anthropic_model
from fixloop_bot.entrypoints.regate import Regate
from fixloop_bot.entrypoints.request import MAX_COST_USD, to_request
from fixloop_bot.entrypoints.settings import Settings
from fixloop_bot.model.config import ConfigProblem, RepoConfig
from fixloop_bot.model.delivery import (
    BranchHead,
    Checkout,
    CheckoutProblem,
    FixCommit,
    Head,
    HeadMoved,
    PullHead,
    PushOrder,
    PushOutcome,
    RebaseConflict,
)
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.model.visual import visual_mode
from fixloop_bot.ports import Clock, Model, Progress
from fixloop_bot.ports.workshop import NotStarted

ToModel = Callable[[RepoConfig, Clock], Model]


@dataclass(slots=True, kw_only=True)
class GitWorkshop:
    """`Workshop` over a private clone; `close` takes it away."""

    remote: Remote
    """The repository that fixloop runs for."""
    site: str
    """Web address below which every repository is, without a slash at the end."""
    folder: Path
    """New or empty; out of the workspace."""
    settings: Settings
    state_dir: Path
    env: Mapping[str, str]
    clock: Clock
    redact: Callable[[str], str]
    run_id: str
    to_model: ToModel | None = None
    """None: the provider that the settings name."""
    at_once: int | None = None
    """See `Job`."""
    held_by: str = ""
    """See `Workshop`."""
    _clone: Checkout | None = field(default=None)
    _ticket: RunTicket | None = field(default=None)

    @property
    def clone(self) -> Checkout:
        """Return the checkout. Raises ValueError before there is one."""
        if self._clone is None:
            raise ValueError("nothing is checked out")
        return self._clone

    def check_out(self, ticket: RunTicket) -> Checkout | HeadMoved | CheckoutProblem:
        """See `Workshop`."""
        self._ticket = ticket
        done = checkout(
            self.remote,
            CheckoutRequest(
                head=head_of(ticket),
                head_sha=ticket.head_sha,
                base_branch=ticket.base_branch,
                folder=self.folder / "clone",
            ),
        )
        self._clone = done if isinstance(done, Checkout) else None
        return done

    def repair(
        self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress
    ) -> LoopState | NotStarted:
        """See `Workshop`."""
        job = self.to_job(ticket, config, error_context, progress)
        try:
            result = run_job(job)
        except ConfigProblem as problem:
            return NotStarted(str(problem))
        return NotStarted(result.reason) if isinstance(result, Refused) else result

    def to_job(self, ticket: RunTicket, config: RepoConfig, error_context: str, progress: Progress) -> Job:
        """Return what the engine is handed."""
        settings = self.bounds(ticket, config)
        return Job(
            path=self.clone.root,
            state_dir=self.state_dir,
            env=self.env,
            progress=progress,
            redact=self.redact,
            to_model=self.to_model or (lambda c, clock: anthropic_model(settings, c, clock, redact=self.redact)),
            to_request=lambda run_id, c, clock: replace(
                to_request(settings, c, run_id=run_id, now=clock.now(), error_context=self.redact(error_context)),
                base_commit=self.clone.merge_base or "",
                answer=ticket.answer,
                earlier_attempts={Layer(layer): number for layer, number in ticket.earlier_attempts.items()},
                earlier_tried=ticket.earlier_tried,
            ),
            about=ticket.title,
            clock=self.clock,
            config=config,
            read_trusted=self._read_trusted,
            run_id=self.run_id,
            base=self.clone.merge_base or "",
            sandbox=self.level(config),
            skip_visual=settings.skip_visual,
            passages=(self.folder,),
            on_sandbox=self._note_sandbox,
            at_once=self.at_once,
        )

    def commits(self, state: LoopState) -> tuple[FixCommit, ...]:
        """See `Workshop`."""
        if not state.fix_commits:
            return ()
        return read_series(self.clone, state.start_commit, state.fix_commits[-1].commit)

    def push(self, order: PushOrder) -> PushOutcome:
        """See `Workshop`."""
        return push(self.clone, order, self._head_remote())

    def rebase(self, commits: Sequence[FixCommit], onto: str) -> tuple[FixCommit, ...] | RebaseConflict:
        """See `Workshop`."""
        fetched = fetch_head(self.clone, self.remote, head_of(self._checked_out))
        if isinstance(fetched, CheckoutProblem) or not has_commit(self.clone, onto):
            return RebaseConflict(commits[0].sha, ())
        moved = rebase_onto(self.clone, [commit.sha for commit in commits], onto)
        if isinstance(moved, RebaseConflict):
            return moved
        return read_series(self.clone, onto, moved.commits[-1]) if moved.commits else ()

    def still_clean(self, commit: str, config: RepoConfig, *, up_to: Layer | None, progress: Progress) -> bool:
        """See `Workshop`."""
        stand_on(self.clone, commit)
        regate = Regate(
            clone=self.clone,
            folder=self.folder,
            state_dir=self.state_dir,
            env=self.env,
            config=config,
            level=self.level(config),
            list_files=self._files,
            read_trusted=self._read_trusted,
            clock=self.clock,
            progress=progress,
            redact=self.redact,
            visual=visual_mode(skip=self.settings.skip_visual),
        )
        return regate.passes(commit, up_to=up_to)

    def bounds(self, ticket: RunTicket, config: RepoConfig) -> Settings:
        """Return the settings of one run."""
        return bounded(self.settings, ticket, config)

    def level(self, config: RepoConfig) -> SandboxLevel | None:
        """Return the sandbox: the door's, where that demands one."""
        return self.settings.sandbox or config.sandbox.level

    def _note_sandbox(self, words: str) -> None:
        self.held_by = words

    def patch(self, base: str, commit: str) -> str:
        """See `Workshop`."""
        return patch(self.clone, base, commit).decode("utf-8", "replace")

    def exists(self, path: str) -> bool:
        """See `Workshop`."""
        return path in self._known

    def own_commit(self, target: Layer | str) -> FixCommit | None:
        """See `Workshop`."""
        return own_commit(self.clone, target)

    def revert(self, commits: Sequence[str], message: str) -> str | RebaseConflict:
        """See `Workshop`."""
        return revert_onto(self.clone, commits, message)

    def close(self) -> None:
        """Take the clone away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _checked_out(self) -> RunTicket:
        if self._ticket is None:
            raise ValueError("nothing is checked out")
        return self._ticket

    def _read_trusted(self, path: str) -> str | None:
        """Return a file's text on the base branch, which the pull request cannot change; None if there is none."""
        if self.clone.base_sha is None:
            return None
        done = clone_git(self.clone).run("cat-file", "blob", f"{self.clone.base_sha}:{path}", ok=(0, 128))
        return done.stdout[:MAX_TEXT].decode("utf-8", "replace") if done.code == 0 else None

    def _head_remote(self) -> Remote:
        """Return where the head branch lives: for a fork never the base, which may have a branch of the same name."""
        ticket = self._checked_out
        if not ticket.from_fork:
            return self.remote
        home = ticket.head_repository.full_name if ticket.head_repository else ""
        return replace(self.remote, url=f"{self.site}/{home}.git")

    @property
    def _known(self) -> frozenset[str]:
        return frozenset(self._files())

    def _files(self) -> Sequence[str]:
        return clone_git(self.clone).run("ls-files", "-z", "--cached").paths


def head_of(ticket: RunTicket) -> Head:
    """Return where the ticket's head is fetched from: a pull request's own ref, which forks have too."""
    if ticket.pull_request is not None and ticket.from_fork:
        return PullHead(ticket.pull_request, ticket.branch)
    return BranchHead(ticket.branch)


def has_commit(clone: Checkout, commit: str) -> bool:
    """Return whether the clone has the commit: a head that moves twice may be gone before it is fetched."""
    return clone_git(clone).run("cat-file", "-e", f"{commit}^{{commit}}", ok=(0, 1, 128)).code == 0


def bounded(settings: Settings, ticket: RunTicket, config: RepoConfig) -> Settings:
    """Return the settings of one run: what a comment asks for may narrow the money, never widen it."""
    options = ticket.options
    given = settings.max_cost_usd if settings.max_cost_usd is not None else config.budget.run_usd
    allowed = MAX_COST_USD if given is None else given
    update: dict[str, object] = {"story_branch": settings.story_branch or ticket.branch}
    if options.max_retries is not None:
        update["max_retries"] = options.max_retries
    if options.skip_compile:
        update["skip_compile"] = True
    if options.max_cost_usd is not None:
        update["max_cost_usd"] = min(allowed, options.max_cost_usd)
    return settings.model_copy(update=update)
