"""The diff of what a run has committed, for a page."""

from dataclasses import replace

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.adapters.git.repository import Repository, find_repository
from fixloop_bot.model.delivery import Checkout

MOST_BYTES = 400_000
_TIMEOUT_S = 10.0
_FORM = ("-p", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none")


def committed_diff(clone: Checkout, start: str, head: str) -> str:
    """Return the diff between two commits, cut at its end; empty where there is none, or it cannot be had now."""
    return _diff(clone_git(clone), start, head)


def worktree_diff(worktree: str, start: str, head: str) -> str:
    """Return the same of a person's own repository, of which nothing but objects is read."""
    found = find_repository(worktree, for_reading=True) if worktree else None
    return _diff(found.git, start, head) if isinstance(found, Repository) else ""


def _diff(git: Git, start: str, head: str) -> str:
    if not start or not head or start == head:
        return ""
    try:
        done = replace(git, timeout_s=_TIMEOUT_S).run("diff-tree", *_FORM, "--end-of-options", start, head, "--")
    except (GitError, OSError):
        return ""
    return done.stdout[:MOST_BYTES].decode("utf-8", "replace")
