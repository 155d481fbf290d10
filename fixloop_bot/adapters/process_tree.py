"""Warden of one command: a program of its own that starts it and ends it with all its descendants.

Run by path, with the standard library alone, as `python -I -S process_tree.py ORDERS_FD REPORT_FD`. It reads one JSON
line `{"argv": [...], "cwd": "...", "env": {...}}` from ORDERS_FD and answers on REPORT_FD with JSON lines:
`{"pid": N}` once started, then `{"exit_code": N}` (negative for a signal) or `{"errno": N}`. When the command has
ended, or ORDERS_FD is closed at the other end (a limit, or the death of whoever asked), all still alive is killed.

A process of its own, because only a child subreaper (prctl(2)) keeps hold of daemons that left their session, and being
one inside fixloop's own process could not tell one command's orphans from another's.
"""

import ctypes
import fcntl
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PAUSE_S = 0.002
PROC = "/proc/self"


def main(orders: int, report: int) -> None:
    """Serve one command, from its orders to the end of its last descendant."""
    for descriptor in (orders, report):
        fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _prctl(PR_SET_DUMPABLE, 0)
    wakeup, bell = os.pipe()
    os.set_blocking(bell, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    order = json.loads(_read_line(orders))
    leader, errno = _start(order)
    if errno:
        _tell(report, errno=errno)
        return
    _tell(report, pid=leader)
    code = _wait(leader, orders, wakeup)
    _end_all(leader)
    if code is not None:
        _tell(report, exit_code=code)


def _start(order: dict[str, Any]) -> tuple[int, int]:
    """Return the pid of the command and 0, or its errno where it cannot be executed."""
    failed, fail = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(order, fail)
    os.close(fail)
    with os.fdopen(failed) as stream:
        word = stream.read()
    if word:
        os.waitpid(pid, 0)
    return pid, int(word or 0)


def _become(order: dict[str, Any], fail: int) -> None:
    """Turn this process into the command; on failure write the errno and leave."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order["cwd"])
        os.execvpe(order["argv"][0], order["argv"], order["env"])  # noqa: S606 - to run this argv is the purpose
    except OSError as error:
        os.write(fail, str(error.errno).encode())
    except ValueError:  # a NUL byte in an argument
        os.write(fail, b"22")
    finally:
        os._exit(127)


def _wait(leader: int, orders: int, wakeup: int) -> int | None:
    """Return the command's exit code, None when it is to be ended before it has one."""
    while True:
        ready, _, _ = select.select([orders, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 512)
            code = _reap(leader)
            if code is not None:
                return code
        if orders in ready:
            return None


def _reap(leader: int) -> int | None:
    """Reap every dead child; return the leader's exit code if it was among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if pid == 0:
            return code
        if pid == leader:
            code = os.waitstatus_to_exitcode(status)


def _end_all(leader: int) -> None:
    """Kill until no child is left: an orphan of a killed child becomes a child of this subreaper, and goes next."""
    if not os.path.isdir(PROC):  # noqa: PTH112 - pathlib takes as long to import as all the rest
        _kill(os.killpg, leader)
    while _has_children():
        for pid in _descendants(os.getpid()):
            _kill(os.kill, pid)
        time.sleep(PAUSE_S)  # noqa: TID251 - this program is no part of fixloop's process and has no clock port


def _has_children() -> bool:
    _reap(0)
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _kill(send: Callable[[int, int], None], target: int) -> None:
    try:
        send(target, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _descendants(root: int) -> list[int]:
    """Return the live descendants of `root` that /proc shows; empty where there is no /proc."""
    parents = dict(_parents())
    found, grew = {root}, True
    while grew:
        more = {pid for pid, parent in parents.items() if parent in found and pid not in found}
        found |= more
        grew = bool(more)
    return sorted(found - {root})


def _parents() -> list[tuple[int, int]]:
    pairs = []
    for entry in os.scandir("/proc") if os.path.isdir(PROC) else ():  # noqa: PTH112 - as above
        if entry.name.isdigit():
            try:
                with open(f"{entry.path}/stat", "rb") as stream:  # noqa: PTH123 - as above
                    fields = stream.read().rpartition(b")")[2].split()
            except OSError:
                continue
            pairs.append((int(entry.name), int(fields[1])))
    return pairs


def _read_line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 65536)
        if not piece:
            sys.exit(0)
        line += piece
    return line


def _tell(descriptor: int, **word: int) -> None:
    os.write(descriptor, json.dumps(word).encode() + b"\n")


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
