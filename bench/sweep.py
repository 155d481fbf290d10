"""What is waited for in vain: branches of one sweep, and projects of one repository, after each other or at once."""

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.table import Section
from tests.e2e.conftest import open_hub
from tests.e2e.github_stage import REPAIR
from tests.e2e.sweep_stage import failing, sweep_command, sweep_environment
from tests.e2e.workspace import Workspace, finished
from tests.fakes.github import FakeGitHub
from tests.fakes.model_script import Scripted
from tests.fakes.model_server import ModelServer, RecordedRequest

MODEL_S = 2.0
BRANCHES = 4
PROJECTS = ("api", "jobs", "site", "tools")
ACTS = {
    "sleeps": "sleep {seconds}",
    "computes": "python3 -c 'import time\nwhile time.process_time() < {seconds}: pass'",
}
ABOUT = (
    "`fixloop sweep` from a shell on a GitHub of this machine's own: branches whose tests (pytest) fail, and a model"
    " that takes {model:.0f} s for each answer. From start to end, the median of {rounds} rounds, and how many times"
    " that of one branch; the goal is at most 1.3 for four. Then `fixloop validate` of {projects} separate projects in"
    " one repository, the test of each taking {seconds:g} s: with `parallel: 1`, and side by side."
)

Row = tuple[str, str, str]


class SlowModel(ModelServer):
    """A model that thinks before each answer; several callers do not wait for each other."""

    def next_reply(self, request: RecordedRequest) -> Scripted:
        """Return what the script has next, after a while."""
        self.closing.wait(MODEL_S)
        return super().next_reply(request)


def run(*, small: bool = False) -> Section:
    """Measure both; `small` is once, with two branches and short checks."""
    rounds, branches, seconds = (1, 2, 0.1) if small else (5, BRANCHES, 1.0)
    about = ABOUT.format(model=MODEL_S, rounds=rounds, projects=len(PROJECTS), seconds=seconds)
    rows = [*_sweeps(rounds, branches), *_projects(rounds, seconds)]
    return Section(name="sweep", about=about, head=("what", "wall", "times the first"), rows=rows)


def _sweeps(rounds: int, branches: int) -> Iterator[Row]:
    """Yield the sweeps, measured in turns, so that what else the machine does is the same for all of them."""
    ways = {
        "a sweep of one branch": (1, 1),
        f"a sweep of {branches} branches at once": (branches, branches),
        f"a sweep of {branches} branches, `--at-once 1`": (branches, 1),
    }
    measured: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (number, at_once) in ways.items():
            measured[name].append(_sweep(number, at_once))
    yield from _rows(measured)


def _rows(measured: dict[str, list[float]]) -> Iterator[Row]:
    first = next(iter(measured.values()))
    for name, times in measured.items():
        share = median(time / one for time, one in zip(times, first, strict=True))
        yield name, f"{median(times):.2f} s", f"{share:.2f}"


def _sweep(branches: int, at_once: int) -> float:
    with (
        tempfile.TemporaryDirectory(prefix="fixloop-bench-") as folder,
        FakeGitHub() as github,
        SlowModel([REPAIR] * branches) as model,
    ):
        hub = open_hub(github, Path(folder))
        for number in range(branches):
            failing(hub, f"branch-{number}")
        command, env = sweep_command(hub, "--at-once", str(at_once)), sweep_environment(hub, model=model)
        started = time.perf_counter()
        done = finished(command, env=env)
        wall = time.perf_counter() - started
    if done.code != 0 or len(re.findall(r"^DONE", done.stdout, re.MULTILINE)) != branches:
        raise RuntimeError(done.stdout + done.stderr)
    return wall


def _projects(rounds: int, seconds: float) -> Iterator[Row]:
    for name, act in ACTS.items():
        with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as folder:
            work = Workspace(Path(folder))
            check = act.format(seconds=seconds) + "\necho 1 passed\n"
            work.commit({f"{project}/check.sh": check for project in PROJECTS})
            ways = {f"{len(PROJECTS)} projects, each {name}, `parallel: 1`": 1, "the same side by side": None}
            measured: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(rounds):
                for way, parallel in ways.items():
                    measured[way].append(_validate(work, parallel))
            yield from _rows(measured)


def _validate(work: Workspace, parallel: int | None) -> float:
    config = "".join(f"  - {{path: {project}, layers: {{test: sh check.sh}}}}\n" for project in PROJECTS)
    bound = f"parallel: {parallel}\n" if parallel else ""
    work.commit({".fixloop.yml": f"{bound}projects:\n{config}"})
    command = [sys.executable, "-m", "fixloop_bot", "validate", "--project-root", str(work.root)]
    started = time.perf_counter()
    done = finished(command, env=work.environment())
    wall = time.perf_counter() - started
    if done.code != 0:
        raise RuntimeError(done.stdout + done.stderr)
    return wall
