"""Objects of another clone on this machine, taken over: each is hashed anew, nothing else of the clone is used."""

import re
from pathlib import Path

from fixloop_bot.adapters.git.clone import HEAD_REF
from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.adapters.git.paths import delete

_SHALLOW = re.compile(rb"(?:[0-9a-f]{40,64}\n)*")
_SHALLOW_LIMIT = 8_000_000
"""Bytes that are read of a list of shallow commits."""


def adopt(git: Git, source: Path, commit: str, *, alone: bool = False) -> bool:
    """Copy the commit's history out of the git directory `source`; return whether it was whole there.

    `alone` copies the commit without its history, so that the clone is a shallow one. The source's configuration,
    which may hold a token or name programs, is not read. Its objects may have been tampered with, so git computes
    every name from the content.
    """
    own = Path(git.env["GIT_DIR"])
    scratch, shallow = own / "adopted", own / "shallow"
    scratch.mkdir()
    try:
        listed = f"{commit}\n".encode() if alone else shallow_list(source / "shallow")
        if listed:
            shallow.write_bytes(listed)
        _take_objects(git, source / "objects", commit, scratch, alone=alone)
        git.run("rev-list", "--objects", "--quiet", "--end-of-options", commit)
        git.run("update-ref", "--end-of-options", HEAD_REF, commit)
    except (GitError, OSError):
        shallow.unlink(missing_ok=True)
        return False
    finally:
        delete(scratch)
    return True


def shallow_list(path: Path) -> bytes:
    """Return the commits whose parents the source does not have; empty where it is complete or the list is none."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        content = file.read(_SHALLOW_LIMIT)
    return content if _SHALLOW.fullmatch(content) else b""


def _take_objects(git: Git, objects: Path, commit: str, scratch: Path, *, alone: bool) -> None:
    """Pack what the commit needs, name the packed objects anew, and move the pack into the clone."""
    env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(objects)}
    wanted = f"--shallow {commit}\n{commit}\n" if alone else f"{commit}\n"
    argv = ("pack-objects", "--revs", "--quiet", "--no-reuse-object", str(scratch / "own"))
    name = git.run(*argv, stdin=wanted.encode(), env=env).text
    pack = scratch / f"own-{name}.pack"
    for claimed in scratch.glob("own-*.*"):
        if claimed != pack:
            claimed.unlink()
    git.run("index-pack", str(pack))
    folder = Path(git.env["GIT_DIR"], "objects", "pack")
    folder.mkdir(exist_ok=True)
    for ending in (".pack", ".idx"):
        pack.with_suffix(ending).rename(folder / f"pack-{name}{ending}")


def quoted(path: Path) -> str:
    """Return a path so that git reads a `:` or a line's end in it as part of the name (git(1))."""
    escaped = str(path.resolve()).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
