"""The door to the git worktree."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from fixloop_bot.model.context import ChangedLines
from fixloop_bot.model.guard import FileChange


class HeadMovedError(Exception):
    """Somebody else moved the branch while the run was on it; nothing of theirs was touched."""


class Worktree(Protocol):
    """The git worktree. Whoever calls a method that writes holds the worktree's lock."""

    root: str

    def head(self) -> str:
        """Return the commit id of HEAD."""
        ...

    def tree(self) -> str:
        """Return the tree id of HEAD."""
        ...

    def branch(self) -> str | None:
        """Return the checked-out branch, None when detached."""
        ...

    def message(self, commit: str) -> str:
        """Return the commit's whole message."""
        ...

    def dirty(self) -> tuple[str, ...]:
        """Return tracked paths that differ from HEAD (staged or not)."""
        ...

    def untracked(self) -> tuple[str, ...]:
        """Return untracked paths that git does not ignore."""
        ...

    def ignored(self) -> Sequence[str]:
        """Return what git ignores; a folder with nothing else in it is one path, with `/` at its end."""
        ...

    def commit(self, paths: Sequence[str], message: str) -> str | None:
        """Commit exactly these paths as they are on disk; return the id, None when that is no change."""
        ...

    def filtered(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return those that only a filter program (git LFS, git-crypt) may store; `commit` refuses them."""
        ...

    def squash(self, onto: str, message: str) -> str:
        """Make all above `onto` one commit with HEAD's tree; return its id."""
        ...

    def reset(self, commit: str) -> None:
        """Stand on `commit`, tracked files as there. Untracked files stay."""
        ...

    def restore(self, paths: Sequence[str] | None = None) -> None:
        """Make tracked files (or just these) as in HEAD."""
        ...

    def patch(self, base: str, *, uncommitted: bool = False) -> bytes:
        """Return a binary-safe patch from `base` to HEAD, or to the tracked files on disk."""
        ...

    def changed_between(self, base: str, commit: str) -> Mapping[str, str]:
        """Return path → git's status letter (A, M, D, T); a rename is a D and an A."""
        ...

    def changed_lines(self, base: str, commit: str, paths: Sequence[str]) -> ChangedLines:
        """Return the lines of these files, as `commit` has them, that differ from `base`; none where it cannot be told.

        A file of more than a megabyte counts as no text.
        """
        ...

    def file_changes(self, base: str, commit: str) -> tuple[Sequence[FileChange], int]:
        """Return the changed files with both texts and modes, and how many more there are beyond the bound.

        At most 2,000 files, 4 MB of each, 64 MB in all; what is larger, binary or absent says so instead of its text.
        """
        ...

    def with_files(self, onto: str, files: Mapping[str, str], message: str) -> str:
        """Return a commit on `onto` in which these files have these texts; the branch and the files on disk stay.

        A file that is there keeps its mode; text is UTF-8, with surrogate escapes for other bytes.
        """
        ...

    def patch_between(self, base: str, commit: str) -> bytes:
        """Return a binary-safe patch from one commit to another."""
        ...

    def apply(self, patch: bytes, message: str) -> str | None:
        """Commit exactly this patch on HEAD, files on disk with it; return the id, None where it does not apply."""
        ...

    def bundle(self, base: str, commit: str) -> bytes:
        """Return what another clone that has `base` needs to have `commit`; empty where they are the same."""
        ...

    def unbundle(self, bundle: bytes) -> bool:
        """Take the commits of a bundle into the repository; return whether they are all there now."""
        ...

    def has(self, commit: str) -> bool:
        """Return whether the repository has the commit."""
        ...

    def without(self, paths: Sequence[str], message: str) -> str:
        """Return a commit on top of HEAD that lacks these paths; the branch and the files stay as they are."""
        ...

    def diff_stat(self, base: str, commit: str) -> str:
        """Return git's one-line summary, empty for no change."""
        ...

    def stash(self, run_id: str) -> str | None:
        """Keep uncommitted changes of tracked files under a ref and clean the worktree; return the ref, if any."""
        ...

    def unstash(self, ref: str) -> bool:
        """Bring kept changes back; return whether they conflict. Then the worktree is clean and the ref stays.

        No such ref: they are back already.
        """
        ...

    def stash_ref(self, run_id: str) -> str:
        """Return the ref that `stash` uses for the run, so that it can be written down before."""
        ...

    def stashes(self) -> Sequence[str]:
        """Return the refs of all changes of this worktree that were kept and are not back yet, the oldest first."""
        ...

    def last_move(self) -> tuple[str, str]:
        """Return the commits between which fixloop moved the branch last, or was about to; empty: it never did."""
        ...

    def set_aside(self, paths: Sequence[str]) -> None:
        """Move untracked paths out of the worktree, remembered on disk."""
        ...

    def put_back(self) -> None:
        """Bring back what was set aside; what stands in the way is kept beside it under another name."""
        ...

    def displace(self, paths: Sequence[str], *, why: str) -> None:
        """Move untracked files, and folders named with a `/` at their end, to salvage: nothing is ever deleted."""
        ...

    def forget_bytecode(self) -> None:
        """Delete the untracked `__pycache__` folders of the project itself: a check would believe what is in them."""
        ...

    def check_unmoved(self) -> None:
        """Raise `HeadMovedError` if somebody else moved the branch or checked out another; touches nothing."""
        ...
