"""Keeps the worktree's own `.git` as it was: what commands plant there would run as whoever uses git there next."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from fixloop_bot.adapters.git.paths import delete
from fixloop_bot.adapters.report_watch import read_regular

SETTINGS = ("config", "config.worktree")
HOOKS = "hooks"
KEPT = ".fixloop-kept"
"""Added to the name of what a command had put there: it may be a person's after all, and so nothing is lost."""
LINK = b"\0link "
LIMIT = 1_000_000
FILES = 500
_SECTION = re.compile(rb"\s{0,64}\[([^\]\s\"]{1,64})")
_PERILOUS_SECTIONS = frozenset({
    b"alias", b"browser", b"credential", b"diff", b"difftool", b"filter", b"gpg", b"guitool", b"include", b"includeif",
    b"interactive", b"man", b"merge", b"mergetool", b"pager", b"remote", b"sendemail", b"sequence", b"submodule",
    b"trailer", b"uploadpack", b"url",
})  # fmt: skip
_PERILOUS_KEYS = re.compile(
    rb"(?:askpass|editor|fsmonitor|hookspath|pager|sshcommand|gitproxy|attributesfile|worktree|template|recentobjectshook)"
    rb"\s{0,64}=",
    re.IGNORECASE,
)
"""Settings that name a program, or a file that may (git-config(1))."""
_SETTING = re.compile(rb"\s{0,64}(?:[\[#;]|[A-Za-z][A-Za-z0-9-]{0,64}\s{0,64}(?:=|$)|$)")
"""A line that git understands; one that it does not stops it."""


class GitGuard:
    """Knows the repository's `.git`, its settings and its hooks as they were; looks after each command."""

    def __init__(self, root: Path, folders: Sequence[Path], tell: Callable[[str], None]) -> None:
        """`folders` are the git directories that commands can write to; `tell` hears of what was put back."""
        self._link = root / ".git"
        self._tell = tell
        self._content = read_regular(self._link, LIMIT)
        self._folder = _open_folder(self._link)
        self._folders = folders
        self._hooks = [hooks for folder in folders if not (hooks := folder / HOOKS).is_symlink()]
        self._kept = {path: _state(path) for path in self._watched()}

    def close(self) -> None:
        """Let go of the folder."""
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def look(self) -> None:
        """Put back what was changed in a way that may start a program."""
        changed = [*self._put_link_back(), *self._put_files_back()]
        if changed:
            told = ", ".join(changed[:5])
            self._tell(f"a command changed what git would run: {told}. That is put back; what was there ends in {KEPT}")

    def _put_link_back(self) -> list[str]:
        if self._content is not None and read_regular(self._link, LIMIT) != self._content:
            _set_aside(self._link)
            _write(self._link, self._content, 0o644)
            return [".git"]
        if self._folder is None or _is_same(self._link, self._folder):
            return []
        moved = Path(f"/proc/self/fd/{self._folder}").readlink()
        _set_aside(self._link)
        if moved.is_dir():
            moved.rename(self._link)
        return [".git"]

    def _put_files_back(self) -> list[str]:
        changed = []
        for path in dict.fromkeys([*self._hooks, *self._kept, *self._watched()]):
            was, now = self._kept.get(path), _state(path)
            is_hook = path in self._hooks or path.parent in self._hooks
            if was == now or (not is_hook and now is not None and _perils(was) == _perils(now)):
                continue
            changed.append(f"{path.parent.name}/{path.name}")
            _set_aside(path)
            if was is not None and not was.startswith(LINK):
                _write(path, was, 0o755 if is_hook else 0o644)
        return changed

    def _watched(self) -> list[Path]:
        found = [folder / name for folder in self._folders for name in SETTINGS]
        for hooks in self._hooks:
            if hooks.is_dir() and not hooks.is_symlink():
                with os.scandir(hooks) as entries:
                    found += [Path(entry.path) for entry, _ in zip(entries, range(FILES), strict=False)]
        return [path for path in found if not path.name.endswith(KEPT)]


def _state(path: Path) -> bytes | None:
    """Return what a file holds, or where a link leads; None for a folder, or nothing."""
    if path.is_symlink():
        return LINK + os.fsencode(path.readlink())
    return read_regular(path, LIMIT)


def _perils(content: bytes | None) -> tuple[bytes, ...]:
    """Return the lines of a configuration that may name a program."""
    lines, section = [], b""
    for line in (content or b"").splitlines():
        header = _SECTION.match(line)
        section = header[1].lower().partition(b".")[0] if header else section
        if section in _PERILOUS_SECTIONS or _PERILOUS_KEYS.search(line) or not _SETTING.match(line):
            lines.append(line.strip())
    return tuple(lines)


def _set_aside(path: Path) -> None:
    """Rename what is there, if anything, to a name that git does not look for."""
    aside = path.with_name(path.name + KEPT)
    if os.path.lexists(path):
        delete(aside)
        path.rename(aside)


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write the file anew, with the owner of its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as file:
        file.write(content)
    if os.geteuid() == 0:
        shutil.chown(path, path.parent.stat().st_uid, path.parent.stat().st_gid)


def _open_folder(link: Path) -> int | None:
    if sys.platform != "linux":
        return None
    try:
        return os.open(link, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None


def _is_same(link: Path, folder: int) -> bool:
    try:
        return os.path.samestat(link.lstat(), os.fstat(folder))
    except FileNotFoundError:
        return False
