"""Whether an attempt takes another hypothesis than those that failed: by its words, its files, and its change."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.core.record import iteration_id
from fixloop_bot.model.attempt import Attempt, Verdict
from fixloop_bot.model.state import LoopState

ALIKE = 0.8
"""Part of the words of both that are in both, from which on two texts say the same."""
_WORDS = 400
"""Characters of a hypothesis that are compared."""
_WORD = re.compile(r"\w+")
_EMPTY_WORDS = frozenset(
    (
        "a", "an", "and", "are", "as", "at", "be", "because", "been", "but", "by", "do", "does", "for", "from", "has",
        "have", "in", "is", "it", "its", "of", "off", "on", "or", "so", "that", "the", "their", "then", "there", "this",
        "to", "was", "were", "which", "will", "with",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """What an attempt believed and did."""

    iteration_id: str
    hypothesis: str
    files: tuple[str, ...] = ()
    change_id: str = ""


def same_hypothesis(one: Idea, other: Idea) -> bool:
    """Return whether two ideas are one: the same change whatever is said of it, or the same words on the same files.

    Of two silent attempts, only those that changed the same are alike; what was never said cannot be compared.
    """
    if one.change_id and one.change_id == other.change_id:
        return True
    if set(one.files) != set(other.files):
        return False
    ours, theirs = _words(one.hypothesis), _words(other.hypothesis)
    if not ours or not theirs:
        return False
    return len(ours & theirs) >= ALIKE * len(ours | theirs)


def change_id(patch: bytes) -> str:
    """Return what identifies a change wherever it is made, without blob ids and line numbers; empty for no change.

    The idea of git's patch-id (https://git-scm.com/docs/git-patch-id), for a patch that git itself has made; white
    space counts here, as it does in Python.
    """
    lines = (b"@@" if line.startswith(b"@@ ") else line for line in patch.split(b"\n"))
    kept = b"\n".join(line for line in lines if not line.startswith(b"index "))
    return hashlib.sha256(kept).hexdigest() if kept.strip() else ""


def idea_of(state: LoopState, attempt: Attempt) -> Idea:
    """Return an attempt of this run as an idea."""
    return Idea(
        iteration_id=iteration_id(state.run_id, attempt.iteration),
        hypothesis=attempt.hypothesis,
        files=attempt.changed,
        change_id=attempt.change_id,
    )


def repeated(state: LoopState, attempt: Attempt) -> str:
    """Return the iteration id of the latest failed attempt on the layer that had the same idea, empty for none."""
    idea = idea_of(state, attempt)
    return next((one.iteration_id for one in _failed(state, attempt) if same_hypothesis(one, idea)), "")


def same_tree(state: LoopState, attempt: Attempt) -> Attempt | None:
    """Return the latest attempt whose tree was the very same and verified, and failed; None for none."""
    if not attempt.tree:
        return None
    verified = (one for one in reversed(state.attempts) if one.hash_after and one.verdict is not Verdict.REFUSED)
    return next((one for one in verified if one.tree == attempt.tree), None)


def _failed(state: LoopState, attempt: Attempt) -> Iterator[Idea]:
    """Yield the ideas that failed on the attempt's layer, the latest first, then those of earlier runs."""
    for one in reversed(state.attempts):
        if one.layer is attempt.layer and one.score_after <= one.score_before:
            yield idea_of(state, one)
    for before in reversed(state.earlier_tried):
        if before.layer is attempt.layer:
            yield Idea(
                iteration_id=before.iteration_id,
                hypothesis=before.hypothesis,
                files=before.files,
                change_id=before.change_id,
            )


def _words(text: str) -> frozenset[str]:
    found: Sequence[str] = _WORD.findall(text[:_WORDS].casefold())
    return frozenset(found).difference(_EMPTY_WORDS)
