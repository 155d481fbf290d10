"""Runs a recipe's variants as the pyramid runs a check, and keeps what they print and write."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.app.run_check import Known, run_checks
from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.model.command import Check, CommandOutput, CommandRequest
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.layer import Layer
from tests.record.one_by_one import OneByOne
from tests.record.place import Place, build, place_of
from tests.record.recipe import Recipe

RECORDED = Path(__file__).parents[1] / "fixtures" / "recorded"
REPOSITORY = Path(__file__).resolve().parents[2]
TIMEOUT_S = 600.0
LARGE = 60_000
"""Characters of an output; more is no small case."""
SHELL = set("&|;<>$`(){}*?~\n")
"""What makes a line more than one program with its arguments."""


@dataclass(slots=True)
class Kept:
    """What one run left behind."""

    output: CommandOutput | None = None
    report: str | None = None
    reports: tuple[str, ...] = ()


class KeepingProject(GitProject):
    """A project that remembers the reports it was asked for."""

    kept: Kept

    def read_report(self, path: str) -> str | None:
        """Return the report, and remember it."""
        self.kept.report = super().read_report(path)
        return self.kept.report

    def watch_reports(self, project: str, patterns: Sequence[str]) -> Callable[[], tuple[str, ...]]:
        """Return what gives the reports, and remembers them."""
        written = super().watch_reports(project, patterns)

        def remembered() -> tuple[str, ...]:
            self.kept.reports = written()
            return self.kept.reports

        return remembered


@dataclass(slots=True)
class KeepingRunner(OneByOne):
    """A runner that remembers the last output."""

    runner: ProcessRunner
    kept: Kept = field(default_factory=Kept)

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run the command, and remember what came of it."""
        self.kept.output = self.runner.run(request)
        return self.kept.output


def environment() -> Mapping[str, str]:
    """Return this process's environment, with the programs of its own interpreter found first."""
    own = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": f"{own}:{os.environ.get('PATH', os.defpath)}"}


def lacking(recipe: Recipe) -> tuple[str, ...]:
    """Return what must be installed before the recipe can be recorded."""
    programs = (need for need in recipe.needs if shutil.which(need, path=environment()["PATH"]) is None)
    return (*programs, *(target for target in recipe.links.values() if not Path(target).is_dir()))


def record(recipe: Recipe) -> tuple[str, ...]:
    """Record every variant of a recipe anew; return remarks for the person who records."""
    folder = RECORDED / recipe.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    runs: dict[str, object] = {}
    remarks: list[str] = []
    for variant in recipe.recorded:
        place = place_of(recipe, variant)
        build(place, recipe.sources(variant), recipe.links)
        kept = _run_twice(recipe, place)
        runs[variant] = _write(folder, variant, place, kept)
        size = sum(len(text) for text in _texts(kept))
        if size > LARGE:
            remarks.append(f"{recipe.name} {variant}: {size:,} characters: make the case smaller")
    meta = {"version": _version(recipe), "packages": recipe.packages, "variants": runs}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    return tuple(remarks)


def _run_twice(recipe: Recipe, place: Place) -> Kept:
    """Return the output of the person's command; the report, where only an own command writes it, is a second run's."""
    kept = _run(recipe, place, ("sh", "-c", recipe.command), composed=False)
    if TOOLS[recipe.tool].report_argv is not None and not SHELL & set(recipe.command):
        kept.report = _run(recipe, place, tuple(shlex.split(recipe.command)), composed=True).report
    return kept


def _run(recipe: Recipe, place: Place, command: tuple[str, ...], *, composed: bool) -> Kept:
    project = KeepingProject(
        place.root, scratch=place.scratch, list_files=lambda: (), base_env=environment(), config=RepoConfig()
    )
    runner = KeepingRunner(ProcessRunner(environment(), place.scratch))
    project.kept = runner.kept
    check = Check(layer=Layer(recipe.layer), command=command, tool=recipe.tool, timeout_s=TIMEOUT_S, composed=composed)
    run_checks([check], project, runner, Known())
    return runner.kept


def _write(folder: Path, variant: str, place: Place, kept: Kept) -> dict[str, object]:
    if kept.output is None or kept.output.missing:
        raise RuntimeError(f"{folder.name} {variant}: nothing was run")
    write_text(folder / f"{variant}.txt", kept.output.text)
    if kept.report is not None:
        write_text(folder / f"{variant}.report", kept.report)
    for number, report in enumerate(kept.reports, 1):
        write_text(folder / f"{variant}.report-{number}", report)
    return {"cwd": str(place.root), "tmpdir": str(place.scratch), "exit_code": kept.output.exit_code}


def _texts(kept: Kept) -> tuple[str, ...]:
    return (kept.output.text if kept.output else "", kept.report or "", *kept.reports)


def write_text(path: Path, text: str) -> None:
    """Write a text without what only tells of this machine."""
    for own, neutral in ((str(REPOSITORY), "/srv/fixloop"), (sys.base_prefix, "/usr")):
        text = text.replace(own, neutral)
    text = re.sub(rf"(?<![\w.-]){re.escape(socket.gethostname())}(?![\w.-])", "host", text)
    text = re.sub(r"\b\d{1,3}(?:\.\d{1,3}){3}:53\b", "192.0.2.53:53", text)
    path.write_bytes(text.encode("utf-8", errors="replace"))


def _version(recipe: Recipe) -> str:
    """Return the first line that the tool prints of its version."""
    asked = [f"{recipe.needs[0]} {option}" for option in ("--version", "version", "-version")] if recipe.needs else []
    for line in [recipe.version] if recipe.version else asked:
        done = subprocess.run(
            ["sh", "-c", line],
            env={**environment(), "CI": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
            text=True,
        )
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout.strip().splitlines()[0][:120]
    return ""
