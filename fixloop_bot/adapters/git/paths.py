"""Paths inside the worktree: checked, split by what stands on disk, and moved without loss."""

import errno
import os
import shutil
import stat
from collections.abc import Container, Iterable, Iterator
from pathlib import Path, PurePosixPath

from fixloop_bot.adapters.sandbox.registry import works_in


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
    parts = [part for part in path.split("/") if part not in {"", "."}]
    names_git = ".git" in (part.lower() for part in parts)
    if not parts or path.startswith("/") or ".." in parts or names_git or "\0" in path:
        raise OutsideWorktreeError(f"not a path of the worktree: {path!r}")


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that a relative path lies in, the outermost first; plain text, for thousands of paths."""
    end = path.find("/", 1)
    while 0 < end < len(path) - 1:
        yield path[:end]
        end = path.find("/", end + 1)


def linked_parent(root: str, path: str) -> bool:
    """Return whether a folder on the way to the path is a symbolic link."""
    return any(os.path.islink(f"{root}/{parent}") for parent in folders_above(path))  # noqa: PTH114  thousands of paths


def stands(root: str, path: str) -> bool:
    """Return whether the path is a file or link on disk, reached through no link."""
    full = Path(root, path)
    return os.path.lexists(full) and not is_folder(full) and not linked_parent(root, path)


def in_the_way(root: str, path: str) -> str | None:
    """Return what keeps a file from being put there: itself if something is there, or a parent that is no folder."""
    parts = PurePosixPath(path).parts
    for end in range(1, len(parts) + 1):
        full = Path(root, *parts[:end])
        if not os.path.lexists(full):
            return None
        if end == len(parts) or not is_folder(full):
            return "/".join(parts[:end])
    return None


def obstacles(root: str, paths: Iterable[str], tracked: frozenset[str]) -> tuple[str, ...]:
    """Return what git does not track and would overwrite when it writes these paths: files, links, whole folders."""
    found = {path for path in (in_the_way(root, path) for path in paths) if path}
    return tuple(sorted(path for path in found if path not in tracked or is_folder(Path(root, path))))


def whole_folders(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths, with a folder (`/` at its end) in place of all it holds where it holds nothing else."""
    wanted = {path.rstrip("/"): path for path in paths}
    parents = {parent for path in wanted for parent in folders_above(path)}
    known, whole = set(wanted), set[str]()
    for folder in sorted(parents, key=lambda name: -name.count("/")):
        full = Path(root, folder)
        if is_folder(full) and _holds_only(full, folder, known):
            known.add(folder)
            whole.add(folder)
    outer = {folder for folder in whole if not _lies_in(folder, whole)}
    return tuple(
        sorted([*(f"{folder}/" for folder in outer), *(path for path in wanted.values() if not _lies_in(path, outer))])
    )


def _holds_only(full: Path, folder: str, known: Container[str]) -> bool:
    with os.scandir(full) as entries:
        return all(f"{folder}/{entry.name}" in known for entry in entries)


def _lies_in(path: str, folders: Container[str]) -> bool:
    return any(parent in folders for parent in folders_above(path))


def beside(root: str, path: str, blocker: str, suffix: str) -> Path:
    """Return where the path can be put instead: with a suffix on `blocker`, the part of it that is taken."""
    number, name = 1, f"{blocker}{suffix}"
    while os.path.lexists(Path(root, name)):
        number += 1
        name = f"{blocker}{suffix}-{number}"
    return Path(root, name + path.rstrip("/")[len(blocker) :])


def is_folder(path: Path) -> bool:
    """Return whether a folder is there, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def give_to_owner(root: str, paths: Iterable[str]) -> None:
    """Give files that root has written, and folders made for them, to whoever works in the worktree."""
    user, group = works_in(Path(root).stat())
    if os.geteuid() != 0 or user == 0:
        return
    for path in paths:
        if linked_parent(root, path):
            continue
        for part in (path, *map(str, PurePosixPath(path).parents[:-1])):
            full = Path(root, part)
            if os.path.lexists(full) and full.lstat().st_uid == 0:
                os.chown(full, user, group, follow_symlinks=False)


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
    if is_folder(path):
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


def _copy(source: Path, target: Path) -> None:
    """Copy with times, modes and, where the process may, owners; links as links."""
    if is_folder(source):
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
