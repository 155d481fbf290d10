"""Runs real tools in a folder and keeps what they leave behind."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.normalise import strip_ansi

PYTHON = sys.executable


def run(folder: Path, *argv: str, env: Mapping[str, str] | None = None, report: Path | None = None) -> ToolOutput:
    """Run a command without a terminal, as the pyramid does, and return its output."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "GITHUB_", "NODE_"))}
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**clean, "CI": "1", **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return ToolOutput(
        text=strip_ansi(done.stdout.decode("utf-8", errors="replace")),
        report=report.read_text(encoding="utf-8") if report and report.exists() else None,
        exit_code=done.returncode,
        cwd=str(folder),
        root=str(folder),
        exists=lambda path: (folder / path).is_file(),
    )
