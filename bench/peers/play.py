"""One program plays one script on a fresh repository, under watch."""

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peers.contenders import Contender
from bench.peers.ground import ASSERTION, Server, checked, environment, ground
from bench.peers.watch import MOST_MB, Watched
from tests.fakes.model_script import Scripted

LONGEST_S = 180


@dataclass(frozen=True, kw_only=True)
class Played:
    """One run of one program."""

    code: int
    """Its exit code; below 0: it was ended."""
    said: str
    wall: float
    first: float
    """Seconds from the start to the first request, less those of fixloop's own checks until then."""
    sizes: Sequence[int]
    """Characters of each request."""
    memory: float
    """MB, of all its processes."""
    own_memory: float
    """MB, of its first process."""
    shown: bool
    """The assertion was sent."""

    @property
    def characters(self) -> int:
        """Return how many were sent in all."""
        return sum(self.sizes)

    @property
    def ended(self) -> str:
        """Return why it was ended; nothing if it ended by itself."""
        if self.code >= 0:
            return ""
        return f"over {MOST_MB:,} MB" if self.memory > MOST_MB else f"over {LONGEST_S} s"


def play(one: Contender, program: str, script: Sequence[Scripted], *, lines: int = 0, testing: bool = False) -> Played:
    """Let a program play a script, where the test prints so many lines; `testing`: and it is to see them."""
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as name, Server(script, by_tools=one.by_tools) as server:
        folder = Path(name)
        work = ground(folder, lines=lines)
        (folder / "home").mkdir()
        env = {**environment(server.url, folder / "home", os.environ["PATH"]), **one.env}
        arguments = (one.testing if testing else ()) or one.arguments
        places = {"{root}": str(work.root), "{state}": str(work.state)}
        started = time.time()
        with Watched([program, *(places.get(word, word) for word in arguments)], work.root, env) as watched:
            code, said = _ended(watched)
            wall = time.time() - started
        first = server.times[0] if server.times else started + wall
        return Played(
            code=code,
            said=said,
            wall=wall,
            first=first - started - checked(work.root, first),
            sizes=server.sizes,
            memory=watched.mb,
            own_memory=watched.own_mb,
            shown=any(ASSERTION in request.text for request in server.requests),
        )


def _ended(watched: Watched) -> tuple[int, str]:
    try:
        return watched.wait(LONGEST_S)
    except subprocess.TimeoutExpired:
        return -1, ""
