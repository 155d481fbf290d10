"""`python -m bench.locate.record [LANGUAGE …]`: run the tests of every faulty program and keep what they say.

Needs pytest, node, go and rspec on the PATH, and git. The measurement itself needs none of them.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bench.locate.corpus import LANGUAGES, Fault, faults, program
from bench.locate.recording import ROOT, SCRATCH, Recording, Run, save
from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.app.run_check import Known, run_checks
from fixloop_bot.model.command import Check, CommandOutput, CommandRequest
from fixloop_bot.model.layer import Layer
from tests.record.one_by_one import OneByOne

VERSIONS = {
    "python": ("pytest", (sys.executable, "-m", "pytest", "--version")),
    "javascript": ("node:test of Node.js", ("node", "--version")),
    "go": ("go test", ("go", "version")),
    "ruby": ("RSpec", ("rspec", "--version")),
}
AUTHOR = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")


class _Recorder(OneByOne):
    """A repository with one fault in it, whose test layer is run and kept."""

    def __init__(self, root: Path, scratch: Path) -> None:
        """`scratch` may be one for all faults of a language, so that compilers keep their caches."""
        env = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(scratch)}
        self._runner = ProcessRunner(env, scratch)
        self._project = _Kept(root, scratch=scratch, list_files=lambda: _git(root, "ls-files").split(), base_env=env)
        self._root, self._scratch = root, scratch
        self._outputs: list[CommandOutput] = []

    def runs(self) -> tuple[Run, ...]:
        """Return each check of the test layer."""
        return tuple(self._ran(check) for check in self._project.plan().checks if check.layer is Layer.TEST)

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run a command, and keep what it printed."""
        self._outputs.append(self._runner.run(request))
        return self._outputs[-1]

    def close(self) -> None:
        """End the processes behind the runner."""
        self._runner.close()

    def _ran(self, check: Check) -> Run:
        run_checks([check], self._project, self, Known())
        output = self._outputs[-1]
        report = self._project.last
        return Run(
            command=check.command,
            tool=check.tool,
            composed=check.composed,
            exit_code=output.exit_code,
            text=self._placed(output.text),
            report=None if report is None else self._placed(report),
        )

    def _placed(self, text: str) -> str:
        return text.replace(str(self._root), ROOT).replace(str(self._scratch), SCRATCH)


class _Kept(GitProject):
    """A project that keeps the last report which was read."""

    last: str | None = None

    def read_report(self, path: str) -> str | None:
        """Return what a command wrote there, and keep it."""
        self.last = super().read_report(path)
        return self.last


def main() -> None:
    """Record the languages named, all by default."""
    for language in sys.argv[1:] or LANGUAGES:
        tool, command = VERSIONS[language]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        recording = Recording(tools=f"{tool} {''.join(re.findall(r'[0-9.]{3,}', told)[:1])}", runs={})
        with tempfile.TemporaryDirectory() as folder:
            runs = {fault.name: _recorded(fault, Path(folder).resolve()) for fault in faults(language)}
        save(language, replace(recording, runs=runs))


def _recorded(fault: Fault, folder: Path) -> tuple[Run, ...]:
    root = folder / f"{fault.language}-{len(list(folder.iterdir()))}"
    right = program(fault.language)
    _write(root, right)
    _git(root, "init", "--quiet", "--initial-branch=main")
    _commit(root, "right")
    _write(root, fault.put_into(right))
    _commit(root, "fault")
    recorder = _Recorder(root, folder / "scratch")
    try:
        runs = recorder.runs()
    finally:
        recorder.close()
    told = "recorded" if any(run.exit_code for run in runs) else "NO TEST FAILS"
    print(f"{fault.language}: {fault.name}: {told}", flush=True)
    return runs


def _write(root: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _commit(root: Path, subject: str) -> None:
    _git(root, "add", "--all")
    _git(root, *AUTHOR, "commit", "--quiet", "--message", subject)


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(("git", *arguments), cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
