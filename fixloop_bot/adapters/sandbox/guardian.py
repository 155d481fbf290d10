"""A process that outlives fixloop, however that ends: then it ends what the sandbox user runs and gives the files back.

As long as it lives it holds the locks of user and loan.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from fixloop_bot.adapters.process_tree import end_user
from fixloop_bot.adapters.sandbox.owners import give_back

LAUNCH = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from fixloop_bot.adapters.sandbox.guardian import stand_by; stand_by(sys.argv[2], int(sys.argv[3]))"
)
LOADER = ("LD_LIBRARY_PATH",)
DONE = b"done"
PACKAGE = Path(__file__).parents[3]


class Guardian:
    """The guardian of one loan."""

    def __init__(self, note: Path, uid: int, descriptors: tuple[int, ...], env: Mapping[str, str]) -> None:
        """`descriptors` are those of the locks."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", LAUNCH, str(PACKAGE), str(note), str(uid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={name: env[name] for name in LOADER if name in env},
            pass_fds=descriptors,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """Let it go: all is given back."""
        self._process.communicate(DONE)


def stand_by(note: str, uid: int) -> None:
    """Wait for the word that all is done, or for the end of whoever would say it."""
    if sys.stdin.buffer.read() != DONE:
        end_user(uid)
        give_back(Path(note))
    os._exit(0)  # whoever dismisses it waits for its end, and the interpreter's own takes longer than all of this
