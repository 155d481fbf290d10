"""`fixloop init --app`: the service's GitHub App, registered by a form and a code."""

import argparse
import shlex
import sys
from pathlib import Path

from fixloop_bot.adapters.new_files import new_private_files
from fixloop_bot.core.app_environment import can_be_named, environment_lines
from fixloop_bot.core.app_manifest import CODE, NAME_LIMIT, address_problem, order_problem, to_api_url
from fixloop_bot.core.render.app_page import app_page
from fixloop_bot.core.render.escape import plain
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.app import AppOrder, RegisteredApp
from fixloop_bot.ports.forge import ForgeError

PAGE = "fixloop-app.html"
ENVIRONMENT = "fixloop-app.env"

OPEN = """\
Next:
  1. Open {page} in a browser and press the button; confirm on GitHub's page.
  2. GitHub sends the browser to {url}/registered?code=…; nothing needs to answer there.
  3. Within an hour, type the code from the address bar: {then}
"""
MADE = """\
Registered {slug}: {page}
Next:
  1. Install it on the repositories that it is to repair: {install}
  2. Add ANTHROPIC_API_KEY to {environment} (only you can read it and {key}; keep both out of git).
  3. Start the service with these variables, behind a proxy that passes /webhook to it: fixloop serve
     (systemd, containers, what else to look after: docs/operations.md)
"""


def init_app(arguments: argparse.Namespace) -> int:
    """Write the page with the form, or the environment file for the code that came of it."""
    arguments.server_url = arguments.server_url.rstrip("/")
    if arguments.path != "." or arguments.action:
        raise SettingsError("--path and --action belong to the workflow, not to --app")
    return _convert(arguments) if arguments.code else _write_page(arguments)


def _write_page(arguments: argparse.Namespace) -> int:
    order = AppOrder(
        name=arguments.name or f"fixloop {arguments.org}".strip()[:NAME_LIMIT].strip(" -"),
        url=arguments.url.rstrip("/"),
        server_url=arguments.server_url,
        organisation=arguments.org,
        public=arguments.public,
    )
    if not order.url:
        raise SettingsError("--url: where GitHub reaches the service, https://HOST")
    if problem := order_problem(order):
        raise SettingsError(problem)
    then = _then(arguments.server_url)
    text = app_page(order, then=then)
    if arguments.print:
        sys.stdout.write(text)
        return ExitCode.DONE
    path = Path(arguments.output or PAGE).absolute()
    _write(path, text, force=arguments.force)
    sys.stdout.write(f"Wrote {plain(str(path), 1000)}\n")
    sys.stderr.write(OPEN.format(page=plain(path.as_uri(), 1000), url=order.url, then=then))
    return ExitCode.DONE


def _then(server_url: str) -> str:
    """Return the command to type when the App is made."""
    where = "" if server_url == "https://github.com" else f" --server-url {shlex.quote(server_url)}"
    return f"fixloop init --app{where} --code CODE"


def _write(path: Path, text: str, *, force: bool) -> None:
    if path.is_symlink():
        raise SettingsError(f"--output: {path} is a link; fixloop writes through none")
    if force:
        path.unlink(missing_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{path} exists already; --force replaces it") from None
    except OSError as error:
        raise SettingsError(f"--output: {path}: {error.strerror}") from None


def _convert(arguments: argparse.Namespace) -> int:
    """Take the App's secrets over; the files are made first, as GitHub hands the secrets out only once."""
    code = sys.stdin.readline().strip() if arguments.code == "-" else arguments.code
    if not CODE.fullmatch(code):
        raise SettingsError("--code: only what stands behind `code=` in the address bar, up to the next `&`")
    if problem := address_problem("--server-url", arguments.server_url):
        raise SettingsError(problem)
    path = Path(arguments.output or ENVIRONMENT).absolute()
    key = path.with_suffix(".private-key.pem")
    if not can_be_named(str(key)):
        raise SettingsError(
            "--output: the path has a quote or a control character, which an environment file cannot hold"
        )
    try:
        with new_private_files(path, key) as (environment_file, key_file):
            app, lines = _taken_over(code, key, arguments.server_url)
            key_file.write(app.private_key.encode("ascii"))
            environment_file.write("".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise SettingsError(f"{error.filename or path}: {error.strerror}") from None
    _tell(app, path, key, arguments.server_url)
    return ExitCode.DONE


def _taken_over(code: str, key: Path, server_url: str) -> tuple[RegisteredApp, list[str]]:
    from fixloop_bot.adapters.github.registration import convert_code  # noqa: PLC0415 - PyGithub takes 0.4 s to import

    api_url = to_api_url(server_url)
    try:
        app = convert_code(code, api_url=api_url)
        lines = environment_lines(app, key_path=str(key), server_url=server_url, api_url=api_url)
    except (ForgeError, ValueError) as error:
        raise SettingsError(str(error)) from None
    return app, lines


def _tell(app: RegisteredApp, path: Path, key: Path, server_url: str) -> None:
    page = app.page if app.page.startswith(f"{server_url}/") else f"{server_url}/settings/apps"
    sys.stdout.write(f"Wrote {plain(str(path), 1000)} and {plain(str(key), 1000)}\n")
    told = MADE.format(
        slug=plain(app.slug, 100),
        page=plain(page),
        install=plain(f"{page}/installations/new"),
        environment=path.name,
        key=key.name,
    )
    sys.stderr.write(told)
