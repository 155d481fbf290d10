"""Files set aside: moved out of the worktree under a manifest, so that any later process can bring them back."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.git.paths import beside, delete, in_the_way, inside, move, prune_empty_parents

KEPT = ".fixloop-kept"
"""Added to the name of the file that gives way where two want one place."""


def park(root: str, folder: Path, paths: Sequence[str], *, why: str) -> None:
    """Move the paths from the worktree into `folder`; the manifest is on disk before the first one moves."""
    entries = [path for path in paths if os.path.lexists(inside(root, path))]
    manifest = {"schema": "fixloop.parked/1", "why": why, "worktree": root, "paths": entries}
    folder.mkdir(parents=True, mode=0o700)
    write_durably(folder / "manifest.json", json.dumps(manifest, indent=1).encode())
    for number, path in enumerate(entries):
        move(inside(root, path), folder / "files" / str(number))
        prune_empty_parents(root, path)


def unpark(root: str, folder: Path, tracked: frozenset[str]) -> None:
    """Bring all in `folder` back and delete it; may be called again after a kill at any moment.

    What came to stand in the way takes another name beside it. Only where that is tracked (`tracked` holds files and
    the folders above them) does the returning file give way.
    """
    manifest = folder / "manifest.json"
    entries = json.loads(manifest.read_bytes())["paths"] if manifest.exists() else []
    for number, path in enumerate(entries):
        stored = folder / "files" / str(number)
        if not os.path.lexists(stored):
            continue
        blocker = in_the_way(root, path)
        if blocker is None:
            target = Path(root, path)
        elif blocker in tracked:
            target = beside(root, path, blocker, KEPT)
        else:
            Path(root, blocker).rename(beside(root, blocker, blocker, KEPT))
            target = Path(root, path)
        move(stored, target)
    delete(folder)


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
