"""fixloop's own time: what a run takes beyond its checks and its model."""

import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.table import Section
from fixloop_bot.model.agent import AssistantTurn
from tests.e2e.workspace import Workspace, finished, person_environment
from tests.fakes.model_script import edit, finish, turn
from tests.fakes.model_server import ModelServer

FILES = 10_000
SMALL = 200
SLOW_S = 10
CONFIG = "layers:\n  compile: 'true'\n  lint: 'true'\n  test: sh check.sh {seconds}\n"
CHECK = """\
sleep "$1"
if grep -q right app.py; then echo 1 passed; else echo "app.py:2: error: the answer is wrong"; exit 1; fi
"""
RAN = re.compile(r"^fixloop  (compile|lint|test): (?:pass|fail)", re.MULTILINE)
ABOUT = (
    "A repository of {files:,} files, whose checks are three short commands, and a model server that answers at once;"
    " the median of {rounds} rounds. Own time: the run's wall time less that of its checks, which is what the same"
    " commands take from a shell between the rounds, as often as the run ran them; the SDK's loading and both its sides"
    " of the wire are in it. Goals: a green repository at most 0.3 s; a run at most 0.35 s and each of its attempts"
    " 0.15 s; at most 5 % once the checks take {slow} s."
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


@dataclass
class Ground:
    """The repository, made once."""

    folder: Path
    files: int
    work: Workspace = field(init=False)

    def __post_init__(self) -> None:
        self.work = Workspace(self.folder)
        data = {f"data/{number // 100:03}/{number % 100:02}.txt": f"{number}\n" for number in range(self.files)}
        self.work.commit({**data, "check.sh": CHECK})

    def prepare(self, story: Story) -> None:
        """Commit the story's beginning."""
        answer = "wrong" if story.attempts else "right"
        config = CONFIG.format(seconds=story.seconds)
        self.work.commit({"app.py": f"def answer():\n    return '{answer}'\n\n\nSIZE = 0\n", ".fixloop.yml": config})

    def bare(self, command: str) -> float:
        """Return how long a command takes from a shell."""
        started = time.perf_counter()
        environment = person_environment()
        subprocess.run(["sh", "-c", command], cwd=self.work.root, env=environment, capture_output=True, check=False)
        return time.perf_counter() - started


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One round, in seconds."""

    wall: float
    checks: float

    @property
    def own(self) -> float:
        """Return fixloop's own time."""
        return self.wall - self.checks


def run(*, small: bool = False) -> Section:
    """Measure every story; `small` is once, with few files, and without slow checks."""
    rounds, files = (1, SMALL) if small else (5, FILES)
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as folder:
        ground = Ground(Path(folder), files)
        stories = STORIES if small else (*STORIES, SLOW)
        rows = [_row(story, list(_rounds(ground, story, 1 if story.seconds else rounds))) for story in stories]
    about = ABOUT.format(files=files, rounds=rounds, slow=SLOW_S)
    return Section(
        name="overhead", about=about, head=("what", "wall", "checks", "own time", "of the checks"), rows=rows
    )


def _row(story: Story, rounds: list[Measured]) -> tuple[str, str, str, str, str]:
    wall, checks, own = (median(getattr(one, name) for one in rounds) for name in ("wall", "checks", "own"))
    return story.name, f"{wall:.2f} s", f"{checks:.2f} s", f"{own:.2f} s", f"{own / checks:.0%}"


def _rounds(ground: Ground, story: Story, rounds: int) -> Iterator[Measured]:
    for number in range(rounds + (0 if story.seconds else 1)):
        measured = _once(ground, story)
        if number or story.seconds:  # the first warms the disk's cache
            yield measured


def _once(ground: Ground, story: Story) -> Measured:
    ground.prepare(story)
    in_vain = [_attempt("SIZE = 0", f"SIZE = {number}") for number in range(1, story.attempts)]
    with ModelServer([*in_vain, _attempt("'wrong'", "'right'")]) as model:
        ground.work.with_model(model.url)
        wall, said = _timed(lambda: _command(ground, story))
    ran = RAN.findall(said)
    tests = ran.count("test")
    test, other = ground.bare(f"sh check.sh {story.seconds}"), ground.bare("true")
    return Measured(wall=wall, checks=tests * test + (len(ran) - tests) * other)


def _attempt(old: str, new: str) -> AssistantTurn:
    return turn(edit("app.py", old, new), finish("done", hypothesis=f"it should be {new}"))


def _command(ground: Ground, story: Story) -> str:
    run = ground.work.arguments()
    validate = [*run[:3], "validate", "--project-root", str(ground.work.root)]
    done = finished(run if story.command == "run" else validate, env=ground.work.environment())
    if done.code != 0:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stderr


def _timed(act: Callable[[], str]) -> tuple[float, str]:
    started = time.perf_counter()
    said = act()
    return time.perf_counter() - started, said
