"""What of the sandbox this process can have here: asked of the kernel, once."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from fixloop_bot.adapters.sandbox import landlock, seccomp
from fixloop_bot.adapters.sandbox.box import READ_SEARCH
from fixloop_bot.adapters.sandbox.paths import first_unreachable
from fixloop_bot.adapters.sandbox.registry import private_folder
from fixloop_bot.model.sandbox import Reach, RunsAs

NEEDED = {"CHOWN": 0, "DAC_OVERRIDE": 1, "KILL": 5, "SETGID": 6, "SETUID": 7, "SETPCAP": 8}
"""Capabilities to change users, take files over and end what runs (capabilities(7)); Docker leaves them to root."""


def find_reach(env: Mapping[str, str], work: Sequence[Path] = (), *, opened: Sequence[Path] = ()) -> Reach:
    """Return what can be had; `work` are the folders that commands work in, `opened` are opened to them anyway.

    Without a sandbox user: not root, root without the rights to change users, or no place to keep the books.
    """
    version, filters = kernel()
    why = _no_other_user()
    if why:
        return Reach(runs_as=RunsAs.SELF, shortfall=why, advice=RUN_AS_ROOT, landlock=version, seccomp=filters)
    barred = first_unreachable([*_programs(env), *work], opened=opened)
    if barred is None:
        return Reach(runs_as=RunsAs.OTHER, landlock=version, seccomp=filters)
    path, folder = barred
    can_read = version > 0 and filters and _holds(READ_SEARCH)
    return Reach(
        runs_as=RunsAs.READER if can_read else RunsAs.SELF,
        shortfall=f"{path} cannot be reached by another user, as {folder} is closed to others",
        advice=f"move it to a folder that all may enter, such as /usr/local or /opt, or run chmod o+rx {folder}",
        landlock=version,
        seccomp=filters,
    )


@cache
def kernel() -> tuple[int, bool]:
    """Return the version of Landlock, 0 for none, and whether there are filters of system calls."""
    if sys.platform != "linux":
        return 0, False
    return landlock.abi(), seccomp.is_available()


RUN_AS_ROOT = (
    "run fixloop as root, for example as the container action, so that it can give commands a user of their own"
)


@cache
def _no_other_user() -> str:
    """Return why no other user can be had, empty if one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "fixloop is not root, so commands share its user"
    lacking = [name for name, number in NEEDED.items() if not _holds(number)]
    if lacking:
        return f"root here lacks CAP_{lacking[0]}, so commands share fixloop's user"
    try:
        private_folder("users")
    except OSError as error:
        return f"no folder of root's own to note sandbox users in ({error})"
    return ""


def _holds(capability: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> capability & 1)
    return False


def _programs(env: Mapping[str, str]) -> list[Path]:
    """Return the interpreter that fixloop's own tools run with, and every folder of programs."""
    places = [Path(part) for part in env.get("PATH", os.defpath).split(os.pathsep) if part.startswith("/")]
    return [Path(sys.executable), *(place for place in places if place.is_dir())]
