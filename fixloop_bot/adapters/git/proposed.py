"""Commits that nobody has checked out: with other texts of some files, from a patch, or from another clone."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.paths import refuse_foreign
from fixloop_bot.adapters.git.staging import entries_of

_NEW_FILE = "100644"


def tree_with_texts(git: Git, onto: str, files: Mapping[str, str], scratch_index: Path) -> str:
    """Return the id of the commit's tree in which these files have these texts, line ends stored as git would.

    Raises `OutsideWorktreeError` for a path elsewhere.
    """
    modes = _modes(git, onto, files)
    with _index(git, onto, scratch_index) as env:
        for path, text in files.items():
            refuse_foreign(path)
            content = text.encode("utf-8", "surrogateescape")
            blob = git.run("hash-object", "-w", "--stdin", f"--path={path}", stdin=content).text
            entry = f"{modes.get(path, _NEW_FILE)} {blob}\t{path}\0"
            git.run("update-index", "-z", "--index-info", stdin=os.fsencode(entry), env=env)
        return git.text("write-tree", env=env)


def tree_with_patch(git: Git, onto: str, patch: bytes, scratch_index: Path) -> str | None:
    """Return the id of the commit's tree with exactly the patch, None where it does not apply as it is."""
    with _index(git, onto, scratch_index) as env:
        applied = git.run("apply", "--cached", "--whitespace=nowarn", "-", stdin=patch, ok=range(256), env=env)
        return git.text("write-tree", env=env) if applied.code == 0 else None


def pack(git: Git, base: str, *commits: str) -> bytes:
    """Return the objects of `commits` that `base` has not, empty for none."""
    if set(commits) <= {base}:
        return b""
    revisions = "".join(f"{commit}\n" for commit in (*commits, f"^{base}")).encode()
    return git.run("pack-objects", "--revs", "--thin", "--stdout", "-q", stdin=revisions).stdout


def unpack(git: Git, packed: bytes) -> bool:
    """Take the objects of a pack into the repository; return whether it was whole and fits what is there."""
    return git.run("unpack-objects", "-q", "--strict", stdin=packed, ok=range(256)).code == 0


def has_commit(git: Git, commit: str) -> bool:
    """Return whether the repository has the commit."""
    return git.run("cat-file", "-e", "--end-of-options", f"{commit}^{{commit}}", ok=(0, 1, 128)).code == 0


@contextmanager
def _index(git: Git, onto: str, place: Path) -> Iterator[dict[str, str]]:
    env = {"GIT_INDEX_FILE": str(place)}
    place.unlink(missing_ok=True)
    try:
        git.run("read-tree", "--end-of-options", onto, env=env)
        yield env
    finally:
        place.unlink(missing_ok=True)


def _modes(git: Git, onto: str, files: Mapping[str, str]) -> dict[str, str]:
    return {path: os.fsdecode(entry.partition(b" ")[0]) for path, entry in entries_of(git, onto, files).items()}
