"""`fixloop validate`: the pyramid alone, as one JSON object."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import platformdirs

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.adapters.git.listing import git_folders, list_project_files
from fixloop_bot.adapters.picture_store import PictureStore
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.redacted_runner import RedactedRunner
from fixloop_bot.adapters.state_folder import repository_key
from fixloop_bot.app.validate import validate
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.core.validation_json import validation_json
from fixloop_bot.entrypoints.exit_code import OF_VALIDATION
from fixloop_bot.entrypoints.explain import explain
from fixloop_bot.entrypoints.sandboxed import Place, refusal, sandboxed, to_demand
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets, load_settings
from fixloop_bot.model.command import Plan
from fixloop_bot.model.layer import Layer, Validation
from fixloop_bot.model.sandbox import SandboxLevel
from fixloop_bot.model.visual import VisualMode, visual_mode
from fixloop_bot.ports import Progress

VALIDATED = (Layer.COMPILE, Layer.LINT, Layer.TEST)


def validate_command(arguments: argparse.Namespace) -> int:
    """Validate the project and print what came of it; the exit code says pass, fail, error or skip."""
    root = Path(arguments.project_root).absolute()
    if not root.is_dir():
        raise SettingsError(f"--project-root: {root} is not a folder")
    settings = load_settings({"skip_visual": arguments.skip_visual})
    mode = _mode(arguments, skip=settings.skip_visual)
    key = settings.anthropic_api_key
    redact = redactor((*known_secrets(environment()), *((key.get_secret_value(),) if key else ())))
    scratch = Path(tempfile.mkdtemp(prefix="fixloop-"))
    try:
        with progress_for(sys.stderr, redact) as progress:
            project = GitProject(
                root,
                scratch=scratch,
                list_files=lambda: list_project_files(root),
                base_env=environment(),
                redact=redact,
                visual=mode,
                pictures=PictureStore(_shown(root)),
            )
            if arguments.explain:
                files = list_project_files(root)
                return explain(project, files, _asked(arguments, project.plan()), as_json=arguments.json, redact=redact)
            validation = _validated(arguments, project, redact, settings.sandbox, progress)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return _print(validation, redact)


def _mode(arguments: argparse.Namespace, *, skip: bool) -> VisualMode:
    """Return what becomes of the visual layer: who asks for it by name gets it."""
    named = arguments.layer == Layer.VISUAL
    if arguments.update_baselines and not named:
        raise SettingsError("--update-baselines goes with --layer visual")
    return VisualMode.RECORD if arguments.update_baselines else visual_mode(skip=skip and not named)


def _shown(root: Path) -> Path:
    """Return the folder for the pictures of this project's last validation, which takes the place of the one before."""
    key = repository_key(str(root))
    folder = platformdirs.user_state_path("fixloop", appauthor=False) / "visual" / key
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _asked(arguments: argparse.Namespace, plan: Plan) -> tuple[Layer, ...]:
    known = (*VALIDATED, *((Layer.VISUAL,) if Layer.VISUAL in {*plan.layers, *plan.skipped} else ()))
    only, lowest = _only(arguments.layer), Layer(arguments.from_layer or Layer.COMPILE)
    return (only,) if only else tuple(layer for layer in known if layer.rank >= lowest.rank)


def _validated(
    arguments: argparse.Namespace,
    project: GitProject,
    redact: Callable[[str], str],
    level: SandboxLevel | None,
    progress: Progress,
) -> Validation:
    """Validate in the sandbox. Raises SettingsError where what is demanded of it cannot be had."""
    env, root, scratch = environment(), Path(project.root), Path(project.scratch)
    demand = to_demand(project.config(), level)
    state = platformdirs.user_state_path("fixloop", appauthor=False)
    with sandboxed(
        demand, Place(root=root, scratch=scratch, git=git_folders(root), state=(state,)), env, progress
    ) as held:
        if isinstance(held, NotGranted):
            raise SettingsError(refusal(held))
        progress.note(f"sandbox: {held.words}")
        return validate(
            project.plan(),
            project,
            RedactedRunner(held.runner(env, scratch), redact),
            progress,
            clock=SystemClock(),
            from_layer=Layer(arguments.from_layer or Layer.COMPILE),
            only=_only(arguments.layer),
            purpose="validate",
        )


def _only(layer: str | None) -> Layer | None:
    return Layer(layer) if layer and layer != "all" else None


def _print(validation: Validation, redact: Callable[[str], str]) -> int:
    value = redact_json(validation_json(validation), redact)
    sys.stdout.write(json_text(value) + "\n")
    return OF_VALIDATION[validation.overall]
