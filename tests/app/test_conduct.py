"""Tests of a run's conduct and delivery, on a GitHub of our own and a real clone; the repair alone is scripted."""

import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.app.conduct import Concluded, Stage, conduct
from fixloop_bot.app.tell import Teller
from fixloop_bot.core.messages import clean_message
from fixloop_bot.entrypoints.action_ending import stopped
from fixloop_bot.entrypoints.settings import load_settings
from fixloop_bot.entrypoints.workshop import GitWorkshop
from fixloop_bot.model.attempt import FixCommit
from fixloop_bot.model.event import Origin, PullRequest, RepositoryRef
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Status, TerminalState
from fixloop_bot.model.report import NothingDelivered, PatchOffered, Pushed, Suggested, Surroundings
from fixloop_bot.model.state import End, Limits, LoopState, Phase
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import Scene, scene
from tests.app.shop import Watcher

WORKFLOW = {".github/workflows/ci.yml": "name: ci\non: push\njobs: {}\n"}
MENDED = {"app.py": "a = 1\nb = 2\nc = 3\n"}


@dataclass(slots=True, kw_only=True)
class ScriptedRepair(GitWorkshop):
    """A workshop whose repair makes these commits, one for a layer, and ends as told."""

    script: tuple[tuple[Layer, Mapping[str, str]], ...] = ()
    end: Callable[[LoopState], LoopState] = lambda state: replace(
        state,
        phase=Phase.ENDED,
        end=End(status=Status.DONE, terminal=TerminalState.SUCCEEDED, reason="all validation layers passed"),
    )

    def repair(self, ticket: RunTicket, *_rest: object, **_named: object) -> LoopState:
        state = first(self.run_id, ticket.head_sha)
        for number, (layer, files) in enumerate(self.script, 1):
            sha = self._commit(files, clean_message(state, layer, number))
            fixed = FixCommit(layer=layer, commit=sha, iteration=number)
            state = replace(state, head=sha, clean_commit=sha, fix_commits=(*state.fix_commits, fixed))
        return self.end(state)

    def _commit(self, files: Mapping[str, str], message: str) -> str:
        git, root = clone_git(self.clone), Path(self.clone.root)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        git.run("add", "--", *files)
        git.run("commit", "--quiet", "-m", message)
        return git.text("rev-parse", "HEAD")


def first(run_id: str, head: str) -> LoopState:
    """Return the state before anything is known."""
    return LoopState(
        run_id=run_id, branch="feature/a#b", start_commit=head, head=head, clean_commit=head, limits=Limits()
    )


@dataclass(frozen=True, kw_only=True)
class Play:
    """A stage on which a run is conducted."""

    scene: Scene
    folder: Path

    def run(self, workshop_of: Callable[..., ScriptedRepair] = ScriptedRepair, **told: object) -> Concluded:
        """Conduct a run on pull request 1; `told` goes to the workshop."""
        with self.scene.forge() as forge:
            found = self.scene.pull_request(forge)
            ticket = to_ticket(found)
            workshop = workshop_of(
                remote=Remote(
                    url=self.scene.github.clone_url(self.scene.shop),
                    credential=Credential(self.scene.github.actions_token(self.scene.shop)),
                ),
                site=self.scene.github.site,
                folder=self.folder / "clone",
                settings=load_settings({}),
                state_dir=self.folder / "state",
                env={},
                clock=SystemClock(),
                redact=str,
                run_id="r1",
                **told,
            )
            return conduct(ticket, first("r1", found.head_sha), teller(forge, ticket), to_stage(forge, workshop))

    def report(self) -> str:
        """Return the one report comment."""
        (comment,) = self.scene.shop.comments_on(1)
        return comment.body

    def conclusion(self) -> str | None:
        """Return what the one check run says."""
        (check,) = self.scene.shop.check_runs.values()
        assert check.status == "completed"
        return check.conclusion


