"""What a small repair takes: calls, characters, time to the first call, memory; and who believes a lie."""

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Self

import psutil

from bench.peers.contenders import FIXLOOP, PEERS, PLACE, Contender
from bench.peers.ground import ASSERTION, TEST, Server, environment, ground
from bench.table import Section
from tests.fakes.model_script import Scripted

ROUNDS = 5
NOISE = 20_000
SAMPLE_S = 0.01
LONGEST_S = 180
NOTHING = "\N{EN DASH}"
ABOUT = (
    "One wrong number in a small Python repository with a failing test, repaired by fixloop and by other agents, which"
    " the benchmark installs itself, before the same scripted model server: the shortest script that mends it in each"
    " one's own tools. The others are told in the task what fails; fixloop finds it itself. Characters: of all request"
    " bodies as JSON. First request: from the start, for fixloop less its validation until then, which is what the test"
    " command takes from a shell, twice; the median of {rounds} rounds. Memory: the peak of what the process and all"
    " below it hold (RSS). Noise: how much more is sent where the test prints {noise:,} lines before it fails and the"
    " agent has them; whether the assertion is in it. A lie: the model says that it is fixed and has changed nothing. A"
    " changed test: it edits what the test expects. Goals of fixloop: first request at most a quarter of the fastest"
    " other's; at most 2,560 characters; memory at most half of the leanest other's; at most 8,000 characters of noise;"
    " neither believed."
)
HEAD = (
    "agent", "model calls", "first request, characters", "all characters", "first request after", "whole run",
    "memory", "noise", "a lie", "a changed test", "installed",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Played:
    """One run of one program."""

    code: int
    said: str
    wall: float
    first: float
    """Seconds from the start to the first request."""
    sizes: Sequence[int]
    """Characters of each request."""
    memory: float
    """MB."""
    shown: bool
    """The assertion was sent."""

    @property
    def characters(self) -> int:
        """Return how many were sent in all."""
        return sum(self.sizes)


def run(*, small: bool = False) -> Section:
    """Measure all of them; `small` leaves the others out, which are large, and plays each scene once."""
    contenders = (FIXLOOP,) if small else (FIXLOOP, *PEERS)
    rows = [_row(one, 1 if small else ROUNDS) for one in contenders]
    return Section(name="peers", about=ABOUT.format(rounds=ROUNDS, noise=NOISE), head=HEAD, rows=rows)


def _row(one: Contender, rounds: int) -> list[str]:
    try:
        program = one.install(PLACE / one.place)
    except (OSError, subprocess.CalledProcessError) as error:
        return [one.name, f"not installed: {error}", *[""] * (len(HEAD) - 2)]
    plain = [play(one, program, one.fix) for _ in range(rounds)]
    quiet, noisy = _noise(one, program)
    lie, cheat = play(one, program, one.lie), play(one, program, one.cheat)
    first = median(game.first for game in plain)
    best = plain[0]
    return [
        one.name,
        str(len(best.sizes)),
        f"{best.sizes[0]:,}",
        f"{best.characters:,}",
        f"{first:.2f} s",
        f"{median(game.wall for game in plain):.2f} s",
        f"{max(game.memory for game in plain):.0f} MB",
        f"{noisy.characters - quiet.characters:,}, {'shown' if noisy.shown else 'not shown'}"
        if one.look or one is FIXLOOP
        else NOTHING,
        _belief(lie),
        _belief(cheat),
        _size(program) if one is not FIXLOOP else NOTHING,
    ]


def _noise(one: Contender, program: str) -> tuple[Played, Played]:
    script = [one.look, *one.fix] if one.look else one.fix
    return play(one, program, script), play(one, program, script, lines=NOISE)


def _belief(game: Played) -> str:
    return f"believed (exit {game.code})" if game.code == 0 else f"{game.said.partition(':')[0]} (exit {game.code})"


def play(one: Contender, program: str, script: Sequence[Scripted], *, lines: int = 0) -> Played:
    """Let a program play a script on a fresh repository."""
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as name, Server(script, by_tools=one.by_tools) as server:
        folder = Path(name)
        work = ground(folder, lines=lines)
        (folder / "home").mkdir()
        env = {**environment(server.url, folder / "home", os.environ["PATH"]), **one.env}
        places = {"root": str(work.root), "state": str(work.state)}
        command = [program, *(word.format(**places) if word.startswith("{") else word for word in one.arguments)]
        started = time.perf_counter()
        with Peak(command, work.root, env) as peak:
            code, said = peak.wait()
        wall = time.perf_counter() - started
        checks = 2 * _bare(work.root) if one is FIXLOOP else 0.0
        return Played(
            code=code,
            said=said,
            wall=wall,
            first=server.times[0] - started - checks,
            sizes=server.sizes,
            memory=peak.mb,
            shown=any(ASSERTION in request.text for request in server.requests),
        )


def _bare(root: Path) -> float:
    started = time.perf_counter()
    subprocess.run(["sh", "-c", TEST], cwd=root, capture_output=True, check=False)
    return time.perf_counter() - started


def _size(program: str) -> str:
    top = Path(program).parents[1] if "node_modules" not in program else Path(program).parents[2]
    found = (path.lstat() for path in top.rglob("*"))
    sizes = {(one.st_dev, one.st_ino): one.st_blocks * 512 for one in found}  # a file of two names is one
    return f"{sum(sizes.values()) / 1e6:.0f} MB"


class Peak:
    """A program under watch: how much memory it and all below it hold at most."""

    def __init__(self, command: Sequence[str], root: Path, env: dict[str, str]) -> None:
        self.mb = 0.0
        self._process = subprocess.Popen(
            command,
            cwd=root,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        """Begin to look."""
        self._watch.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._process.kill()
        self._process.communicate()
        self._watch.join()

    def wait(self) -> tuple[int, str]:
        """Return the exit code and what it printed."""
        said, _ = self._process.communicate(timeout=LONGEST_S)
        return self._process.returncode, said

    def _look(self) -> None:
        while not self._ended.wait(SAMPLE_S):
            self.mb = max(self.mb, sum(_resident(self._process.pid)) / 1e6)


def _resident(pid: int) -> Iterator[int]:
    """Yield what each process of a tree holds; one that has just been forked still is its parent, and not counted."""
    try:
        top = psutil.Process(pid)
        processes = {process.pid: process for process in (top, *top.children(recursive=True))}
    except psutil.Error:
        return
    for process in processes.values():
        try:
            parent = processes.get(process.ppid())
            if parent is None or process.cmdline() != parent.cmdline():
                yield process.memory_info().rss
        except psutil.Error:
            continue
