"""`fixloop demo`: the main job on a small broken repository, before your eyes."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.scripted_model import ScriptedModel, read_script
from fixloop_bot.app.begin import Refused
from fixloop_bot.core.redact import redactor
from fixloop_bot.core.status_line import status_line
from fixloop_bot.entrypoints.engine import run_job
from fixloop_bot.entrypoints.exit_code import OF_STATUS, ExitCode
from fixloop_bot.entrypoints.job import Job
from fixloop_bot.entrypoints.provider import anthropic_model
from fixloop_bot.entrypoints.request import to_request
from fixloop_bot.entrypoints.settings import Settings, SettingsError, environment, known_secrets, load_settings
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Clock, Model

DEMO = Path(__file__).parents[1] / "demo"
IDENTITY = ("-c", "user.name=fixloop demo", "-c", "user.email=demo@fixloop.invalid")


def demo_command(arguments: argparse.Namespace) -> int:
    """Make the repository, repair it and say where to look; the exit code is the run's."""
    settings = load_settings({})
    key = settings.anthropic_api_key
    real = key is not None or settings.model_provider != "anthropic"
    folder = _folder(arguments.keep)
    root = _make_repository(folder / "shop")
    _introduce(root, real=real)
    redact = redactor((*known_secrets(environment()), *((key.get_secret_value(),) if key else ())))

    def to_model(config: RepoConfig, clock: Clock) -> Model:
        if real:
            return anthropic_model(settings, config, clock, redact=redact)
        return ScriptedModel(read_script(DEMO / "script.json"))

    with progress_for(sys.stderr, redact) as progress:
        job = Job(
            path=str(root),
            state_dir=folder / "state",
            env=environment(),
            progress=progress,
            redact=redact,
            to_model=to_model,
            to_request=lambda run_id, config, clock: to_request(
                _bounds(settings), config, run_id=run_id, now=clock.now()
            ),
            clock=SystemClock(),
            sandbox=settings.sandbox,
            passages=(folder,),
        )
        result = run_job(job)
    return _conclude(result, root, folder / "state")


def _bounds(settings: Settings) -> Settings:
    return settings.model_copy(update={"story_id": "demo", "max_retries": settings.max_retries or 6})


def _folder(keep: str | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="fixloop-demo-"))
    folder = Path(keep).absolute()
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"--keep: {folder} is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _make_repository(root: Path) -> Path:
    shutil.copytree(DEMO / "repository", root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "gitignore").rename(root / ".gitignore")
    git = Git(cwd=str(root), options=IDENTITY, env={})
    git.run("init", "--quiet", "-b", "feature/catalogue")
    git.run("add", "--all")
    git.run("commit", "--quiet", "-m", "Add the catalogue")
    return root


def _introduce(root: Path, *, real: bool) -> None:
    agent = "the real model" if real else "a SCRIPTED agent (set ANTHROPIC_API_KEY to see the real model)"
    _say(f"A small repository with a syntax error, lint errors and a failing test: {root}")
    _say(f"It is repaired layer by layer by {agent}; the checks are real.")
    _say("")


def _conclude(result: LoopState | Refused, root: Path, state: Path) -> int:
    if isinstance(result, Refused) or result.end is None:
        _say(f"The demo could not start: {result.reason if isinstance(result, Refused) else 'no end'}")
        return ExitCode.BLOCKED
    sys.stdout.write(status_line(result) + "\n")
    sys.stdout.flush()
    log = Git(cwd=str(root), options=IDENTITY, env={}).text("log", "--format=  %h %s", "--stat=72")
    _say(f"\nIts commits, newest first:\n\n{log}\n")
    _say(f"Look at   git -C '{root}' log -p")
    _say(f"          {state / 'RUNLOG.md'}")
    _say(f"          {state / 'repair'}   one record per attempt")
    return OF_STATUS[result.end.status]


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
