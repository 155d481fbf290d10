"""The process that forks a warden for each command, as fixloop sees it."""

import contextlib
import json
import socket
import struct
import subprocess
import sys
import weakref
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.adapters.warden import LAUNCH, LENGTH

PACKAGE = Path(__file__).parents[2]
LOADER = ("LD_LIBRARY_PATH",)
"""What Python itself may need to start, where it was built with a shared library."""
END_S = 10.0
"""How long the killing may take: longer only for a process that the kernel cannot end."""


class WardenHost:
    """The process that forks a warden for each command; it leaves with this object, or with fixloop."""

    def __init__(self, env: Mapping[str, str], box: Box | None) -> None:
        self.box = box
        near, far = socket.socketpair()
        with far:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-c", LAUNCH, str(PACKAGE), str(far.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={name: env[name] for name in LOADER if name in env},
                pass_fds=(far.fileno(),),
                start_new_session=True,
            )
        self._door = near
        told = json.dumps(asdict(box) if box else None).encode()
        with contextlib.suppress(BrokenPipeError):  # it could not start: no processes or no memory left
            near.sendall(struct.pack(LENGTH, len(told)) + told)
        self.close = weakref.finalize(self, _shut, self._process, near)

    @property
    def is_alive(self) -> bool:
        """Return whether it still serves: a command of the same user may have killed it."""
        return self._process.poll() is None

    def fork_warden(self, *descriptors: int) -> None:
        """Start a warden with the descriptors of its orders, report and output."""
        with contextlib.suppress(BrokenPipeError):  # a host that is gone shows in the missing report
            socket.send_fds(self._door, [b"!"], descriptors)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self.close()


def _shut(process: subprocess.Popen[bytes], door: socket.socket) -> None:
    door.close()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
