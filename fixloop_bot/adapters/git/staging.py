"""Exactly these paths, as they are on disk, into an index and a tree."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fixloop_bot.adapters.git.command import Git, nul_separated
from fixloop_bot.adapters.git.paths import refuse_foreign, stands

_HIDDEN_CONTENT = ("lfs", "age", "sops")
_ENCRYPTING = "crypt"


class FilteredPathError(Exception):
    """A path that only the person's own filter program (git LFS, git-crypt) can store as it must be stored."""


def tree_with(git: Git, commit: str, paths: Sequence[str], scratch_index: Path) -> str:
    """Return the id of the commit's tree with these paths as on disk; absent ones are deleted."""
    env = {"GIT_INDEX_FILE": str(scratch_index)}
    scratch_index.unlink(missing_ok=True)
    try:
        git.run("read-tree", "--end-of-options", commit, env=env)
        stage(git, paths, env)
        return git.text("write-tree", env=env)
    finally:
        scratch_index.unlink(missing_ok=True)


def tree_without(git: Git, commit: str, paths: Sequence[str], scratch_index: Path) -> str:
    """Return the id of the commit's tree without these paths."""
    env = {"GIT_INDEX_FILE": str(scratch_index)}
    scratch_index.unlink(missing_ok=True)
    try:
        git.run("read-tree", "--end-of-options", commit, env=env)
        git.run("update-index", "--force-remove", "-z", "--stdin", stdin=nul_separated(paths), env=env)
        return git.text("write-tree", env=env)
    finally:
        scratch_index.unlink(missing_ok=True)


def stage(git: Git, paths: Sequence[str], env: dict[str, str] | None = None) -> None:
    """Put the paths into the index as they are on disk."""
    present = [path for path in paths if stands(git.cwd, path)]
    gone = [path for path in paths if path not in set(present)]
    if gone:
        git.run("update-index", "--force-remove", "-z", "--stdin", stdin=nul_separated(gone), env=env)
    if present:
        git.run("update-index", "--add", "--replace", "-z", "--stdin", stdin=nul_separated(present), env=env)


def committable(git: Git, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the paths without those in submodules, sorted.

    Raises `OutsideWorktreeError` for a path elsewhere and `FilteredPathError` where the content on disk is not what
    may be stored: committed without its filter, a git-crypt file would lie open in the history.
    """
    for path in paths:
        refuse_foreign(path)
    links = tuple(f"{path}/" for path in submodules(git))
    own = tuple(sorted({path for path in paths if not path.startswith(links)})) if links else tuple(sorted(set(paths)))
    refuse_filtered(git, own)
    return own


def refuse_filtered(git: Git, paths: Sequence[str]) -> None:
    """Raise `FilteredPathError` if one of the paths can be written or stored by a filter program alone."""
    filtered = filtered_paths(git, paths)
    if filtered:
        shown = ", ".join(filtered[:3]) + (f" and {len(filtered) - 3} more" if len(filtered) > 3 else "")
        raise FilteredPathError(
            f"stored through a filter program (git LFS, git-crypt), which fixloop never runs: {shown}"
        )


def filtered_paths(git: Git, paths: Sequence[str]) -> tuple[str, ...]:
    """Return those of the paths whose `filter` attribute says that they are kept elsewhere or encrypted."""
    if not paths:
        return ()
    fields = git.run("check-attr", "-z", "--stdin", "filter", stdin=nul_separated(paths)).paths
    pairs = zip(fields[0::3], fields[2::3], strict=True)
    return tuple(path for path, name in pairs if name in _HIDDEN_CONTENT or _ENCRYPTING in name.lower())


def submodules(git: Git) -> tuple[str, ...]:
    """Return the paths of the index that are commits of other repositories."""
    entries = git.run("ls-files", "--stage", "-z").paths
    return tuple(entry.partition("\t")[2] for entry in entries if entry.startswith("160000 "))


def entries_of(git: Git, commit: str, paths: Iterable[str]) -> dict[str, bytes]:
    """Return path → `ls-tree` entry of those paths that are files or links in the commit."""
    wanted = set(paths)
    for path in wanted:
        refuse_foreign(path)
    found = {}
    for entry in git.run("ls-tree", "-r", "-z", "--end-of-options", commit).stdout.split(b"\0"):
        path = os.fsdecode(entry.partition(b"\t")[2])
        if path in wanted and not entry.startswith(b"160000 "):
            found[path] = entry
    return found


def put_entries(git: Git, entries: Mapping[str, bytes], *, absent: Iterable[str]) -> None:
    """Write tree entries into the index and onto the disk, over what stands there; take the absent ones out of it."""
    git.run("update-index", "--force-remove", "-z", "--stdin", stdin=nul_separated(absent))
    listed = b"".join(entry + b"\0" for entry in entries.values())
    git.run("update-index", "--replace", "-z", "--index-info", stdin=listed)
    git.run("checkout-index", "-f", "-u", "-z", "--stdin", stdin=nul_separated(entries))
