"""`fixloop diagnose`: what fixloop makes of an output on standard input."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from fixloop_bot.adapters.git.listing import list_project_files
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.app.diagnose import diagnose
from fixloop_bot.app.source_line import source_line
from fixloop_bot.entrypoints.settings import SettingsError, environment
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.layer import Layer

INPUT_LIMIT = 64_000_000
"""Bytes of an output; what is longer is cut at its end."""


def diagnose_command(arguments: argparse.Namespace) -> int:
    """Print the diagnosis as JSON."""
    root = Path(arguments.project_root).absolute()
    if not root.is_dir():
        raise SettingsError(f"--project-root: {root} is not a folder")
    text = sys.stdin.buffer.read(INPUT_LIMIT).decode("utf-8", errors="replace")
    report = _report(arguments.report)
    scratch = Path(tempfile.mkdtemp(prefix="fixloop-"))
    try:
        project = GitProject(
            root,
            scratch=scratch,
            list_files=lambda: list_project_files(root),
            base_env=environment(),
            config=RepoConfig(),
        )
        found = diagnose(
            layer=Layer(arguments.layer),
            text=text,
            command=arguments.checked,
            cwd=arguments.cwd or str(root),
            tmpdir=arguments.tmpdir,
            exit_code=arguments.exit_code,
            report=report,
            exists=project.exists,
            read=project.read,
            source_line=source_line(project),
            declared=project.declared(),
        )
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    return 0


def _report(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SettingsError(f"--report: {path} cannot be read: {error.strerror}") from None
