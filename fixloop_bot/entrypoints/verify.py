"""`fixloop verify`: whether a recorded DONE still holds, by running its termination gate again."""

import argparse
import sys
from pathlib import Path

from fixloop_bot.adapters.claim_file import read_claim, record_path
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.adapters.git.repository import NotAWorktree, find_repository
from fixloop_bot.adapters.state_folder import StateFolder, default_state_root
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.proof import proof_json, proof_line
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.entrypoints.exit_code import OF_VERDICT
from fixloop_bot.entrypoints.proving import Desk, Redact, note, prove, unchecked
from fixloop_bot.entrypoints.settings import environment, known_secrets, load_settings
from fixloop_bot.model.proof import Proof
from fixloop_bot.ports import Progress


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
        return unchecked(repository.reason)
    root = settings.state_dir or default_state_root(repository.common_dir, environment())
    path = record_path(arguments.record, StateFolder(root))
    if path is None:
        return unchecked(f"{arguments.record} is neither a file nor a run or an attempt with a record in {root}")
    try:
        claim = read_claim(path)
    except ValueError as error:
        return unchecked(str(error))
    desk = Desk(repository=repository, level=settings.sandbox, state=root, progress=progress, redact=redact)
    proof = prove(desk, claim)
    note(desk, claim, proof, path)
    return proof
