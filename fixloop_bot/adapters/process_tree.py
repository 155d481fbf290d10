"""Warden of one command: a process of its own that starts it, locked in, and ends it with all its descendants.

It reads one JSON line `{"argv": [...], "cwd": "...", "env": {...}, "beside": false}` from its orders and answers with
JSON lines: `{"pid": N}` before it starts, then `{"exit_code": N}` (negative for a signal), `{"errno": N}`, or
`{"locked_out": "why"}` where the sandbox could not be entered, and `{"ended": 1}` at the very end. When the command has
ended, or the orders are closed at the other end (a limit, or the death of whoever asked), all still alive is killed.
`beside`: other commands of the same user run meanwhile.

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

from fixloop_bot.adapters.sandbox.box import ReadyBox, enter
from fixloop_bot.adapters.sandbox.hide import die_with_parent, hide_process

PR_SET_CHILD_SUBREAPER = 36
PAUSE_S = 0.002
PATIENCE = 500
"""Rounds of killing, a second or more of them, before other commands of the user are no longer spared."""
PROC = "/proc/self"


def watch_over(orders: int, report: int, box: ReadyBox | str | None) -> None:
    """Serve one command, from its orders to the end of its last descendant; `box`: a text says why there is none."""
    for descriptor in (orders, report):
        fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    become_subreaper()
    hide_process()
    wakeup, bell = os.pipe()
    os.set_blocking(bell, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    order = json.loads(_read_line(orders))
    leader, failure = (0, {"locked_out": box}) if isinstance(box, str) else _start(order, box, report)
    if failure:
        _tell(report, failure)
    else:
        code = _wait(leader, orders, wakeup)
        end_all(leader, box.box.uid if isinstance(box, ReadyBox) else None, beside=order["beside"])
        if code is not None:
            _tell(report, {"exit_code": code})
    _tell(report, {"ended": 1})


def become_subreaper() -> None:
    """Let orphans among the descendants become children of this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _start(order: dict[str, Any], box: ReadyBox | None, report: int) -> tuple[int, dict[str, Any]]:
    """Return the pid of the command and nothing, or why it cannot be executed.

    The pid is told before the command begins: by then it could have killed whoever would tell it.
    """
    failed, fail = os.pipe()
    gate, key = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(key)
        os.read(gate, 1)
        _become(order, box, fail)
    _tell(report, {"pid": pid})
    for descriptor in (fail, gate, key):
        os.close(descriptor)
    with os.fdopen(failed) as stream:
        word = stream.read()
    if word:
        os.waitpid(pid, 0)
    return pid, json.loads(word) if word else {}


def _become(order: dict[str, Any], box: ReadyBox | None, fail: int) -> None:
    """Turn this process into the command; on failure write why and leave."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order["cwd"])
        if _lock_in(box, fail):
            os.execvpe(order["argv"][0], order["argv"], order["env"])  # noqa: S606 - to run this argv is the purpose
    except OSError as error:
        _tell(fail, {"errno": error.errno})
    except ValueError:  # a NUL byte in an argument
        _tell(fail, {"errno": 22})
    finally:
        os._exit(127)


def _lock_in(box: ReadyBox | None, fail: int) -> bool:
    """Enter the sandbox, if there is one; return whether the command may run."""
    try:
        if box is not None:
            enter(box)
        die_with_parent()
    except (OSError, ValueError) as error:
        _tell(fail, {"locked_out": str(error)})
        return False
    return True


def _wait(leader: int, orders: int, wakeup: int) -> int | None:
    """Return the command's exit code, None when it is to be ended before it has one."""
    while True:
        ready, _, _ = select.select([orders, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 512)
            code = reap(leader)
            if code is not None:
                return code
        if orders in ready:
            return None


def reap(leader: int) -> int | None:
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


def end_all(leader: int, uid: int | None, *, beside: bool = False) -> None:
    """Kill until no child is left: an orphan of a killed child becomes a child of this subreaper, and goes next.

    With a `uid` of the command's own everything of it goes at once, so that nothing can fork away from the killing.
    `beside` spares the user's other commands, until what descends from this one has forked away for too long.
    """
    rounds = 0
    if leader and not os.path.isdir(PROC):  # noqa: PTH112 - pathlib takes as long to import as all the rest
        _kill(os.killpg, leader)
    while _has_children():
        rounds += 1
        if uid is not None and (not beside or rounds > PATIENCE):
            _kill_user(uid)
        for pid in _descendants(os.getpid()):
            _kill(os.kill, pid)
        time.sleep(PAUSE_S)  # noqa: TID251 - this program is no part of fixloop's process and has no clock port


def end_user(uid: int) -> None:
    """Kill the user's processes until there is none. Only for a process with a single thread."""
    while _has_processes(uid):
        _kill_user(uid)
        time.sleep(PAUSE_S)  # noqa: TID251 - as above


def _has_processes(uid: int) -> bool:
    for entry in os.scandir("/proc") if os.path.isdir(PROC) else ():  # noqa: PTH112 - as above
        if entry.name.isdigit():
            try:
                with open(f"{entry.path}/status", "rb") as stream:  # noqa: PTH123 - as above
                    said = stream.read()
            except OSError:
                continue
            if b"\nUid:\t%d\t" % uid in said and b"\nState:\tZ" not in said:
                return True
    return False


def _kill_user(uid: int) -> None:
    """Kill every process of the user at once, from a process of that user (kill(2), pid -1)."""
    helper = os.fork()
    if helper == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(helper, 0)


def _has_children() -> bool:
    reap(0)
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


def _tell(descriptor: int, word: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(word).encode() + b"\n")
