"""The server side of a push that is refused: what was asked for, and the report that says no.

Format: gitprotocol-pack, "Pushing Data To a Server" and "Report Status".
"""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.github.push_rules import refusal
from tests.fakes.github.state.accounts import Token
from tests.fakes.github.state.git_store import ZERO, GitError
from tests.fakes.github.state.repository import Repository


@dataclass(frozen=True, slots=True)
class RefUpdate:
    """A ref that moves; None stands for not there."""

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Push:
    """What one request of a push asks for."""

    updates: tuple[RefUpdate, ...]
    capabilities: frozenset[str]
    pack: bytes


def parse_updates(raw: bytes) -> Push:
    """Read the commands that stand before the pack."""
    updates: list[RefUpdate] = []
    capabilities: frozenset[str] = frozenset()
    position = 0
    while size := int(raw[position : position + 4] or b"0", 16):
        command, _, words = raw[position + 4 : position + size].partition(b"\0")
        if words:
            capabilities = frozenset(words.decode().split())
        old, new, ref = command.decode().strip("\n").split(" ", 2)
        updates.append(RefUpdate(ref, None if old == ZERO else old, None if new == ZERO else new))
        position += size
    return Push(tuple(updates), capabilities, raw[position + 4 :])


def refused_report(repository: Repository, token: Token, push: Push) -> bytes | None:
    """Return the answer to a push with a ref that may not move, or None where all may.

    One refused ref refuses the whole push here; GitHub would take the others.
    """
    with tempfile.TemporaryDirectory(prefix="quarantine-") as folder:
        quarantine = _quarantine(repository, push, Path(folder))
        reasons = {
            update.ref: refusal(repository, token, update.ref, update.old or ZERO, update.new or ZERO, quarantine)
            for update in push.updates
        }
    if not any(reasons.values()):
        return None
    lines = ["unpack ok\n", *(f"ng {ref} {reason or 'another ref was refused'}\n" for ref, reason in reasons.items())]
    report = b"".join(_packet(line.encode()) for line in lines) + b"0000"
    if "side-band-64k" not in push.capabilities:
        return report
    said = "".join(_explain(ref, reason) for ref, reason in reasons.items() if reason)
    return _packet(b"\x02" + said.encode()) + _packet(b"\x01" + report) + b"0000"


def _quarantine(repository: Repository, push: Push, folder: Path) -> dict[str, str]:
    """Unpack what was pushed where only the judge sees it."""
    if not push.pack:
        return {}
    (folder / "pack").mkdir()
    seen = {
        "GIT_OBJECT_DIRECTORY": str(folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(repository.git.path / "objects"),
    }
    try:
        repository.git.run_bytes("index-pack", "--stdin", "--fix-thin", stdin=push.pack, extra=seen)
    except GitError as error:
        raise ValueError(f"a pack that git cannot read: {error}{os.linesep}") from error
    return seen


def _explain(ref: str, reason: str) -> str:
    if reason.startswith("protected branch"):
        return f"error: GH006: Protected branch update failed for {ref}.\n"
    return f"error: {reason}\n"


def _packet(content: bytes) -> bytes:
    return f"{len(content) + 4:04x}".encode() + content
