"""`fixloop init`: the one workflow file that an installation of the Action needs."""

import argparse
import sys
from pathlib import Path

from fixloop_bot.adapters.workflow_yaml import local_workflows
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.workflow_file import WORKFLOW_PATH, is_action, to_workflow
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.init_app import init_app
from fixloop_bot.entrypoints.settings import SettingsError

TEMPLATE = Path(__file__).parents[1] / "templates" / "fixloop.yml"

NEXT = """\
Next:
  1. {action}
  2. Add the secret ANTHROPIC_API_KEY: Settings > Secrets and variables > Actions > New repository secret.
  3. Let workflows write: Settings > Actions > General > Workflow permissions > "Read and write permissions"; where
     branches are protected, also "Allow GitHub Actions to create and approve pull requests".
  4. Optional, so that fixloop's pushes start your checks (what GitHub's own token pushes starts no workflow): a GitHub
     App with contents, pull requests and checks: write, actions and commit statuses: read. Install it on the
     repository; add the variable FIXLOOP_APP_CLIENT_ID and the secret FIXLOOP_APP_PRIVATE_KEY.
  5. Commit {path} to the default branch: GitHub reads most triggers from there alone.
  6. fixloop doctor
{watching}"""
PLACED = "The Action is {action}."
PLACE = (
    "Replace `replace--me/fixloop@v0` by the Action as you use it (or: fixloop init --force --action OWNER/NAME@REF)."
)
WATCHED = "It also starts when one of these workflows fails: {names}. Run this again after you add one."
NOTHING_WATCHED = "No other workflow was found to watch: run this again with --force once there is one."


def init_command(arguments: argparse.Namespace) -> int:
    """Write the workflow, or what `--app` asks for; what to do next goes to standard error."""
    if arguments.app:
        return init_app(arguments)
    root = Path(arguments.path).absolute()
    if not root.is_dir():
        raise SettingsError(f"--path: {root} is not a folder")
    if arguments.action and not is_action(arguments.action):
        raise SettingsError(f"--action: {arguments.action!r} is not OWNER/REPOSITORY[/PATH]@REF")
    watched = sorted({one.name for one in local_workflows(root) if not one.uses_fixloop})
    text = to_workflow(TEMPLATE.read_text(encoding="utf-8"), action=arguments.action, watched=watched)
    if arguments.print:
        sys.stdout.write(text)
        return ExitCode.DONE
    _write(root, text, force=arguments.force)
    sys.stdout.write(f"Wrote {root / WORKFLOW_PATH}\n")
    sys.stderr.write(_next(arguments.action, watched))
    return ExitCode.DONE


def _write(root: Path, text: str, *, force: bool) -> None:
    """Write the file, whole or not at all; never through a link."""
    target = root / WORKFLOW_PATH
    for part in (target, *target.parents[:2]):
        if part.is_symlink():
            raise SettingsError(f"{part} is a link; fixloop writes through none")
    if target.exists() and not force:
        raise SettingsError(f"{target} exists already; --force replaces it, --print shows what would be written")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.new")
    fresh.unlink(missing_ok=True)
    with fresh.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    fresh.replace(target)


def _next(action: str, watched: list[str]) -> str:
    return NEXT.format(
        action=PLACED.format(action=action) if action else PLACE,
        path=WORKFLOW_PATH,
        watching=(WATCHED.format(names=", ".join(map(plain, watched))) if watched else NOTHING_WATCHED) + "\n",
    )
