"""What a command costs, by how it is held, and what a run's sandbox and a fresh checkout cost once."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.table import Section
from fixloop_bot.adapters.fresh_checkouts import GitFreshCheckouts
from fixloop_bot.adapters.git.repository import Repository, find_repository
from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose
from fixloop_bot.adapters.sandbox.owners import lend
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.adapters.sandbox.users import take_user
from fixloop_bot.model.command import CommandRequest
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.sandbox import Demand, SandboxLevel

COMMANDS = 100
FILES = 10_000
WAYS: tuple[tuple[str, SandboxLevel, bool], ...] = (
    ("no sandbox", "off", True),
    ("best", "best", True),
    ("no network", "best", False),
)
ABOUT = (
    "What it costs to run `true` {} times by how commands are held, and what is paid once: to open the sandbox of a"
    " run, to lend {:,} small files to its user and to give them back (as root), and to open a fresh checkout of as"
    " many, its sandbox included, as the gate of a repository with `setup` does. Wall time."
)
Row = tuple[str, str, str]


def run(*, small: bool = False) -> Section:
    """Measure; `small` runs fewer commands on fewer files. Run as root for all rows."""
    commands, files = (10, 500) if small else (COMMANDS, FILES)
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for way in WAYS for row in _held(Path(folder), way, commands)]
        rows += _fresh(Path(folder), files)
        if os.geteuid() == 0:
            rows += _loans(Path(folder, "many"), files)
    head = ("what is paid", "median", "least")
    return Section(name="sandbox", about=ABOUT.format(commands, files), head=head, rows=rows)


def _held(folder: Path, way: tuple[str, SandboxLevel, bool], commands: int) -> Iterator[Row]:
    name, level, network = way
    with ExitStack() as stack:
        started = time.perf_counter()
        held = stack.enter_context(enclose(Demand(level=level, network=network), _site(folder, name)))
        opened = time.perf_counter() - started
        assert isinstance(held, Enclosure), held
        title = held.words.split(":")[0].split(";")[0]
        yield _row(f"a command, {title}", _commands(held, folder / name, commands))
        yield _row(f"opened once a run, {title}", [opened])


def _site(folder: Path, name: str) -> Site:
    root, scratch = folder / name / "root", folder / name / "scratch"
    for made in (root, scratch):
        made.mkdir(parents=True, exist_ok=True)
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    return Site(grounds=Grounds(root=root, scratch=scratch), env=env, note=print)


def _commands(held: Enclosure, folder: Path, count: int) -> list[float]:
    runner = held.runner({"PATH": os.defpath}, folder / "scratch")
    request = CommandRequest(argv=("true",), cwd=str(folder / "root"))
    taken = [_timed(lambda: runner.run(request)) for _ in range(count + 1)]
    runner.close()
    return taken[1:]


def _fresh(folder: Path, files: int) -> Iterator[Row]:
    site = _site(folder, "fresh")
    root = site.grounds.root
    _write(root, files)
    commit = ("-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "-m", "files")
    for argv in (("init", "-q"), ("add", "-A"), commit):
        subprocess.run(["git", *argv], cwd=root, check=True)
    repository = find_repository(str(root))
    assert isinstance(repository, Repository), repository
    with enclose(Demand(), site) as held:
        assert isinstance(held, Enclosure), held
        checkouts = GitFreshCheckouts(repository=repository, held=held, env=site.env, config=RepoConfig(), note=print)
        taken = [_timed(lambda: _open(checkouts, repository)) for _ in range(3)]
    yield _row(f"a fresh checkout of {files:,} files, once a look of the gate", taken)


def _open(checkouts: GitFreshCheckouts, repository: Repository) -> None:
    with checkouts.open(repository.git.text("rev-parse", "HEAD")):
        pass


def _loans(root: Path, files: int) -> Iterator[Row]:
    _write(root, files)
    user = take_user()
    started = time.perf_counter()
    loan = lend(root, user.uid)
    yield _row(f"{files:,} files lent, once a run", [time.perf_counter() - started])
    yield _row(f"{files:,} files given back, once a run", [_timed(loan.end)])
    user.give_up()


def _write(root: Path, files: int) -> None:
    for number in range(files):
        path = root / str(number // 100) / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}\n")


def _timed(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def _row(title: str, seconds: list[float]) -> Row:
    return title, f"{1e3 * statistics.median(seconds):.1f} ms", f"{1e3 * min(seconds):.1f} ms"
