"""Where a worktree's remote `origin` is, read without running or following anything that the repository set up."""

from pathlib import Path

from fixloop_bot.adapters.git.command import Git, GitError

_SAFE = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_NONE = (0, 1, 128)
"""Found; no such setting; no repository (git-config(1))."""


def origin_url(folder: Path) -> str:
    """Return the URL as it is written, credentials included; empty where there is none. It must never be shown."""
    try:
        return (
            Git(cwd=str(folder), options=_SAFE)
            .run("config", "--local", "--no-includes", "--get", "remote.origin.url", ok=_NONE)
            .text
        )
    except GitError:
        return ""


def worktree_root(folder: Path) -> Path | None:
    """Return the top folder of the worktree that a folder lies in, None where there is none."""
    try:
        found = Git(cwd=str(folder), options=_SAFE).text("rev-parse", "--show-toplevel")
    except GitError:
        return None
    return Path(found) if found else None


def git_version() -> str:
    """Return what `git --version` prints, empty where git cannot be started."""
    try:
        return Git(cwd="/").text("version")
    except GitError:
        return ""
