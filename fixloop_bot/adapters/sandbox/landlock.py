"""Landlock by its system calls (landlock(7)): a process gives up, for itself and all it starts, what no rule allows.

Standard library alone: the warden of a command imports it.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The same on every architecture (linux, include/uapi/asm-generic/unistd.h)."""
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_FIRST = (1 << 13) - 1
"""All rights of the first version."""
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
TCP_ABI, SCOPE_ABI = 4, 6
"""First versions of Landlock that hold TCP, and signals and abstract sockets."""

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """Return the version of Landlock that this kernel has, 0 for none."""
    version: int = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    return max(version, 0)


def make_ruleset(readable: Iterable[str], writable: Iterable[str], *, network: bool) -> int:
    """Return the descriptor of a ruleset; paths that are not there are left out. Raises OSError.

    Whoever it is put on reads and executes below `readable`, does all but make devices below `writable`, signals
    nobody outside, and speaks TCP only with `network`; the latter two as far as the kernel's version goes.
    """
    version = abi()
    handled = _handled(version)
    net = 0 if network or version < TCP_ABI else _TCP_BIND_AND_CONNECT
    scoped = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= SCOPE_ABI else 0
    size = 24 if version >= SCOPE_ABI else 16 if version >= TCP_ABI else 8
    attributes = struct.pack("=QQQ", handled, net, scoped)[:size]
    ruleset = _checked(_libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0), "create_ruleset")
    for path in readable:
        _allow(ruleset, path, _READ & handled)
    for path in writable:
        _allow(ruleset, path, handled & ~(_MAKE_CHAR | _MAKE_BLOCK))
    return ruleset


def restrict(ruleset: int) -> None:
    """Put the ruleset on this process; needs no new privileges (prctl(2)). Raises OSError."""
    _checked(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "restrict_self")


def _handled(version: int) -> int:
    rights = _FIRST
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        rights |= right if version >= since else 0
    return rights


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(beneath).st_mode):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, beneath)
        _checked(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0), f"add_rule {path}")
    finally:
        os.close(beneath)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"landlock {what}: {os.strerror(number)}")
    return result
