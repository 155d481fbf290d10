"""A recorded DONE, proven again: a private checkout of its commit, the commit's own checks, the sandbox."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.lend import lend_history
from fixloop_bot.adapters.git.listing import list_project_files
from fixloop_bot.adapters.git.recorded import NoSuchCommitError, RecordedCommit, check_out_recorded
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.redacted_runner import RedactedRunner
from fixloop_bot.adapters.sandbox.enclosure import Enclosure
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.verifications import note_verification, sha256_of
from fixloop_bot.app.prove_again import Again, prove_again
from fixloop_bot.core.approved import content_sha256
from fixloop_bot.core.evidence import one_text
from fixloop_bot.core.proof import History, other_history
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.entrypoints.protected import protection_of
from fixloop_bot.entrypoints.sandboxed import Place, refusal, sandboxed, to_demand
from fixloop_bot.entrypoints.settings import environment
from fixloop_bot.model.command import Plan
from fixloop_bot.model.config import ConfigProblem, RepoConfig
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.proof import Claim, Proof, Verdict, Verified
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.model.visual import visual_mode
from fixloop_bot.ports import Progress

Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where a claim is checked, and who watches."""

    repository: Repository
    level: SandboxLevel | None
    state: Path
    progress: Progress
    redact: Redact


def prove(desk: Desk, claim: Claim) -> Proof:
    """Check the claim in a folder of its own, which is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="fixloop-verify-"))
    try:
        commit = check_out_recorded(desk.repository, claim.commit, folder / "checkout")
        return _on_disk(desk, commit, claim, folder)
    except (NoSuchCommitError, GitError, OSError) as error:
        return unchecked(str(error), claim)
    except ConfigProblem as problem:
        return unchecked(f"at the commit {claim.commit}: {problem}", claim)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _on_disk(desk: Desk, commit: RecordedCommit, claim: Claim, folder: Path) -> Proof:
    scratch = folder / "scratch"
    scratch.mkdir()
    project = GitProject(
        commit.root,
        scratch=scratch,
        list_files=lambda: list_project_files(commit.root),
        base_env=environment(),
        redact=desk.redact,
        visual=visual_mode(skip=not any(key.startswith(f"{Layer.VISUAL}: ") for key in claim.commands)),
    )
    config, plan = project.config(), project.plan()
    if differs := other_history(claim, _history(commit, claim, plan, config)):
        return Proof(verdict=Verdict.BROKEN, claim=claim, why=differs)
    lend_history(desk.repository, commit.git, commit.commit, branch=_branch_with(desk.repository, commit.commit))
    place = Place(
        root=commit.root,
        scratch=scratch,
        git=(Path(commit.git.env["GIT_DIR"]), Path(desk.repository.common_dir)),
        state=(desk.state, Path(desk.repository.root)),
        passages=(folder,),
    )
    with sandboxed(to_demand(config, desk.level), place, environment(), desk.progress) as held:
        if isinstance(held, NotGranted):
            return unchecked(refusal(held), claim)
        desk.progress.note(f"sandbox: {held.words}")
        return prove_again(claim, _again(desk, plan, project, held))


def _branch_with(repository: Repository, commit: str) -> str | None:
    """Return the checked-out branch where the commit is part of it: the gate had one, for checks that ask git."""
    asked = ("merge-base", "--is-ancestor", commit, "HEAD")
    return repository.branch if repository.git.run(*asked, ok=(0, 1, 128)).code == 0 else None


def _again(desk: Desk, plan: Plan, project: GitProject, held: Enclosure) -> Again:
    runner = RedactedRunner(held.runner(environment(), Path(project.scratch)), desk.redact)
    return Again(
        plan=plan,
        project=project,
        runner=runner,
        progress=desk.progress,
        clock=SystemClock(),
        redact=desk.redact,
    )


def _history(commit: RecordedCommit, claim: Claim, plan: Plan, config: RepoConfig) -> History:
    based = commit.contains(claim.person_head)
    protection = protection_of(plan, config, commit.files)
    changed = commit.changed_since(claim.person_head) if based else {}
    judged = {path: letter for path, letter in changed.items() if not _is_allowed(path, commit, claim)}
    return History(
        tree=commit.tree(),
        on_person_head=based,
        has_attempt=not claim.attempt_commit or commit.contains(claim.attempt_commit),
        runs=commit.runs_since(claim.person_head) if based else (),
        protected=protection.broken_by(judged),
    )


def _is_allowed(path: str, commit: RecordedCommit, claim: Claim) -> bool:
    """Return whether a changed file is just what the record says was allowed."""
    allowed = claim.allowed.get(one_text(path))
    return allowed is not None and allowed == content_sha256(commit.text(path))


def unchecked(why: str, claim: Claim | None = None) -> Proof:
    """Return that nothing can be said, and why."""
    return Proof(verdict=Verdict.UNCHECKED, claim=claim, why=(why,))


def note(desk: Desk, claim: Claim, proof: Proof, record: Path) -> None:
    """Write down what was found, where `record` is the run's own `terminal.json`: any other copy is no claim of it."""
    folder = StateFolder(desk.state.resolve())
    try:
        if record.resolve() != folder.terminal(claim.run_id):
            return
        found = Verified(
            run_id=claim.run_id,
            commit=claim.commit,
            record_sha256=sha256_of(record),
            verdict=proof.verdict,
            why=proof.why,
            at=SystemClock().iso(),
        )
        note_verification(folder.verifications(claim.run_id), found, redact=desk.redact)
    except (ValueError, OSError) as error:
        desk.progress.note(f"the finding could not be written down: {error}")
