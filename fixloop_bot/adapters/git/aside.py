"""Files set aside: moved out of the worktree under a manifest, so that any later process can bring them back."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.git.paths import (
    beside,
    delete,
    in_the_way,
    inside,
    is_folder,
    linked_parent,
    move,
    prune_empty_parents,
    refuse_foreign,
    whole_folders,
)

KEPT = ".fixloop-kept"
"""Added to the name of the file that gives way where two want one place."""


_HOW = "what `paths` names with number N (from 0) lies at files/N; move it back by hand where it is wanted"


def park(root: str, folder: Path, paths: Sequence[str], *, why: str) -> None:
    """Move the paths from the worktree into `folder`; the manifest is on disk before the first one moves.

    A folder that holds nothing but such paths moves as one, so that thousands of files cost one renaming.
    """
    for path in paths:
        refuse_foreign(path)
    entries = [path for path in whole_folders(root, paths) if os.path.lexists(inside(root, path))]
    manifest = {"schema": "fixloop.parked/1", "why": why, "worktree": root, "back": _HOW, "paths": entries}
    folder.mkdir(parents=True, mode=0o700)
    write_durably(folder / "manifest.json", json.dumps(manifest, indent=1).encode())
    for number, path in enumerate(entries):
        move(inside(root, path), folder / "files" / str(number))
        prune_empty_parents(root, path)


def unpark(root: str, folder: Path, tracked: frozenset[str]) -> None:
    """Bring all in `folder` back and delete it; may be called again after a kill at any moment.

    What came to stand in the way takes another name beside it; folders become one. Only where that is tracked
    (`tracked` holds files and the folders above them) does the returning file give way.
    """
    manifest = folder / "manifest.json"
    entries = json.loads(manifest.read_bytes())["paths"] if manifest.exists() else []
    waiting = [(folder / "files" / str(number), path.rstrip("/")) for number, path in enumerate(entries)]
    while waiting:
        stored, path = waiting.pop()
        if _can_merge(stored, Path(root, path)) and not linked_parent(root, path):
            waiting += [(child, f"{path}/{child.name}") for child in stored.iterdir()]
        elif os.path.lexists(stored):
            move(stored, _place(root, path, tracked))
    delete(folder)


def _can_merge(stored: Path, present: Path) -> bool:
    """Return whether both are plain folders; a repository inside stays whole."""
    plain = is_folder(stored) and is_folder(present)
    return plain and not any(os.path.lexists(folder / ".git") for folder in (stored, present))


def _place(root: str, path: str, tracked: frozenset[str]) -> Path:
    """Return where the path goes back to, free of what stood there."""
    blocker = in_the_way(root, path)
    if blocker is not None and blocker in tracked:
        return beside(root, path, blocker, KEPT)
    if blocker is not None:
        Path(root, blocker).rename(beside(root, blocker, blocker, KEPT))
    return Path(root, path)


def next_folder(parent: Path, prefix: str = "") -> Path:
    """Return the first unused `<prefix><number>` under `parent`."""
    number = 1
    while (parent / f"{prefix}{number}").exists():
        number += 1
    return parent / f"{prefix}{number}"


def parked_folders(parent: Path) -> tuple[Path, ...]:
    """Return the folders under `parent`, the oldest first."""
    if not parent.is_dir():
        return ()
    return tuple(sorted(parent.iterdir(), key=lambda folder: int(folder.name)))
