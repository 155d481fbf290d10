"""A clone that fixloop owns: a worktree for the pull request's code, and a git directory outside of it."""

import os
from pathlib import Path

from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.paths import delete
from fixloop_bot.adapters.git.shadow import IDENTITY
from fixloop_bot.model.delivery import Checkout

HEAD_REF = "refs/fixloop/head"
"""Where the fetched head is kept: no branch of the person's can collide with it."""
BASE_REFS = "refs/remotes/origin/"
_WORKTREE, _GIT_DIR = "worktree", "repository.git"

_LOCKS = ("shallow.lock", "index.lock", "HEAD.lock", "packed-refs.lock", "config.lock")

_HARMLESS = (
    "badTimezone", "emptyName", "missingEmail", "missingNameBeforeEmail", "missingSpaceBeforeDate",
    "missingSpaceBeforeEmail", "zeroPaddedDate", "zeroPaddedFilemode",
)  # fmt: skip
"""Faults that old tools left in many histories and that harm nobody (git-fsck(1), message ids)."""

_CONFIG = f"""[core]
\trepositoryformatversion = 0
\tbare = false
\tfilemode = true
\tsymlinks = true
\tlogAllRefUpdates = false
\thooksPath = {os.devnull}
\tfsmonitor = false
\tattributesFile = {os.devnull}
\texcludesFile = {os.devnull}
\tprotectHFS = true
\tprotectNTFS = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
[commit]
\tgpgSign = false
[submodule]
\trecurse = false
[fetch]
\trecurseSubmodules = false
\twriteCommitGraph = false
[transfer]
\tfsckObjects = true
""" + "".join(f'[fetch "fsck"]\n\t{name} = ignore\n' for name in _HARMLESS)

_OTHER_FORMAT = """[core]
\trepositoryformatversion = 1
[extensions]
\tobjectFormat = %s
"""


def clone_git(clone: Checkout) -> Git:
    """Return git on the clone. Its directory is named, so a `.git` that the code plants in the worktree is not seen."""
    return git_in(clone.root, clone.git_dir)


def git_in(root: str, git_dir: str) -> Git:
    """Return git on a worktree and a git directory that fixloop made."""
    return Git(cwd=git_dir, env={"GIT_DIR": git_dir, "GIT_WORK_TREE": root, **IDENTITY})


def make_clone(folder: Path, *, worktree: str = _WORKTREE, object_format: str = "sha1") -> Git:
    """Make an empty clone in `folder`, by hand, so that no template of the machine's gets in. Raises OSError."""
    git_dir, root = folder.resolve() / _GIT_DIR, folder.resolve() / worktree
    for made in (root, git_dir / "refs" / "heads", git_dir / "objects"):
        made.mkdir(parents=True)
    (git_dir / "config").write_text(_CONFIG if object_format == "sha1" else _CONFIG + _OTHER_FORMAT % object_format)
    (git_dir / "HEAD").write_text("ref: refs/heads/fixloop-unborn\n")
    link_worktree(str(root), str(git_dir))
    return git_in(str(root), str(git_dir))


def link_worktree(root: str, git_dir: str) -> None:
    """Write the worktree's `.git` file (gitrepository-layout(5)) anew; the pull request's code may have changed it."""
    link = Path(root, ".git")
    delete(link)
    with os.fdopen(os.open(link, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644), "w") as file:
        file.write(f"gitdir: {git_dir}\n")


def drop_stale_locks(git_dir: str) -> None:
    """Remove what a git process left behind that was killed at its time limit.

    Only for a clone in which no other git process works. A run's own lock, `fixloop.lock`, stays.
    """
    own = Path(git_dir)
    for lock in (*(own / name for name in _LOCKS), *(own / "refs").rglob("*.lock")):
        lock.unlink(missing_ok=True)
