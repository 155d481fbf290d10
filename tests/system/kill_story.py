"""The service killed at random moments, again and again, while it repairs one pull request after the other."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.service_stage import opened, service_environment, serving
from tests.fakes.github import PullRequest
from tests.fakes.model_server import ModelServer
from tests.fakes.until import ended, until

KILLS = 100
LINES = 30
"""Of the log, that runs write: about as many as one of them does."""
QUIET_S = 4.0
"""A process that has no run in hand and says nothing for so long has nothing to do."""
LOST_S = 30.0
"""One that has a run says something sooner, however busy the machine is: a run that dies ten times without
an attempt finished between is given up, and kills that leave it no time would prove nothing else."""
RUNS = '"run":'
"""Is in every line of a run."""
BRANCHES = 2
"""Pull requests that are under way at the same time."""


@dataclass
class Killed:
    """One process of the service, and its next ones."""

    name: str
    environment: Mapping[str, str]
    arguments: Sequence[str]
    folder: Path
    lives: int = 0
    begun: int = 0
    """Where in the log this life begins."""
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def state(self) -> Path:
        return self.folder / f"{self.name} state"

    def start(self) -> None:
        self.lives += 1
        command = [sys.executable, "-m", "fixloop_bot", *self.arguments, "--state-dir", str(self.state)]
        with self.log.open("ab") as log:
            self.begun = log.tell()
            self.process = subprocess.Popen(command, env=self.environment, cwd="/", stderr=log)

    def kill_after(self, lines: int, pause: float) -> None:
        """Kill it when its log has got so many lines more and a moment has gone by, or when it has nothing to say.

        Lines, as a busy machine lets it come no further in the same time.
        """
        assert self.process is not None
        start = seen = self.log.read_text()[self.begun :]
        heard = time.monotonic()
        while seen.count(RUNS) < start.count(RUNS) + lines:
            time.sleep(0.02)
            before, seen = seen, self.log.read_text()[self.begun :]
            busy = seen.count('"run-started"') > seen.count('"run-ended"') or "\n" not in seen
            heard = time.monotonic() if seen != before else heard
            if time.monotonic() > heard + (LOST_S if busy else QUIET_S):
                break
        time.sleep(pause)
        assert self.process.poll() is None, self.log.read_text()[-5000:]
        self.process.kill()
        self.process.wait()

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(60) == 0

    def end(self) -> None:
        """Kill it if it runs."""
        if self.process is not None:
            with ended(self.process):
                pass


@dataclass
class Story:
    """A shop with as many broken pull requests as the kills give time for."""

    hub: Hub
    model: ModelServer
    url: str
    seed: int
    repeats: int
    """Calls that may be paid again: where no disk is shared, one that ended just before the kill may be."""
    pulls: dict[str, tuple[PullRequest, str]] = field(default_factory=dict)
    """Branch → its pull request, and the head that was broken."""

    def break_more(self) -> None:
        """Open what is missing to have `BRANCHES` under way, and deliver it to a receiver that nobody kills."""
        with serving(self.hub, None, url=self.url, workers=0) as receiver:
            while len(self.under_way()) < BRANCHES:
                branch = f"feature-{len(self.pulls)}"
                pull = self.hub.break_it(branch, {**BREAK, "branch.txt": branch})  # a commit of its own
                self.pulls[branch] = (pull, pull.head_sha)
                assert receiver.send(opened(self.hub, pull, f"1111-2222-{branch}")) == (202, "accepted")

    def under_way(self) -> list[str]:
        done = {run.head_sha for run in self.hub.shop.check_runs.values() if run.status == "completed"}
        return [branch for branch, (_, head) in self.pulls.items() if head not in done]

    def play(self, processes: Sequence[Killed]) -> None:
        """Kill one process after the other, until all kills are done; then let the runs end."""
        chance = random.Random(self.seed)
        for one in processes:
            one.start()
        for _ in range(KILLS):
            if not self.under_way():
                self.break_more()
            victim = chance.choice(processes)
            victim.kill_after(chance.randrange(LINES), chance.uniform(0.0, 0.5))
            victim.start()
        with serving(self.hub, None, url=self.url, workers=0) as receiver:
            until(receiver.idle, receiver.process)
        for one in processes:
            one.stop()

    def check(self, states: Sequence[Path]) -> None:
        """Hold what is left against what must be: one status, one commit, one comment, each call paid once."""
        for branch, (pull, head) in self.pulls.items():
            told = self.hub.report(pull)
            assert self.hub.subjects(branch, head) == ["fix-loop: test clean (iteration 1)"], f"{branch}: {told}"
            assert "DONE: all validation layers passed" in told, told
            (check,) = [run for run in self.hub.shop.check_runs.values() if run.head_sha == head]
            assert (check.status, check.conclusion) == ("completed", "success")
        paid, cut = receipts(states)
        assert len(paid) == len(self.pulls)
        again = sum(paid.values()) - len(paid)
        assert again <= self.repeats, f"{again} calls were paid again"
        assert len(self.model.requests) <= sum(paid.values()) + cut
        assert orphans(self.hub.folder) == []


def receipts(states: Sequence[Path]) -> tuple[Counter[str], int]:
    """Return how often each run's one call was paid, over all machines, and how many calls a kill has cut off."""
    known = {
        line for state in states for path in (state / "records" / "receipts").glob("*.jsonl") for line in _lines(path)
    }
    paid = Counter(run for run, outcome, _ in known if outcome == "ok")
    begun = Counter(run for run, outcome, _ in known if outcome == "started")
    return paid, max(0, begun.total() - paid.total())


def _lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield run, outcome and time of the calls in a file; a copy of a file has the same lines."""
    if ".transcript" in path.name:
        return
    for line in path.read_text().splitlines():
        try:
            told = json.loads(line)
        except json.JSONDecodeError:
            continue  # a kill cut it off
        if "outcome" in told:
            yield told["run_id"], told["outcome"], told["at"]


def orphans(folder: Path) -> list[str]:
    """Return the processes that still work below a folder, or were started with something of it."""
    end = time.monotonic() + 20
    while found := [line for line in _command_lines() if str(folder) in line]:
        if time.monotonic() > end:
            return found
        time.sleep(0.2)
    return []


def _command_lines() -> Iterator[str]:
    for process in psutil.process_iter():
        try:
            if process.pid != psutil.Process().pid:
                yield f"{' '.join(process.cmdline())} in {process.cwd()}"
        except psutil.Error:
            continue


def story(hub: Hub, url: str, *, processes: Mapping[str, Sequence[str]], repeats: int = 0) -> None:
    """Play the whole story with these processes, by name."""
    with ModelServer([REPAIR] * 400) as model:
        told = Story(hub, model, url, seed=len(url), repeats=repeats)
        environment = service_environment(hub, model, url=url)
        killed = [Killed(name, environment, arguments, hub.folder) for name, arguments in processes.items()]
        told.break_more()
        with ExitStack() as stack:
            for one in killed:
                stack.callback(one.end)
            told.play(killed)
        told.check([one.state for one in killed])
