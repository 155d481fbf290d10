"""A seccomp filter (seccomp(2)) against what neither users nor Landlock hold: file handles, keyrings, the network.

Standard library alone: the warden of a command imports it.
"""

import ctypes
import os
import struct

_SET_SECCOMP, _GET_SECCOMP, _MODE_FILTER = 22, 21, 2
_LOAD, _EQUALS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
"""BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_JMP|BPF_JGE|BPF_K, BPF_RET|BPF_K (linux/bpf_common.h)."""
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000
"""SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EPERM, SECCOMP_RET_KILL_PROCESS."""
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in struct seccomp_data."""
_X32 = 0x40000000
_AF_UNIX = 1

_COMMON = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427}
_MACHINES = {
    "x86_64": (0xC000003E, {"socket": 41, "add_key": 248, "request_key": 249, "keyctl": 250, "perf_event_open": 298,
                            "open_by_handle_at": 304, "bpf": 321}),
    "aarch64": (0xC00000B7, {"socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219, "perf_event_open": 241,
                             "open_by_handle_at": 265, "bpf": 280}),
}  # fmt: skip
"""AUDIT_ARCH_* and the numbers of system calls (linux, arch/*/entry/syscalls)."""
_NEVER = ("add_key", "request_key", "keyctl", "perf_event_open", "open_by_handle_at", "bpf")
_NEVER_OFFLINE = tuple(_COMMON)
"""io_uring opens sockets past the filter (io_uring_enter(2), IORING_OP_SOCKET)."""


def is_available() -> bool:
    """Return whether the kernel takes filters and this machine's system calls are known here."""
    return os.uname().machine in _MACHINES and _prctl(_GET_SECCOMP, 0, None) >= 0


def install(*, network: bool) -> None:
    """Put the filter on this process and all it starts; needs no new privileges. Raises OSError.

    Without `network` only sockets of the AF_UNIX family can be made: no UDP, no loopback either.
    """
    program = _program(network=network)
    code = ctypes.create_string_buffer(b"".join(program))
    header = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    if _prctl(_SET_SECCOMP, _MODE_FILTER, header) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


def _program(*, network: bool) -> list[bytes]:
    architecture, numbers = _MACHINES[os.uname().machine]
    calls = _COMMON | numbers
    program = [
        *(_step(_LOAD, _ARCHITECTURE), _step(_EQUALS, architecture, yes=1), _step(_RETURN, _KILL)),
        *(_step(_LOAD, _NUMBER), _step(_AT_LEAST, _X32, no=1), _step(_RETURN, _REFUSE)),
    ]
    for name in _NEVER if network else (*_NEVER, *_NEVER_OFFLINE):
        program += [_step(_EQUALS, calls[name], no=1), _step(_RETURN, _REFUSE)]
    if not network:
        program += [
            *(_step(_EQUALS, calls["socket"], yes=1), _step(_RETURN, _ALLOW), _step(_LOAD, _FIRST_ARGUMENT)),
            *(_step(_EQUALS, _AF_UNIX, yes=1), _step(_RETURN, _REFUSE)),
        ]
    return [*program, _step(_RETURN, _ALLOW)]


def _step(code: int, operand: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one struct sock_filter; `yes` and `no` are how many steps a jump passes over."""
    return struct.pack("HBBI", code, yes, no, operand)


def _prctl(option: int, value: int, header: bytes | None) -> int:
    result: int = ctypes.CDLL(None, use_errno=True).prctl(option, value, header, 0, 0)
    return result
