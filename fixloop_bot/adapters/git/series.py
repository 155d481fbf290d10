"""fixloop's commits on top of a person's: read for their delivery, and shown as a patch."""

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.shadow import IDENTITY
from fixloop_bot.core.messages import RUN_TRAILER
from fixloop_bot.model.delivery import Checkout, FixCommit
from fixloop_bot.model.layer import Layer

_LIMIT = 200
"""Commits read; fixloop makes one for each layer, so more are somebody else's."""
_FORMAT = f"--format=%H%x1f%P%x1f%ce%x1f%(trailers:key={RUN_TRAILER},valueonly,separator=%x20)"
_PLAIN = ("-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none")


def read_series(clone: Checkout, onto: str, tip: str) -> tuple[FixCommit, ...]:
    """Return the commits above `onto` up to `tip`, oldest first, each judged whether fixloop made it."""
    git = clone_git(clone)
    argv = ("log", "-z", "--topo-order", f"--max-count={_LIMIT}", _FORMAT, "--end-of-options", f"{onto}..{tip}", "--")
    return tuple(_commit(git, entry) for entry in reversed(git.run(*argv).paths))


def patch(clone: Checkout, onto: str, tip: str) -> bytes:
    """Return one unified patch of everything between, as `git apply` takes it, binary files included."""
    form = ("-p", "--binary", "--full-index", *_PLAIN)
    return clone_git(clone).run("diff-tree", *form, "--end-of-options", onto, tip, "--").stdout


def _commit(git: Git, entry: str) -> FixCommit:
    sha, parents, committer, run_id = entry.split("\x1f", 3)
    ours = committer == IDENTITY["GIT_COMMITTER_EMAIL"] and len(parents.split()) == 1 and bool(run_id.strip())
    argv = ("diff-tree", *_PLAIN, "--root", "--no-commit-id", "--name-only", "-z", "--end-of-options", sha, "--")
    return FixCommit(sha=sha, paths=git.run(*argv).paths, run_id=run_id.strip(), is_ours=ours)


def own_commit(clone: Checkout, target: Layer | str) -> FixCommit | None:
    """Return fixloop's newest commit of a layer, or its commit with that (short) id, on the head; None: none."""
    git = clone_git(clone)
    argv = ("log", "-z", f"--max-count={_LIMIT}", f"{_FORMAT}%x1f%s", "--end-of-options", "HEAD", "--")
    for entry in git.run(*argv).paths:
        described, _, subject = entry.rpartition("\x1f")
        found = _commit(git, described)
        layer = isinstance(target, Layer) and subject.startswith(f"fix-loop: {target} clean ")
        if found.is_ours and (layer or (not isinstance(target, Layer) and found.sha.startswith(target))):
            return found
    return None
