"""`fixloop verify`: whether a recorded DONE still holds, by running its termination gate again."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.claim_file import read_claim, record_path
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.listing import list_project_files
from fixloop_bot.adapters.git.recorded import NoSuchCommitError, RecordedCommit, check_out_recorded
from fixloop_bot.adapters.git.repository import NotAWorktree, Repository, find_repository
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.redacted_runner import RedactedRunner
from fixloop_bot.adapters.sandbox.enclosure import Enclosure
from fixloop_bot.adapters.state_folder import StateFolder, default_state_root
from fixloop_bot.app.prove_again import Again, prove_again
from fixloop_bot.core.approved import content_sha256
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.evidence import one_text
from fixloop_bot.core.proof import History, other_history, proof_json, proof_line
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.entrypoints.exit_code import OF_VERDICT
from fixloop_bot.entrypoints.protected import protection_of
from fixloop_bot.entrypoints.sandboxed import Place, refusal, sandboxed, to_demand
from fixloop_bot.entrypoints.settings import environment, known_secrets, load_settings
from fixloop_bot.model.command import Plan
from fixloop_bot.model.config import ConfigProblem, RepoConfig
from fixloop_bot.model.proof import Claim, Proof, Verdict
from fixloop_bot.model.sandbox import SandboxLevel
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


def verify_command(arguments: argparse.Namespace) -> int:
    """Check the record, print one line or JSON, and return 0 holds, 1 does not hold, 2 cannot be checked."""
    redact = redactor(known_secrets(environment()))
    with progress_for(sys.stderr, redact) as progress:
        proof = _checked(arguments, progress, redact)
    told = json_text(redact_json(proof_json(proof), redact)) if arguments.json else defused(redact(proof_line(proof)))
    sys.stdout.write(told + "\n")
    return OF_VERDICT[proof.verdict]


def _checked(arguments: argparse.Namespace, progress: Progress, redact: Redact) -> Proof:
    settings = load_settings({"state_dir": arguments.state_dir})
    repository = find_repository(str(Path(arguments.worktree_path).absolute()), person_env=environment())
    if isinstance(repository, NotAWorktree):
        return _unchecked(repository.reason)
    root = settings.state_dir or default_state_root(repository.common_dir, environment())
    path = record_path(arguments.record, StateFolder(root))
    if path is None:
        return _unchecked(f"{arguments.record} is neither a file nor a run or an attempt with a record in {root}")
    try:
        claim = read_claim(path)
    except ValueError as error:
        return _unchecked(str(error))
    desk = Desk(repository=repository, level=settings.sandbox, state=root, progress=progress, redact=redact)
    return _proven(desk, claim)


def _proven(desk: Desk, claim: Claim) -> Proof:
    """Check the claim in a folder of its own, which is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="fixloop-verify-"))
    try:
        commit = check_out_recorded(desk.repository, claim.commit, folder / "checkout")
        return _on_disk(desk, commit, claim, folder)
    except (NoSuchCommitError, GitError, OSError) as error:
        return _unchecked(str(error), claim)
    except ConfigProblem as problem:
        return _unchecked(f"at the commit {claim.commit}: {problem}", claim)
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
    )
    config, plan = project.config(), project.plan()
    if differs := other_history(claim, _history(commit, claim, plan, config)):
        return Proof(verdict=Verdict.BROKEN, claim=claim, why=differs)
    place = Place(
        root=commit.root,
        scratch=scratch,
        git=(Path(commit.git.env["GIT_DIR"]),),
        state=(desk.state, Path(desk.repository.common_dir)),
        passages=(folder,),
    )
    with sandboxed(to_demand(config, desk.level), place, environment(), desk.progress) as held:
        if isinstance(held, NotGranted):
            return _unchecked(refusal(held), claim)
        desk.progress.note(f"sandbox: {held.words}")
        return prove_again(claim, _again(desk, plan, project, held))


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
    protection = protection_of(plan, config, commit.files())
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


def _unchecked(why: str, claim: Claim | None = None) -> Proof:
    return Proof(verdict=Verdict.UNCHECKED, claim=claim, why=(why,))
