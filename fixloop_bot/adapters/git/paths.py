"""Paths inside the worktree: checked, split by what stands on disk, and moved without loss."""

import errno
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath


class OutsideWorktreeError(ValueError):
    """A path that is absolute, climbs out, follows a link out, or names git's own folder."""


def inside(root: str, path: str) -> Path:
    """Return the absolute path of a relative one; raises `OutsideWorktreeError` if it could lie elsewhere."""
    refuse_foreign(path)
    if linked_parent(root, path):
        raise OutsideWorktreeError(f"reached through a link: {path!r}")
    return Path(root, path)


def refuse_foreign(path: str) -> None:
    """Raise `OutsideWorktreeError` for a path that by its spelling is none of the worktree's files."""
    parts = PurePosixPath(path).parts
    names_git = ".git" in (part.lower() for part in parts)
    if not parts or path.startswith("/") or ".." in parts or names_git or "\0" in path:
        raise OutsideWorktreeError(f"not a path of the worktree: {path!r}")


def linked_parent(root: str, path: str) -> bool:
    """Return whether a folder on the way to the path is a symbolic link."""
    return any(Path(root, parent).is_symlink() for parent in PurePosixPath(path).parents)


def stands(root: str, path: str) -> bool:
    """Return whether the path is a file or link on disk, reached through no link."""
    full = Path(root, path)
    return os.path.lexists(full) and (full.is_symlink() or not full.is_dir()) and not linked_parent(root, path)


def obstacles(root: str, paths: Iterable[str], tracked: frozenset[str]) -> tuple[str, ...]:
    """Return what git does not know and would overwrite when it writes these paths: files, links, whole folders."""
    found = (_obstacle(root, path, tracked) for path in paths)
    return tuple(sorted({path for path in found if path}))


def _obstacle(root: str, path: str, tracked: frozenset[str]) -> str | None:
    parts = PurePosixPath(path).parts
    for end in range(1, len(parts) + 1):
        prefix = "/".join(parts[:end])
        full = Path(root, prefix)
        if not os.path.lexists(full):
            return None
        plain_folder = full.is_dir() and not full.is_symlink()
        if plain_folder and end == len(parts):
            return prefix
        if not plain_folder:
            return None if prefix in tracked else prefix
    return None


def move(source: Path, target: Path) -> None:
    """Move a file, link or folder, also to another file system: it is whole at one place at least, at any moment."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        partial = target.with_name(f"{target.name}.fixloop-partial")
        delete(partial)
        _copy(source, partial)
        partial.rename(target)
        delete(source)


def delete(path: Path) -> None:
    """Delete a file, link or folder with all in it; nothing there is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def prune_empty_parents(root: str, path: str) -> None:
    """Remove the folders above the path that hold nothing any more, as git does; never the root."""
    for parent in PurePosixPath(path).parents:
        folder = Path(root, parent)
        if parent == PurePosixPath() or not folder.is_dir() or folder.is_symlink() or any(folder.iterdir()):
            return
        folder.rmdir()


def free_name(root: str, path: str, suffix: str) -> Path:
    """Return where the path can be put: itself, or with a suffix on the first part of it that is taken."""
    parts = list(PurePosixPath(path).parts)
    for end in range(1, len(parts) + 1):
        full = Path(root, *parts[:end])
        is_last = end == len(parts)
        taken = os.path.lexists(full) and (is_last or full.is_symlink() or not full.is_dir())
        if taken:
            parts[end - 1] = _unused(full, suffix)
    return Path(root, *parts)


def _unused(full: Path, suffix: str) -> str:
    name, number = f"{full.name}{suffix}", 1
    while os.path.lexists(full.with_name(name)):
        number += 1
        name = f"{full.name}{suffix}-{number}"
    return name


def _copy(source: Path, target: Path) -> None:
    """Copy with times, modes and, where the process may, owners; links as links."""
    if source.is_dir() and not source.is_symlink():
        target.mkdir()
        for child in source.iterdir():
            _copy(child, target / child.name)
        shutil.copystat(source, target)
    elif source.is_symlink() or stat.S_ISREG(source.lstat().st_mode):
        shutil.copy2(source, target, follow_symlinks=False)
    else:
        return
    if os.geteuid() == 0:
        owner = source.lstat()
        os.chown(target, owner.st_uid, owner.st_gid, follow_symlinks=False)
