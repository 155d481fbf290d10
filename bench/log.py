"""A test command that prints a log of a gigabyte, with the failure at its beginning, in its middle or at its end."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.table import Section

BYTES = 1_000_000_000
SMALL = 50_000_000
FAILURE = (
    "=================================== FAILURES ===================================\n"
    "___________________________________ test_add ___________________________________\n\n"
    "    def test_add():\n>       assert add(2, 3) == 5\nE       assert -1 == 5\nE        +  where -1 = add(2, 3)\n\n"
    "tests/test_add.py:4: AssertionError\n"
)
ASSERTION = "E       assert -1 == 5"
PRINTER = """
import sys
size, at, failure, ways = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4]
line = "2026-01-01 12:00:00.%03d {level} worker-%d handled request %d path=/api/v1/items/%d status=200 in 12 ms\\n"
line = line.replace("{level}", "ERROR" if ways == "errors" else "DEBUG")
written, told = 0, False
block = "".join(line % (n % 1000, n % 16, n, n % 977) for n in range(640)) if ways == "blocks" else ""
number = 0
while written < size:
    if not told and written >= at * size * 0.9999:
        written += sys.stdout.write(failure)
        told = True
    written += sys.stdout.write(block or line % (number % 1000, number % 16, number, number % 977))
    number += 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One shape of a log."""

    name: str
    at: float
    """Where the failure stands: 0 at the beginning, 1 at the end."""
    ways: str
    """`lines`: printed one by one, as a logger does; `blocks`: as fast as can be; `errors`: lines that say ERROR."""


CASES = (
    Case(name="at the beginning", at=0.0, ways="lines"),
    Case(name="a tenth in", at=0.1, ways="lines"),
    Case(name="in the middle", at=0.5, ways="lines"),
    Case(name="at the end", at=1.0, ways="lines"),
    Case(name="in the middle, every line an ERROR", at=0.5, ways="errors"),
    Case(name="in the middle, printed in blocks", at=0.5, ways="blocks"),
)
ABOUT = (
    "A test command prints 1 GB with one failed assertion in it. The time is that of running it and reading what it"
    " said, against the same command with its output sent to a file (goal: at most 1.5 times as long), one after"
    " the other. Its own processor time is what fixloop itself"
    " takes, the command aside. The memory is the peak of fixloop's own process above what it had before (goal: below"
    " 60 MB). The excerpt of at most 100 lines must hold the assertion. What is"
    " printed in blocks, faster than any test runner prints, shows how fast fixloop itself can read."
)


def run(*, small: bool = False) -> Section:
    """Measure every case; `small` logs are of 50 MB."""
    rows = [list(_row(case, SMALL if small else BYTES)) for case in CASES]
    head = ("the failure", "to a file", "through fixloop", "ratio", "own processor time", "memory", "excerpt holds it")
    return Section(name="log", about=ABOUT, head=head, rows=rows)


def _row(case: Case, size: int) -> Iterator[str]:
    plain = _to_file(case, size)
    ours = _through_fixloop(case, size)
    yield case.name
    yield f"{plain:.2f} s"
    yield f"{ours['took_s']:.2f} s"
    yield f"{ours['took_s'] / plain:.2f}"
    yield f"{ours['processor_s']:.2f} s"
    yield f"{ours['memory_mb']:.0f} MB"
    yield "yes" if ours["holds"] else "no"


def _argv(case: Case, size: int) -> tuple[str, ...]:
    return (sys.executable, "-c", PRINTER, str(size), str(case.at), FAILURE, case.ways)


def _to_file(case: Case, size: int) -> float:
    with tempfile.TemporaryFile() as file:
        started = time.perf_counter()
        # With no variables, and in a session of its own, as fixloop's commands are: PYTHONUNBUFFERED would change
        # what is measured, and Linux shares processors out by session.
        subprocess.run(_argv(case, size), stdout=file, env={"PATH": os.defpath}, check=True, start_new_session=True)
        return time.perf_counter() - started


def _through_fixloop(case: Case, size: int) -> dict[str, float]:
    """Run it in a process of its own, so that its peak is nobody else's."""
    told = subprocess.run(
        [sys.executable, "-m", "bench.log", json.dumps(_argv(case, size))], capture_output=True, check=True
    )
    measured: dict[str, float] = json.loads(told.stdout)
    return measured


def _measure(argv: list[str]) -> dict[str, float]:
    """Run a command as a check of the layer `test`, and read it; all imports are done before."""
    from fixloop_bot.adapters.process import ProcessRunner  # noqa: PLC0415 - the measured process alone needs these
    from fixloop_bot.app.read_output import read_output  # noqa: PLC0415
    from fixloop_bot.checks.tool import ToolOutput  # noqa: PLC0415
    from fixloop_bot.core.normalise import strip_ansi  # noqa: PLC0415
    from fixloop_bot.model.command import CommandRequest  # noqa: PLC0415
    from fixloop_bot.model.layer import Layer  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        runner = ProcessRunner({"PATH": os.defpath}, Path(folder))
        runner.run(CommandRequest(argv=("true",), cwd=folder))
        before = _fresh_peak_mb()
        started, idle = time.perf_counter(), time.process_time()
        output = runner.run(CommandRequest(argv=tuple(argv), cwd=folder))
        reading = read_output(
            layer=Layer.TEST,
            tool="pytest",
            output=ToolOutput(text=strip_ansi(output.text), exit_code=1, cwd=folder, root=folder),
            limit=output.limit,
            missing_program=output.missing,
            scratch=folder,
            source_line=lambda _path, _line: None,
            declared=frozenset,
        )
        runner.close()
        took, busy = time.perf_counter() - started, time.process_time() - idle
    return {
        "took_s": took,
        "processor_s": busy,
        "memory_mb": _peak_mb() - before,
        "holds": float(ASSERTION in reading.excerpt and output.exit_code == 0),
    }


STATUS = Path("/proc/self/status")


def _fresh_peak_mb() -> float:
    """Set the peak back to what is in use now, where the system can (proc(5), clear_refs)."""
    if STATUS.exists():
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak_mb()


def _peak_mb() -> float:
    """Return the peak of resident memory. Linux's getrusage would count what was there before exec as well."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    print(json.dumps(_measure(json.loads(sys.argv[1]))))
