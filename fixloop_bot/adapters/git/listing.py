"""The files of a folder as git sees them, or of a folder that is in no repository."""

import os
from collections.abc import Iterator
from pathlib import Path

from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.core.leftovers import ENVIRONMENT_DIRECTORIES

FILE_LIMIT = 200_000
"""Files listed of a folder that is in no repository."""
_SAFE = ("-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")


def list_project_files(root: Path) -> tuple[str, ...]:
    """Return tracked and untracked, unignored paths below `root`, POSIX and relative to it; ignored ones are left out.

    Outside a repository: every regular file but those of dependency folders, no link followed.
    """
    git = Git(cwd=str(root), options=_SAFE, env={"GIT_OPTIONAL_LOCKS": "0"})
    try:
        return tuple(dict.fromkeys(git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").paths))
    except GitError:
        return tuple(_walk(root))


def git_folders(root: Path) -> tuple[Path, ...]:
    """Return the git directories of a worktree, its own and the shared one; empty where there is none."""
    git = Git(cwd=str(root), options=_SAFE, env={"GIT_OPTIONAL_LOCKS": "0"})
    try:
        named = git.text("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir").splitlines()
    except GitError:
        return ()
    return tuple(dict.fromkeys(map(Path, named)))


def _walk(root: Path) -> Iterator[str]:
    left = FILE_LIMIT
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ENVIRONMENT_DIRECTORIES)
        for name in sorted(files):
            if left == 0:
                return
            left -= 1
            yield (Path(folder) / name).relative_to(root).as_posix()
