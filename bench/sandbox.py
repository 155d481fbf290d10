"""What a command costs, by how it is held; run as root for all rows: `python -m bench.sandbox [COMMANDS]`."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose
from fixloop_bot.adapters.sandbox.owners import lend
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.adapters.sandbox.users import take_user
from fixloop_bot.model.command import CommandRequest
from fixloop_bot.model.sandbox import Demand, SandboxLevel

FILES = 10_000
WAYS: tuple[tuple[str, SandboxLevel, bool], ...] = (
    ("no sandbox", "off", True),
    ("best", "best", True),
    ("no network", "best", False),
)


def main() -> None:
    """Print one line for each way to run `true`, and what a run's sandbox costs once."""
    commands = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'command':<52}{'median':>10}{'least':>10}")
        for name, level, network in WAYS:
            with ExitStack() as stack:
                started = time.perf_counter()
                held = stack.enter_context(enclose(Demand(level=level, network=network), _site(Path(folder), name)))
                opened = time.perf_counter() - started
                assert isinstance(held, Enclosure), held
                title = held.words.split(":")[0].split(";")[0]
                _print(title, _commands(held, Path(folder, name), commands))
                _print("  opened in, once a run", [opened])
        if os.geteuid() == 0:
            for title, taken in _loans(Path(folder, "many")):
                _print(title, [taken])


def _site(folder: Path, name: str) -> Site:
    root, scratch = folder / name / "root", folder / name / "scratch"
    for made in (root, scratch):
        made.mkdir(parents=True)
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    return Site(grounds=Grounds(root=root, scratch=scratch), env=env, note=print)


def _commands(held: Enclosure, folder: Path, count: int) -> list[float]:
    runner = held.runner({"PATH": os.defpath}, folder / "scratch")
    request = CommandRequest(argv=("true",), cwd=str(folder / "root"))
    taken = [_timed(lambda: runner.run(request)) for _ in range(count + 1)]
    runner.close()
    return taken[1:]


def _loans(root: Path) -> Iterator[tuple[str, float]]:
    for number in range(FILES):
        path = root / str(number // 100) / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    user = take_user()
    started = time.perf_counter()
    loan = lend(root, user.uid)
    yield f"  {FILES:,} files lent, once a run", time.perf_counter() - started
    yield f"  {FILES:,} files given back, once a run", _timed(loan.end)
    user.give_up()


def _timed(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def _print(title: str, taken: list[float]) -> None:
    print(f"{title:<52}{statistics.median(taken) * 1000:>7.1f} ms{min(taken) * 1000:>7.1f} ms")


if __name__ == "__main__":
    main()
