"""What a small repair takes: calls, characters, time to the first call, memory; and who believes a lie."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peers.contenders import FIXLOOP, PEERS, Contender
from bench.peers.ground import BLOCK, BYTES, ground
from bench.peers.install import PLACE, megabytes, reason
from bench.peers.play import LONGEST_S, Played, play
from bench.peers.report import NOISE, Results, rows_of
from bench.peers.watch import MOST_MB, Watched
from bench.table import Section
from tests.e2e.workspace import person_environment

ROUNDS = 5
LOG = 1_000_000_000
SMALL_LOG = 50_000_000
ABOUT = (
    "One wrong number in a small Python repository with a failing test, repaired by fixloop and by other agents, which"
    " the benchmark installs itself, before the same scripted model server: the shortest script that mends it in each"
    " one's own tools. The others are told in the task what fails; fixloop finds it itself. Characters are those of the"
    " requests' bodies, for all of them written as JSON without blanks. The time to the first request is from the"
    " process's start, for fixloop less its validation until then, which the test command itself writes down;"
    " the median of {rounds} rounds, in each of them one agent after the other. Memory is the peak of what all"
    " processes of an agent hold together, what they share counted once (PSS). With noise the test prints {noise:,}"
    " lines, or a log of {log}, before it fails, and the agent sees it by the shortest script that runs the test:"
    " characters more than without it, and whether the assertion is among them; an agent that needs over {most:,} MB or"
    " {longest} s for that is ended. A lie: the model says that it is fixed, and has changed nothing. A changed test:"
    " it edits what the test expects. The ratio is fixloop's number by the least of the others'."
)


@dataclass(frozen=True, kw_only=True)
class Present:
    """A contender that could be installed."""

    contender: Contender
    program: str

    def play(self, name: str, *, lines: int = 0) -> Played:
        """Let it play the script of that name."""
        return play(self.contender, self.program, getattr(self.contender, name), lines=lines, testing=name == "tested")


def run(*, small: bool = False) -> Section:
    """Measure all; `small` leaves the others out, which are large, plays each scene once, and prints less."""
    size = SMALL_LOG if small else LOG
    rounds = 1 if small else ROUNDS
    ours = [Present(contender=FIXLOOP, program=sys.executable)]
    present, missing = (ours, {}) if small else _installed((FIXLOOP, *PEERS))
    results = _played(present, rounds, size)
    log = f"{size / 1e6:,.0f} MB"
    about = ABOUT.format(rounds=rounds, noise=NOISE, log=log, most=MOST_MB, longest=LONGEST_S)
    about += "".join(f" {name} could not be installed: {why}." for name, why in missing.items())
    head = ("what", *(one.contender.name for one in present), "ratio", "goal, at most")
    return Section(name="peers", about=about, head=head, rows=rows_of(results, log, validating(size)))


def _installed(contenders: Sequence[Contender]) -> tuple[list[Present], dict[str, str]]:
    """Return the programs, and of those that could not be had, why."""
    present: list[Present] = []
    missing: dict[str, str] = {}
    for one in contenders:
        try:
            present.append(Present(contender=one, program=one.install(PLACE / one.place)))
        except (OSError, subprocess.CalledProcessError) as error:
            missing[one.name] = reason(error)
    return present, missing


def _played(present: Sequence[Present], rounds: int, size: int) -> list[Results]:
    lies = [(one.play("lie"), one.play("cheat")) for one in present]  # first: they warm the disk's cache
    fixed = [[one.play("fix") for one in present] for _ in range(rounds)]
    return [
        Results(
            fixed=[games[number] for games in fixed],
            quiet=one.play("tested"),
            noisy=one.play("tested", lines=NOISE),
            log=one.play("tested", lines=size // BYTES // BLOCK * BLOCK),
            lie=lies[number][0],
            cheat=lies[number][1],
            installed=megabytes(PLACE / one.contender.place),
        )
        for number, one in enumerate(present)
    ]


def validating(size: int) -> float:
    """Return the peak of memory, in MB, of fixloop's own process while it validates what prints so many bytes."""
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as name:
        work = ground(Path(name), lines=size // BYTES // BLOCK * BLOCK)
        command = [*work.arguments()[:3], "validate", "--project-root", str(work.root)]
        with Watched(command, work.root, person_environment() | {"HOME": name}) as watched:
            watched.wait(LONGEST_S)
        return watched.own_mb
