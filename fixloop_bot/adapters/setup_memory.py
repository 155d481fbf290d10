"""Remembers that the `setup` commands succeeded in a worktree, and whether all that they read and left is as it was."""

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.report_watch import read_regular
from fixloop_bot.checks.ecosystems.installs import builds, installed_folder, is_manifest

MAX_MANIFEST = 64_000_000
"""Bytes; what is larger is not compared, and the commands run again."""
MAX_MARKER = 100_000
READ_VARIABLES = ("PATH", "VIRTUAL_ENV", "LANG", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "UV_INDEX_URL")
"""Of the environment: where the tools come from, and what they install from."""
KEPT = frozenset((".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml", ".pnpm", ".bin"))
"""Hidden entries that installers write; other hidden ones are caches of tools."""
PYTHONS = ("bin/python", "bin/python3")


class FileSetupMemory:
    """`SetupMemory` in one file of the state folder for each worktree."""

    def __init__(
        self, root: str, marker: Path, *, list_files: Callable[[], Sequence[str]], base_env: Mapping[str, str]
    ) -> None:
        """`list_files` gives the worktree's tracked and untracked, unignored paths."""
        self._root = Path(root)
        self._marker = marker
        self._list_files = list_files
        self._env = base_env

    def holds(self, commands: Sequence[str]) -> bool:
        """Return whether nothing would change if the commands ran again; False where that is not known for sure."""
        known = _read(self._marker)
        now = self._now(commands)
        return now is not None and known == now

    def remember(self, commands: Sequence[str]) -> None:
        """Note that the commands have succeeded just now. Raises OSError when the disk refuses."""
        now = self._now(commands)
        if now is not None:
            write_durably(self._marker, json.dumps(now).encode())

    def forget(self) -> None:
        """Note that the commands are about to run: what they leave half done must not be taken for whole."""
        self._marker.unlink(missing_ok=True)

    def _now(self, commands: Sequence[str]) -> dict[str, object] | None:
        """Return the key of what the commands read, and the marks of what they fill; None where that is not known."""
        folders = [installed_folder(line) for line in commands]
        marks = {folder: self._mark(folder) for folder in folders if folder}
        key = self._key(commands)
        if not commands or None in folders or None in marks.values() or key is None:
            return None
        return {"key": key, "installed": marks}

    def _key(self, commands: Sequence[str]) -> str | None:
        """Return a hash over the commands, their environment, and every manifest and lock file."""
        digest = hashlib.sha256(json.dumps([list(commands), [self._env.get(v) for v in READ_VARIABLES]]).encode())
        for path in sorted(path for path in self._list_files() if is_manifest(path, commands)):
            data = read_regular(self._root / path, MAX_MANIFEST + 1)
            if data is None or len(data) > MAX_MANIFEST or builds(path, data.decode("utf-8", "replace")):
                return None
            digest.update(os.fsencode(path) + b"\0" + hashlib.sha256(data).digest())
        return digest.hexdigest()

    def _mark(self, folder: str) -> str | None:
        """Return a hash over what lies in an installed folder, two levels deep; None where it is none any more."""
        place = self._root / folder
        try:
            if place.is_symlink() or not place.is_dir() or not _has_its_python(place):
                return None
            lines = sorted(line for part in _parts(place) for line in _entries(part))
        except OSError:
            return None
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest() if lines else None


def _read(marker: Path) -> object:
    try:
        return json.loads(read_regular(marker, MAX_MARKER) or b"null")
    except ValueError:
        return None


def _has_its_python(place: Path) -> bool:
    """Return whether a virtual environment's interpreter is still there, which may lie elsewhere."""
    if not (place / "pyvenv.cfg").exists():
        return True
    return any((place / name).exists() for name in PYTHONS)


def _parts(place: Path) -> Iterator[Path]:
    """Yield the folders in which an install writes: the top, scopes, programs, and Python's packages."""
    yield place
    yield from (path for path in place.iterdir() if path.name.startswith("@") or path.name in (".bin", "bin"))
    yield from place.glob("lib/python*/site-packages")


def _entries(folder: Path) -> Iterator[str]:
    """Yield a line per entry. What checks leave there, caches and compiled files, does not count."""
    for entry in os.scandir(folder):
        if entry.name == "__pycache__" or (entry.name.startswith(".") and entry.name not in KEPT):
            continue
        about = entry.stat(follow_symlinks=False)
        inside = stat.S_ISDIR(about.st_mode)
        mark = about.st_ino if inside else (about.st_size, about.st_mtime_ns)
        yield f"{folder}/{entry.name} {mark}"
