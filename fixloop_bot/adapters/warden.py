"""The wardens' host: a program of its own that forks a warden for each command, so that Python starts once a run.

It is told of a command by a byte on a socket, with three descriptors (socket(7), SCM_RIGHTS): orders, report, output.
At the socket's end it leaves. It imports the standard library and its neighbours here alone.
"""

import json
import os
import socket
import struct

from fixloop_bot.adapters.process_tree import become_subreaper, end_all, reap, watch_over
from fixloop_bot.adapters.sandbox.box import Box, ReadyBox, make_ready
from fixloop_bot.adapters.sandbox.hide import hide_process

LAUNCH = (
    "import sys; sys.path.append(sys.argv[1]); from fixloop_bot.adapters.warden import serve; serve(int(sys.argv[2]))"
)
"""For `python -I -S -c`, with the folder that has fixloop's package and the socket's descriptor."""
LENGTH = "=I"
"""Of the first message, in bytes, before it."""


def serve(control: int) -> None:
    """Fork wardens until the socket ends; the first message is the box that their commands go into, as JSON."""
    hide_process()
    become_subreaper()
    with socket.socket(fileno=control) as door:
        box = _read_box(door)
        while True:
            word, descriptors, _, _ = socket.recv_fds(door, 1, 3)
            if not word:
                break
            _fork_warden(door, box, *descriptors)
            reap(0)
    end_all(leader=0, uid=None)
    os._exit(0)  # nothing is left to be tidied up, and who closes the socket waits for this process's end


def _read_box(door: socket.socket) -> ReadyBox | str | None:
    """Return the box, why it cannot be had, or None for no box."""
    length = struct.unpack(LENGTH, door.recv(struct.calcsize(LENGTH), socket.MSG_WAITALL))[0]
    told = json.loads(door.recv(length, socket.MSG_WAITALL))
    try:
        return make_ready(Box(**told)) if told else None
    except OSError as error:
        return str(error)


def _fork_warden(door: socket.socket, box: ReadyBox | str | None, orders: int, report: int, output: int) -> None:
    if os.fork() == 0:
        door.close()
        os.setsid()
        for standard in (1, 2):
            os.dup2(output, standard)
        os.close(output)
        try:
            watch_over(orders, report, box)
        finally:
            os._exit(1)
    for descriptor in (orders, report, output):
        os.close(descriptor)
