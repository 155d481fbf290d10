"""The gate once more before a push: on a clone whose commits were put on a head that had moved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fixloop_bot.adapters.fresh_checkouts import GitFreshCheckouts
from fixloop_bot.adapters.git.repository import NotAWorktree, find_repository
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.sandbox.enclosure import Enclosure
from fixloop_bot.app.apart import Apart, look_apart
from fixloop_bot.app.validate import validate
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.entrypoints.protected import protection_of
from fixloop_bot.entrypoints.sandboxed import Place, sandboxed, to_demand
from fixloop_bot.model.command import Plan
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.delivery import Checkout
from fixloop_bot.model.layer import Layer, Validation
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.model.visual import VisualMode
from fixloop_bot.ports import Clock, Progress
from fixloop_bot.ports.project import NoFreshCheckoutError


@dataclass(frozen=True, slots=True, kw_only=True)
class Regate:
    """A clone that stands on the commit, and the world to look at it in."""

    clone: Checkout
    folder: Path
    """Private, with the clone in it."""
    state_dir: Path
    env: Mapping[str, str]
    config: RepoConfig
    level: SandboxLevel | None
    list_files: Callable[[], Sequence[str]]
    read_trusted: Callable[[str], str | None]
    clock: Clock
    progress: Progress
    redact: Callable[[str], str]
    visual: VisualMode

    def passes(self, commit: str, *, up_to: Layer | None) -> bool:
        """Return whether all layers up to that one pass; where `setup` is declared, in a fresh checkout."""
        scratch = self.folder / "gate"
        scratch.mkdir(exist_ok=True)
        place = Place(
            root=Path(self.clone.root),
            scratch=scratch,
            git=(Path(self.clone.git_dir),),
            state=(self.state_dir,),
            passages=(self.folder,),
        )
        with sandboxed(to_demand(self.config, self.level), place, self.env, self.progress) as held:
            if isinstance(held, NotGranted):
                return False
            try:
                validation = self._validation(commit, up_to, scratch, held)
            except NoFreshCheckoutError as error:
                self.progress.note(str(error))
                return False
        return validation.failing is None and bool(validation.passed)

    def _validation(self, commit: str, up_to: Layer | None, scratch: Path, held: Enclosure) -> Validation:
        project = GitProject(
            Path(self.clone.root),
            scratch=scratch,
            list_files=self.list_files,
            base_env=self.env,
            config=self.config,
            read_trusted=self.read_trusted,
            visual=self.visual,
        )
        plan = _up_to(project.plan(), up_to)
        if not plan.setup:
            runner = held.runner(self.env, scratch)
            return validate(plan, project, runner, self.progress, clock=self.clock, purpose="gate")
        place = Apart(
            plan=plan,
            checkouts=self._checkouts(held),
            project=project,
            protection=protection_of(plan, self.config, self.list_files),
            progress=self.progress,
            clock=self.clock,
        )
        return look_apart(commit, place, purpose="gate")

    def _checkouts(self, held: Enclosure) -> GitFreshCheckouts:
        repository = find_repository(self.clone.root, person_env=self.env)
        if isinstance(repository, NotAWorktree):
            raise NoFreshCheckoutError(repository.reason)
        return GitFreshCheckouts(
            repository=repository,
            held=held,
            env=self.env,
            config=self.config,
            closed=(self.state_dir,),
            redact=self.redact,
            note=self.progress.note,
        )


def _up_to(plan: Plan, layer: Layer | None) -> Plan:
    if layer is None:
        return plan
    return replace(plan, checks=tuple(check for check in plan.checks if check.layer.rank <= layer.rank))
