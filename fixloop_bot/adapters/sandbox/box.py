"""What a command is locked into, and the way in: it is gone through by the command's own process, just before it.

Standard library alone: the warden of a command imports it.
"""

import ctypes
import os
import resource
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.sandbox import landlock, seccomp

_KEEPCAPS, _CAPBSET_DROP, _NO_NEW_PRIVS, _CAP_AMBIENT = 8, 24, 38, 47
_AMBIENT_RAISE = 2
_SET_SECUREBITS, _NO_SETUID_FIXUP = 28, 1 << 2
"""With it access(2) counts capabilities of users other than root too, so `test -r` says what open(2) does."""
_CAPABILITIES = range(64)
"""More than any kernel has; those that it does not know are refused without harm (capabilities(7))."""
_CAPABILITY_VERSION = 0x20080522
OVERRIDE = 1
"""CAP_DAC_OVERRIDE: passes over all permissions of files, not over Landlock."""
READ_SEARCH = 2
"""CAP_DAC_READ_SEARCH: passes over the permissions to read files and to enter folders, not over Landlock."""
OOM_FIRST = "500"
"""For the kernel, out of memory, to end a command rather than fixloop (proc_pid_oom_score_adj(5))."""
UMASK = 0o022


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What holds a command; made by fixloop, taken by the warden as JSON."""

    uid: int | None = None
    """User and group of that number, no further groups; None: fixloop's own user."""
    reader: bool = False
    """The other user may read, below `readable` alone, what only root may: toolchains in root's home."""
    writes_others: bool = False
    """Root without another user may write what is not root's, below `writable`: a worktree of somebody else's."""
    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
    landlock: bool = False
    seccomp: bool = False
    network: bool = True
    limits: Mapping[str, int] = field(default_factory=dict)
    """By the names of setrlimit(2) without RLIMIT_, in its units; lowered where the system allows less."""


@dataclass(frozen=True, slots=True)
class ReadyBox:
    """A box with its rules made, once for all the commands that go into it."""

    box: Box
    ruleset: int | None
    """Descriptor of Landlock's."""


def make_ready(box: Box) -> ReadyBox:
    """Make the rules. Raises OSError."""
    rules = landlock.make_ruleset(box.readable, box.writable, network=box.network) if box.landlock else None
    return ReadyBox(box, rules)


def enter(ready: ReadyBox) -> None:
    """Lock this process in, for good. Raises OSError where the system refuses: then the command must not run."""
    box = ready.box
    _be_the_first_to_go()
    _limit(box.limits)
    if box.reader:
        _set_capabilities(_all_held(), inheritable=1 << READ_SEARCH)
        _prctl(_SET_SECUREBITS, _NO_SETUID_FIXUP)
    kept = 1 << OVERRIDE if box.writes_others else 0
    _drop_bounding_set(kept)
    if box.uid is not None:
        _become(box.uid, reader=box.reader)
    elif os.geteuid() == 0:
        _set_capabilities(kept, inheritable=0)
    _prctl(_NO_NEW_PRIVS, 1)
    os.umask(UMASK)
    if ready.ruleset is not None:
        landlock.restrict(ready.ruleset)
    if box.seccomp:
        seccomp.install(network=box.network)


def _become(uid: int, *, reader: bool) -> None:
    if reader:
        _prctl(_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if reader:
        _set_capabilities(1 << READ_SEARCH, inheritable=1 << READ_SEARCH)
        _prctl(_CAP_AMBIENT, _AMBIENT_RAISE, READ_SEARCH)


def _be_the_first_to_go() -> None:
    try:
        Path("/proc/self/oom_score_adj").write_text(OOM_FIRST)
    except OSError:
        return  # no /proc, or a container that allows no change


def _limit(limits: Mapping[str, int]) -> None:
    for name, wanted in limits.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(which, (allowed, allowed))


def _drop_bounding_set(kept: int) -> None:
    for number in _CAPABILITIES if os.geteuid() == 0 else ():
        if not kept >> number & 1:
            ctypes.CDLL(None).prctl(_CAPBSET_DROP, number, 0, 0, 0)


def _all_held() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0


def _set_capabilities(held: int, *, inheritable: int) -> None:
    """Set permitted and effective to `held` (capset(2), version 3)."""
    words = [
        struct.pack("=III", *(mask >> shift & 0xFFFFFFFF for mask in (held, held, inheritable))) for shift in (0, 32)
    ]
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _check(ctypes.CDLL(None, use_errno=True).capset(header, b"".join(words)), "capset")


def _prctl(option: int, value: int, more: int = 0) -> None:
    _check(ctypes.CDLL(None, use_errno=True).prctl(option, value, more, 0, 0), f"prctl {option}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
