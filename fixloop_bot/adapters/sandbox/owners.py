"""A person's files, lent to the sandbox user and given back: the loan is on disk before any of them changes hands.

Directories, links and plain files change their owner, never their group; the top folder its group, so that the person
can use git there meanwhile (it asks whose the folder is: git-config(1), safe.directory). What has more than one name
(hard links: the other may lie anywhere), what runs with its owner's rights, devices, other file systems and everything
named `.git` stay as they are.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.sandbox.registry import FOLDER, is_sandbox_user, private_folder

WAIT_S = 15.0
"""How long to wait for somebody who is giving the same files back."""
PAUSE_S = 0.05


NOT_A_PROJECT = ("/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/opt", "/proc", "/root", "/usr", "/var/lib")
"""No folder that has one of these in it is lent."""
NO_PLACE_FOR_ONE = ("/boot", "/dev", "/etc", "/proc", "/sys", "/usr/bin", "/usr/lib", "/usr/sbin", "/usr/share")
"""No folder in one of these is lent either."""
OF_A_HOME = (".ssh", ".bash_history")


class NotLendableError(OSError):
    """The folder holds more than a project: the system, or somebody's home."""


class LentAlreadyError(OSError):
    """Another process of fixloop's works in the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is lent to whom; the JSON on disk."""

    root: str
    uid: int
    owner: int
    """User to whom everything goes back that `others` does not name."""
    group: int
    """Group of the top folder, and then of what the sandbox user has made."""
    mode: int
    """Of the top folder."""
    others: dict[str, int]
    """Path relative to the root, to its owner where that is another."""
    also: tuple[str, ...] = ()
    """Folders that files of the root may be moved to meanwhile."""


class Loan:
    """Files under way; `descriptor` holds the lock of the note."""

    def __init__(self, note: Path, descriptor: int) -> None:
        self.note = note
        self.descriptor = descriptor

    def end(self) -> None:
        """Give everything back; the note is gone afterwards. May be called again after a kill at any moment."""
        try:
            give_back(self.note)
            self.note.with_suffix(".lock").unlink(missing_ok=True)
        finally:
            os.close(self.descriptor)


def lend(root: Path, uid: int, *, also: Sequence[Path] = (), registry: Path = FOLDER, wait_s: float = WAIT_S) -> Loan:
    """Lend all below `root` to the user; what a killed process had lent is given back before.

    Raises `LentAlreadyError`, `NotLendableError`, and OSError where owners cannot be changed: then nothing is.
    """
    if not _is_project(root):
        raise NotLendableError(f"{root} holds more than a project, so its files are not handed to another user")
    folder = private_folder("loans", registry)
    give_back_stale(folder)
    note = folder / f"{root.stat().st_dev:x}-{root.stat().st_ino:x}.json"
    descriptor = _locked(note.with_suffix(".lock"), wait_s)
    give_back(note)
    found = [(path, status.st_uid) for path, status in _lendable(root)]
    owner = _owner_of(root)
    others = {path: owner_id for path, owner_id in found if owner_id != owner.st_uid}
    others = {path: owner_id for path, owner_id in others.items() if not is_sandbox_user(owner_id)}
    told = Note(
        root=str(root),
        uid=uid,
        owner=owner.st_uid,
        group=owner.st_gid,
        mode=stat.S_IMODE(root.stat().st_mode),
        others=others,
        also=tuple(map(str, also)),
    )
    write_durably(note, json.dumps(asdict(told)).encode())
    loan = Loan(note, descriptor)
    try:
        os.chown(root, -1, uid)
        root.chmod(told.mode | stat.S_IRWXG)
        top = f"{root}/"
        for path, _ in found:
            _give(top + path, uid, -1)
    except OSError:
        loan.end()
        raise
    return loan


def _is_project(root: Path) -> bool:
    holds_system = any(Path(folder).is_relative_to(root) for folder in NOT_A_PROJECT)
    in_system = any(root.is_relative_to(folder) for folder in NO_PLACE_FOR_ONE)
    return not holds_system and not in_system and not any((root / name).exists() for name in OF_A_HOME)


def give_back_stale(folder: Path) -> None:
    """Give back what processes had lent that are gone."""
    for note in folder.glob("*.json"):
        descriptor = _lock_now(note.with_suffix(".lock"))
        if descriptor is not None:
            Loan(note, descriptor).end()


def give_back(note: Path) -> None:
    """Give back what a note says; no note: nothing. Raises OSError where that cannot be; then the note stays."""
    told = _read(note)
    if told is None:
        return
    for root in (told.root, *told.also):
        start = len(root) + 1
        for path, status in entries_of(Path(root)):
            if status.st_uid == told.uid or is_sandbox_user(status.st_uid):
                owner = told.others.get(path[start:], told.owner) if root == told.root else told.owner
                group = told.group if is_sandbox_user(status.st_gid) else -1
                _give(path, owner, group)
    _give_top_back(told)
    note.unlink()


def _give(path: str, owner: int, group: int) -> None:
    try:
        os.lchown(path, owner, group)
    except FileNotFoundError:
        return  # gone meanwhile: a person may work there, or their git tidies up


def _give_top_back(told: Note) -> None:
    root = Path(told.root)
    if root.is_dir() and is_sandbox_user(root.stat().st_gid):
        os.chown(root, -1, told.group)
        root.chmod(told.mode)


def _read(note: Path) -> Note | None:
    try:
        told: dict[str, Any] = json.loads(note.read_bytes())
    except FileNotFoundError:
        return None
    return Note(**told)


def _locked(path: Path, wait_s: float) -> int:
    """Return the descriptor of the lock, once nobody else has it. Raises `LentAlreadyError`."""
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline:
        descriptor = _lock_now(path)
        if descriptor is not None:
            return descriptor
        time.sleep(PAUSE_S)  # noqa: TID251 - at most for wait_s, before the run has a clock
    raise LentAlreadyError("another process of fixloop's works in this folder")


def _lock_now(path: Path) -> int | None:
    """Return the descriptor of the lock; None: somebody has it, or has just taken its file away."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


def _owner_of(root: Path) -> os.stat_result:
    """Return whose folder it is: of the first folder upwards that belongs to no sandbox."""
    return next(status for folder in (root, *root.parents) if not is_sandbox_user((status := folder.stat()).st_uid))


def _lendable(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield what the sandbox user gets, by its path relative to the root, the root itself left out."""
    start = len(os.fspath(root)) + 1
    for path, status in entries_of(root, skip=".git"):
        plain = stat.S_ISREG(status.st_mode) and not status.st_mode & (stat.S_ISUID | stat.S_ISGID)
        file = status.st_nlink == 1 and (plain or stat.S_ISLNK(status.st_mode))
        if path[start:] and (file or stat.S_ISDIR(status.st_mode)):
            yield path[start:], status


def entries_of(root: Path, *, skip: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Yield the folder and all below it on the same file system, no link followed, none named `skip`."""
    if not root.is_dir():
        return
    top = root.stat()
    yield os.fspath(root), top
    folders = [os.fspath(root)]
    while folders:
        for entry, status in _listed(folders.pop()):
            if entry.name == skip or status.st_dev != top.st_dev:
                continue
            yield entry.path, status
            if stat.S_ISDIR(status.st_mode):
                folders.append(entry.path)


def _listed(folder: str) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    """Yield what is in a folder; what goes away meanwhile is passed over, be it the folder."""
    try:
        entries = os.scandir(folder)
    except FileNotFoundError:
        return
    with entries:
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            yield entry, status
