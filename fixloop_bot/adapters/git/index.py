"""The shadow's index: the person's, without what hides changes, and with filtered files left in peace."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from fixloop_bot.adapters.git.command import Git, nul_separated
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.git.staging import filtered_paths

_FILTERED = "filtered-paths"
"""File of the paths that only a filter program can write; fixloop's index has them marked skip-worktree."""

_HAS_FILTER = ":(exclude,attr:!filter)"
"""Pathspec of the files for which the `filter` attribute is specified (gitglossary(7), pathspec)."""

_HIDING: Mapping[str, str] = {"assume-unchanged": "hs", "skip-worktree": "Ss"}
"""Index bits that hide a changed file from git, with the tags that `ls-files -v` shows for them."""


def copy_index(repository: Repository, folder: Path) -> None:
    """Copy the index with its time stamp, which tells git the files that may have changed unseen (racy git)."""
    for stale in folder.glob("*index*"):
        stale.unlink()
    for source in Path(repository.git_dir).glob("sharedindex.*"):
        shutil.copy2(source, folder / source.name)
    index = Path(repository.git_dir, "index")
    if index.exists():
        shutil.copy2(index, folder / "index")


def uncover_hidden(git: Git, folder: Path) -> None:
    """Clear the bits that hide changes of files on disk: what is verified must be what is committed."""
    tagged = git.run("ls-files", "-v", "-z").paths
    for bit, tags in _HIDING.items():
        paths = [entry[2:] for entry in tagged if entry[0] in tags and os.path.lexists(f"{git.cwd}/{entry[2:]}")]
        hidden = folder / f"hidden-{bit}"
        hidden.unlink(missing_ok=True)
        if paths:
            hidden.write_bytes(nul_separated(paths))
            git.run("update-index", f"--no-{bit}", "-z", "--stdin", stdin=nul_separated(paths))


def leave_filtered(git: Git, folder: Path) -> None:
    """Let git take files that only a filter program can write for unchanged, whatever the disk says of them.

    Without the filter their content on disk never equals what is stored, and a checkout would leave a pointer there.
    """
    listed = folder / _FILTERED
    listed.unlink(missing_ok=True)
    # Asked of git by attribute: of ten thousand files none may have one.
    suspects = git.run("ls-files", "-z", "--", _HAS_FILTER, env={"GIT_LITERAL_PATHSPECS": "0"}).paths
    present = [path for path in suspects if os.path.lexists(f"{git.cwd}/{path}")]
    paths = filtered_paths(git, present)
    if paths:
        listed.write_bytes(nul_separated(paths))
        git.run("update-index", "--skip-worktree", "-z", "--stdin", stdin=nul_separated(paths))


def filtered_list(folder: Path) -> frozenset[str]:
    """Return the paths that `leave_filtered` has marked."""
    listed = folder / _FILTERED
    return frozenset(map(os.fsdecode, listed.read_bytes().split(b"\0"))) if listed.exists() else frozenset()


def restore_bits(git: Git, folder: Path, index: Path) -> None:
    """Set the person's skip-worktree and assume-unchanged bits again, and clear those that are fixloop's own."""
    marks = (("no-skip-worktree", _FILTERED), *((bit, f"hidden-{bit}") for bit in _HIDING))
    for option, name in marks:
        listed = folder / name
        if not listed.exists():
            continue
        entries = set(git.run("ls-files", "-z").paths)
        paths = [path for path in map(os.fsdecode, listed.read_bytes().split(b"\0")) if path in entries]
        stat = index.stat()
        argv = ("update-index", f"--{option}", "-z", "--stdin")
        git.run(*argv, stdin=nul_separated(paths), env={"GIT_INDEX_FILE": str(index)})
        os.utime(index, ns=(stat.st_atime_ns, stat.st_mtime_ns))