def teller(forge: Forge, ticket: RunTicket) -> Teller:
    """Return a voice."""
    return Teller(forge=forge, clock=SystemClock(), redact=str, ticket=ticket, surroundings=Surroundings())


def to_stage(forge: Forge, workshop: GitWorkshop) -> Stage:
    """Return what a run speaks to."""
    clock, progress = SystemClock(), Watcher()
    return Stage(
        forge=forge, workshop=workshop, clock=clock, progress=progress, parse_config=parse_repo_config, redact=str
    )


def to_ticket(found: PullRequest) -> RunTicket:
    """Return a ticket for the pull request's head."""
    return RunTicket(
        origin=Origin(repository=RepositoryRef(full_name="octo/shop", id=1)),
        pull_request=found.number,
        branch=found.head_branch,
        head_sha=found.head_sha,
        head_repository=found.head_repository,
        from_fork=found.from_fork,
        base_branch=found.base_branch,
        reason="a test",
        automatic=False,
    )


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    with scene() as made:
        yield Play(scene=made, folder=tmp_path)


def test_a_commit_that_the_token_may_not_push_waits_for_a_person(play: Play) -> None:
    done = play.run(script=((Layer.COMPILE, MENDED), (Layer.LINT, WORKFLOW), (Layer.TEST, {"c.py": "x = 1\n"})))
    assert isinstance(done.delivery, Pushed)
    assert [fix.layer for fix in done.state.fix_commits] == [Layer.COMPILE], "what is told is what was pushed"
    assert play.scene.shop.head("feature/a#b") == done.state.fix_commits[0].commit
    assert done.state.end is not None
    assert done.state.end.status is Status.NEED_DECISION
    assert play.conclusion() == "action_required"
    assert "+name: ci" in play.report()
    assert "workflows: write" in play.report()


def test_the_patch_of_the_rest_applies_on_what_was_pushed(play: Play) -> None:
    done = play.run(script=((Layer.COMPILE, MENDED), (Layer.LINT, WORKFLOW)))
    assert isinstance(done.delivery, Pushed)
    clone = play.folder / "clone" / "clone" / "worktree"
    argv = ["git", "-C", str(clone), "apply", "--check", "--reverse", "-"]
    subprocess.run(argv, input=done.delivery.patch, text=True, check=True)


def test_only_a_workflow_is_offered_as_a_patch(play: Play) -> None:
    done = play.run(script=((Layer.LINT, WORKFLOW),))
    assert isinstance(done.delivery, PatchOffered)
    assert play.scene.shop.head("feature/a#b") == play.scene.head
    assert "may not change workflow files" in play.report()


def test_a_stopped_run_pushes_nothing(play: Play) -> None:
    done = play.run(script=((Layer.COMPILE, MENDED),), end=stopped)
    assert isinstance(done.delivery, Suggested)
    assert play.scene.github.pushes == []
    assert play.conclusion() == "cancelled"


def test_a_head_that_moved_before_the_run_ends_it(play: Play) -> None:
    def pushes_first(**told: object) -> ScriptedRepair:
        play.scene.shop.commit("feature/a#b", {"new.py": "x = 1\n"}, author="pat")
        return ScriptedRepair(**told)  # type: ignore[arg-type]

    done = play.run(pushes_first, script=((Layer.COMPILE, MENDED),))
    assert isinstance(done.delivery, NothingDelivered)
    assert "the new head has its own run" in play.report()
    assert play.scene.github.pushes == []


def test_a_deleted_branch_gets_suggestions(play: Play) -> None:
    play.scene.github.conditions.before(
        "GET", "*/branches/*", lambda _: play.scene.shop.delete_branch("feature/a#b"), times=1
    )
    done = play.run(script=((Layer.COMPILE, MENDED),))
    assert isinstance(done.delivery, Suggested)
    (suggestion,) = play.scene.shop.review_comments.values()
    assert "b = 2" in suggestion.body
