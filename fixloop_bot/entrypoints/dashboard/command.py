"""`fixloop dashboard`: the pages, served on this machine."""

import argparse
import re
import socket
import sys

import uvicorn

from fixloop_bot.adapters.git.shown import worktree_diff
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.entrypoints.dashboard.access import LOOPBACK, Access, host_name, is_loopback
from fixloop_bot.entrypoints.dashboard.app import dashboard
from fixloop_bot.entrypoints.dashboard.key import Key
from fixloop_bot.entrypoints.dashboard.shell_answers import ShellAnswers
from fixloop_bot.entrypoints.dashboard.sources import Source, Sources
from fixloop_bot.entrypoints.dashboard_settings import load_dashboard_settings
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.records_place import RecordsPlace, find_records
from fixloop_bot.entrypoints.settings import SettingsError, environment
from fixloop_bot.model.history import RunFacts

SECONDS = 1.0
"""A page's records are at most so old."""
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")


def dashboard_command(arguments: argparse.Namespace) -> int:
    """Serve the pages until interrupted. Raises SettingsError for an address that cannot, or must not, be served."""
    access = access_of(arguments)
    application = dashboard(_sources(arguments), access)
    config = uvicorn.Config(
        application,
        access_log=False,
        lifespan="off",
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        ws="none",
    )
    with _listening(arguments.host, arguments.port) as listener:
        address = f"http://{_shown(arguments.host)}:{listener.getsockname()[1]}/"
        sys.stdout.write(f"{access.key.address(address) if access.key else address}\n")
        sys.stdout.flush()
        uvicorn.Server(config).run(sockets=[listener])
    return ExitCode.DONE


def access_of(arguments: argparse.Namespace) -> Access:
    """Return who may speak to it. Raises SettingsError where others than this machine could, and no proxy asks them."""
    header, host = arguments.behind_proxy, arguments.host
    if header is not None and not _HEADER.fullmatch(header):
        raise SettingsError(f"--behind-proxy: {header!r} is no name of a header")
    if not is_loopback(host) and header is None:
        raise SettingsError(
            f"--host {host}: others could read and answer here. Put a proxy before it that knows who they are, and "
            "name the header in which it says so with --behind-proxy"
        )
    names = [*arguments.public_name, _shown(host)]
    if not all(host_name(name) == name.lower() for name in names):
        raise SettingsError("--public-name: a name without a port, such as fixloop.example.org")
    known = frozenset(name.lower() for name in names) - LOOPBACK
    if header is None:
        return Access(names=known, key=Key(place="which `fixloop dashboard` printed"))
    return Access(names=known, proxy_header=header, proxy_secret=load_dashboard_settings().secret_of_proxy)


def _sources(arguments: argparse.Namespace) -> Sources:
    given = arguments.state_dir or [None]
    places = [find_records(argparse.Namespace(state_dir=one, worktree_path=arguments.worktree_path)) for one in given]
    return Sources(tuple(_source(number, place) for number, place in enumerate(places)), places[0].redact)


def _source(number: int, place: RecordsPlace) -> Source:
    records = HistoryCache(place.folder, seconds=SECONDS)
    sys.stderr.write(f"reading {place.folder.root} …\n")
    records.read()
    return Source(
        number=number,
        records=records,
        flags=("--state-dir", str(place.folder.root)),
        answers=ShellAnswers(records, environment()),
        diff=_shell_diff,
    )


def _shell_diff(run: RunFacts) -> str:
    standing = run.standing
    return worktree_diff(run.repository, standing.start, standing.head) if standing else ""


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise SettingsError(f"--host {host} --port {port}: {error}") from None


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
