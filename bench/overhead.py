"""fixloop's own time and memory: what a run takes beyond its checks and its model."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.table import Section
from fixloop_bot.model.agent import AssistantTurn
from tests.e2e.workspace import Workspace, person_environment
from tests.fakes.model_script import edit, finish, turn
from tests.fakes.model_server import ModelServer

FILES = 10_000
SMALL = 200
SLOW_S = 10
LAYERS = ("compile", "lint", "test")
CONFIG = (
    "layers:\n  compile: bash timed.sh true\n  lint: bash timed.sh true\n  test: bash timed.sh sh check.sh {seconds}\n"
)
CHECK = """\
sleep "$1"
if grep -q right app.py; then echo 1 passed; else echo "app.py:2: error: the answer is wrong"; exit 1; fi
"""
TIMED = """\
start=$EPOCHREALTIME
"$@"
code=$?
echo "$start $EPOCHREALTIME" >> spans
exit $code
"""
"""Runs a command, and writes down when it began and ended, where whoever runs this cannot know of it."""
ABOUT = (
    "A repository of {files:,} files, whose checks are three short commands, and a model server that answers at once;"
    " {rounds} rounds, what is compared one after the other. The checks themselves write down when they began and"
    " ended, the model server how long it answered. Own time is the rest of the process's wall time: its start, the"
    " SDK's loading (which goes on while the failed checks run again) and both sides of the wire are in it. For a green"
    " repository the checks are the same three commands, run by `sh` beside it. The memory is the peak of fixloop's"
    " own process. Goals: a green repository at most 0.3 s; a run at most 0.35 s, and 0.15 s for each attempt; at most"
    " 5 % once the tests take {slow} s; below 60 MB as long as no SDK is loaded."
)


@dataclass(frozen=True, kw_only=True)
class Story:
    """One run, and how often it is repeated."""

    name: str
    attempts: int = 0
    seconds: int = 0
    """That the test command takes."""
    command: str = "run"


STORIES = (
    Story(name="`fixloop validate`, green", command="validate"),
    Story(name="`fixloop run`, green"),
    Story(name="one attempt", attempts=1),
    Story(name="two attempts", attempts=2),
    Story(name="three attempts", attempts=3),
)
SLOW = Story(name=f"one attempt, tests of {SLOW_S} s", attempts=1, seconds=SLOW_S)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One round; seconds, and bytes."""

    wall: float
    checks: float
    model: float = 0.0
    memory: int

    @property
    def own(self) -> float:
        """Return fixloop's own time."""
        return self.wall - self.checks - self.model


@dataclass
class Ground:
    """The repository, made once."""

    folder: Path
    files: int
    work: Workspace = field(init=False)

    def __post_init__(self) -> None:
        self.work = Workspace(self.folder)
        data = {f"data/{number // 100:03}/{number % 100:02}.txt": f"{number}\n" for number in range(self.files)}
        self.work.commit({**data, "check.sh": CHECK, "timed.sh": TIMED, ".gitignore": "/spans\n"})

    def prepare(self, story: Story) -> None:
        """Commit the story's beginning."""
        answer = "wrong" if story.attempts else "right"
        config = CONFIG.format(seconds=story.seconds)
        self.work.commit({"app.py": f"def answer():\n    return '{answer}'\n\n\nSIZE = 0\n", ".fixloop.yml": config})

    def bare(self) -> float:
        """Return how long the green repository's commands take from a shell."""
        environment = person_environment()
        started = time.perf_counter()
        for command in ("true", "true", "sh check.sh 0"):
            argv = ["sh", "-c", f"bash timed.sh {command}"]
            subprocess.run(argv, cwd=self.work.root, env=environment, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - started

    def spent(self) -> float:
        """Return how long the checks say that they took, and forget it."""
        spans = self.work.root / "spans"
        times = [tuple(map(float, line.split())) for line in spans.read_text().splitlines()]
        spans.unlink()
        return sum(end - start for start, end in times)

    def once(self, story: Story) -> Measured:
        """Play the story."""
        self.prepare(story)
        in_vain = [_attempt("SIZE = 0", f"SIZE = {number}") for number in range(1, story.attempts)]
        with ModelServer([*in_vain, _attempt("'wrong'", "'right'")]) as model:
            self.work.with_model(model.url)
            wall, memory = self._command(story)
            checks = self.spent()
        if not story.attempts:
            checks = self.bare()
            self.spent()
        return Measured(wall=wall, checks=checks, model=model.busy_s, memory=memory)

    def _command(self, story: Story) -> tuple[float, int]:
        run = self.work.arguments()
        validate = [*run[:3], "validate", "--project-root", str(self.work.root)]
        command = run if story.command == "run" else validate
        with tempfile.TemporaryFile() as said:
            started = time.perf_counter()
            process = subprocess.Popen(command, env=self.work.environment(), stdout=said, stderr=said, cwd="/")
            with ThreadPoolExecutor() as pool:
                peak = pool.submit(_peak, process.pid)
                code = process.wait()
                wall = time.perf_counter() - started
            if code != 0:
                said.seek(0)
                raise RuntimeError(said.read().decode(errors="replace"))
        return wall, peak.result()


def run(*, small: bool = False) -> Section:
    """Measure every story; `small` is once, with few files, and without slow checks."""
    rounds, files = (1, SMALL) if small else (7, FILES)
    measured: dict[Story, list[Measured]] = {story: [] for story in STORIES}
    sdk: list[float] = []
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as folder:
        ground = Ground(Path(folder), files)
        ground.once(STORIES[1])  # warms the disk's cache
        for _ in range(rounds):
            sdk.append(_loading())
            for story, found in measured.items():
                found.append(ground.once(story))
        if not small:
            measured[SLOW] = [ground.once(SLOW)]
    rows = [_row(story.name, found) for story, found in measured.items()]
    one, three = (measured[STORIES[number]] for number in (2, 4))
    slopes = [(last.own - first.own) / 2 for first, last in zip(one, three, strict=True)]
    rows.append(("another attempt", "", "", "", _seconds(slopes), "", ""))
    rows.append(("the SDK's loading alone, which is in the attempts", _seconds(sdk), "", "", "", "", ""))
    about = ABOUT.format(files=files, rounds=rounds, slow=SLOW_S)
    head = ("what, median (least)", "wall", "checks", "model", "own time", "of the checks", "memory")
    return Section(name="overhead", about=about, head=head, rows=rows)


def _row(name: str, rounds: Sequence[Measured]) -> tuple[str, ...]:
    columns = [_seconds([getattr(one, name) for one in rounds]) for name in ("wall", "checks", "model", "own")]
    share = median(one.own / one.checks for one in rounds)
    return name, *columns, f"{share:.1%}", f"{max(one.memory for one in rounds) / 1e6:.0f} MB"


def _seconds(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f}) s"


def _attempt(old: str, new: str) -> AssistantTurn:
    return turn(edit("app.py", old, new), finish("done", hypothesis=f"it should be {new}"))


def _peak(pid: int) -> int:
    """Return the most memory that a process had, until it ends; what it was forked from does not count (getrusage)."""
    peak = 0
    while True:
        try:
            told = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        except OSError:
            return peak
        if "VmHWM" not in told:
            return peak
        peak = int(told["VmHWM"].split()[0]) * 1024
        time.sleep(0.02)


def _loading() -> float:
    """Return how long the SDK takes to load, in a process that has what fixloop has loaded before."""
    program = (
        "import fixloop_bot.entrypoints.run, time; from fixloop_bot.adapters.anthropic_model import load_sdk;"
        " started = time.perf_counter(); load_sdk(); print(time.perf_counter() - started)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)
