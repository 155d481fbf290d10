"""`fixloop diagnose`: what fixloop makes of an output on standard input."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fixloop_bot.adapters.git.listing import list_project_files
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.app.diagnose import diagnose
from fixloop_bot.app.source_line import source_line
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets
from fixloop_bot.model.layer import Layer

REPORT_FILES = 2_000
REPORT_LIMIT = 16_000_000
"""Bytes of one report."""
INPUT_LIMIT = 64_000_000
"""Bytes of an output; what is longer is cut at its end."""


def diagnose_command(arguments: argparse.Namespace) -> int:
    """Print the diagnosis as JSON."""
    root = Path(arguments.project_root).absolute()
    if not root.is_dir():
        raise SettingsError(f"--project-root: {root} is not a folder")
    redact = redactor(known_secrets(environment()))
    text = redact(sys.stdin.buffer.read(INPUT_LIMIT).decode("utf-8", errors="replace"))
    reports = tuple(redact(report) for report in _reports(arguments.report or []))
    scratch = Path(tempfile.mkdtemp(prefix="fixloop-"))
    try:
        project = GitProject(
            root,
            scratch=scratch,
            list_files=lambda: list_project_files(root),
            base_env=environment(),
        )
        found = diagnose(
            layer=Layer(arguments.layer),
            text=text,
            command=arguments.checked,
            cwd=arguments.cwd or str(root),
            tmpdir=arguments.tmpdir,
            exit_code=arguments.exit_code,
            reports=reports,
            matchers=project.matchers(),
            exists=project.exists,
            read=project.read,
            source_line=source_line(project),
            declared=project.declared,
        )
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    sys.stdout.write(json_text(found) + "\n")
    return 0


def _reports(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of these files, and of all files in those that are folders, in the order of their paths."""
    return tuple(_text(file) for path in paths for file in _files(Path(path)))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file())[:REPORT_FILES]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(REPORT_LIMIT).decode("utf-8", errors="replace")
    except OSError as error:
        raise SettingsError(f"--report: {path} cannot be read: {error.strerror}") from None
