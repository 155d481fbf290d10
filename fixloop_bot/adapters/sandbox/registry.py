"""Where root keeps what outlives a process: which sandbox users are taken, and whose the files are that are lent."""

import grp
import os
import pwd
from functools import cache
from pathlib import Path

FOLDER = Path("/var/lib/fixloop")
FIRST_UID, COUNT = 10001, 1000
"""Users and groups of the same number; none of them needs an entry in passwd(5)."""
NAME = "fixloop-sandbox"
"""The only account that a sandbox user may have."""


@cache
def is_sandbox_user(uid: int) -> bool:
    """Return whether the number is a sandbox's: in the range, and no account of somebody else."""
    if not FIRST_UID <= uid < FIRST_UID + COUNT:
        return False
    return _name_of_user(uid) in ("", NAME) and _name_of_group(uid) in ("", NAME)


def account_number() -> int | None:
    """Return the number of the sandbox's account, None where there is none."""
    try:
        return pwd.getpwnam(NAME).pw_uid
    except KeyError:
        return None


def works_in(folder: os.stat_result) -> tuple[int, int]:
    """Return user and group that new files in a folder are for: the sandbox's where it is lent, else its owner's."""
    if is_sandbox_user(folder.st_gid):
        return folder.st_gid, folder.st_gid
    return folder.st_uid, folder.st_gid


def private_folder(name: str, root: Path = FOLDER) -> Path:
    """Return a folder of the registry, made if need be, that root alone can enter. Raises OSError."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    if root.stat().st_uid != os.geteuid():
        raise PermissionError(f"{root} belongs to somebody else")
    root.chmod(0o700)
    folder = root / name
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


def _name_of_user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def _name_of_group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return ""
