"""What the tests of a faulty program printed and reported, kept so that no toolchain is needed to measure."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fixloop_bot.model.command import Check, CommandOutput, CommandRequest, Fixer, Plan
from fixloop_bot.model.layer import Layer
from tests.record.one_by_one import OneByOne

RECORDED = Path(__file__).parent / "recorded"
ROOT = "/repo"
"""Stands for the worktree in what is kept."""
SCRATCH = "/scratch"
"""Stands for the folder of temporary files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One check's run."""

    command: tuple[str, ...]
    tool: str
    composed: bool
    exit_code: int | None
    text: str
    report: str | None
    """What the tool wrote where it was asked to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The test layer of one language's program with each fault in it."""

    tools: str
    """With their versions."""
    runs: Mapping[str, tuple[Run, ...]]
    """By the fault's name."""


def load(language: str) -> Recording:
    """Return what was recorded for a language."""
    data = json.loads(gzip.decompress((RECORDED / f"{language}.json.gz").read_bytes()))
    runs = {
        name: tuple(Run(**{**run, "command": tuple(run["command"])}) for run in given)
        for name, given in data["runs"].items()
    }
    return Recording(tools=data["tools"], runs=runs)


def save(language: str, recording: Recording) -> None:
    """Keep what was recorded for a language."""
    RECORDED.mkdir(exist_ok=True)
    text = json.dumps(asdict(recording), indent=1, sort_keys=True)
    (RECORDED / f"{language}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


class Replayed(OneByOne):
    """`Project` and `CommandRunner` over a program in memory and what was recorded of it."""

    root = ROOT
    scratch = SCRATCH

    def __init__(self, files: Mapping[str, str], runs: Sequence[Run]) -> None:
        """`runs` are given back in their order."""
        self._files = files
        self._runs = runs
        self._next = 0

    def plan(self) -> Plan:
        """Return the test layer as it was run."""
        checks = (
            Check(layer=Layer.TEST, command=run.command, tool=run.tool, composed=run.composed) for run in self._runs
        )
        return Plan(project_type="recorded", checks=tuple(checks))

    def declared(self) -> frozenset[str]:
        """Return nothing: no program of the corpus depends on anything that it imports."""
        return frozenset()

    def resolve(self, command: Check | Fixer) -> tuple[str, ...]:
        """Return the argv as it is."""
        return command.command

    def exists(self, path: str) -> bool:
        """Return whether the program has such a file."""
        return path in self._files

    def read(self, path: str) -> str | None:
        """Return a file's text."""
        return self._files.get(path)

    def files(self) -> Sequence[str]:
        """Return the paths of the program's files."""
        return tuple(self._files)

    def report_path(self, name: str) -> str:
        """Return a path that nothing is written to."""
        return f"{SCRATCH}/{name}"

    def read_report(self, path: str) -> str | None:
        """Return the report of the run that was replayed last."""
        return self._runs[self._next - 1].report if path else None

    def keep_pictures(self, path: str) -> tuple[str, ...]:
        """Return nothing: there are none."""
        return (path,)[1:]

    def watch_reports(self, project: str, patterns: Sequence[str]) -> Callable[[], tuple[str, ...]]:
        """Return what gives nothing: these tools write no reports unasked."""
        return lambda: tuple(pattern for pattern in patterns if not project)

    def run(self, request: CommandRequest) -> CommandOutput:
        """Return what the next check printed."""
        run = self._runs[self._next]
        self._next += 1
        if request.cwd != ROOT:
            raise ValueError(f"nothing was recorded in {request.cwd}")
        return CommandOutput(exit_code=run.exit_code, head=run.text)
