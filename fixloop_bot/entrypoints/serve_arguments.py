"""The grammar of `fixloop serve` and `fixloop worker`."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands

EPILOG = """\
environment:
  FIXLOOP_WEBHOOK_SECRET: the webhook's secret
  FIXLOOP_APP_ID: the GitHub App's id
  FIXLOOP_APP_PRIVATE_KEY, else FIXLOOP_APP_PRIVATE_KEY_FILE: its key, as PEM
  FIXLOOP_DATABASE_URL: postgresql://..., for workers on several machines (default: SQLite in the state folder)
  FIXLOOP_MAX_RUNS, FIXLOOP_RUNS_PER_REPOSITORY: runs at a time over all workers (default: as many as they take)
  FIXLOOP_ACCOUNTS: owners whose repositories are served, with commas between (default: all that installed the App)
  FIXLOOP_STALL_AFTER_S: seconds without progress after which a run is told of (default: 1800)
  FIXLOOP_SWEEP_CRON: when all repositories are swept, as a cron line in UTC (default: never)
  FIXLOOP_SWEEP_REPOSITORIES: configured (those with `sweep` in .fixloop.yml, the default) or all
  FIXLOOP_BUDGET_PULL_REQUEST_USD, FIXLOOP_BUDGET_AUTHOR_DAY_USD, FIXLOOP_BUDGET_REPOSITORY_DAY_USD,
    FIXLOOP_BUDGET_INSTALLATION_DAY_USD, FIXLOOP_BUDGET_DAY_USD: what the model may cost over all runs, `none` for no
    bound (default: 10, none, 25, 50, 100)
  FIXLOOP_DASHBOARD, FIXLOOP_DASHBOARD_URL, FIXLOOP_DASHBOARD_USERS, FIXLOOP_DASHBOARD_ORG,
    FIXLOOP_DASHBOARD_PROXY_HEADER, FIXLOOP_DASHBOARD_PROXY_SECRET, FIXLOOP_APP_CLIENT_ID, FIXLOOP_APP_CLIENT_SECRET:
    the pages, and who may read them (default: on loopback alone, for who has the key in records/dashboard-key)
  GITHUB_API_URL, GITHUB_SERVER_URL: where GitHub is (default: github.com)
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: the model provider"""


def add_serve_commands(commands: Commands) -> None:
    """Add `serve` and `worker`."""
    serve = _added(commands, "serve", "receive a GitHub App's webhooks and repair what they tell of")
    serve.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: 127.0.0.1)")
    serve.add_argument("--port", type=_port, default=8080, metavar="P", help="0: any free one (default: 8080)")
    _workers_of(serve, least=0, words="runs at a time; 0: leave all work to `fixloop worker` (default: 2)")
    worker = _added(commands, "worker", "one more worker for the jobs that `fixloop serve` takes in")
    _workers_of(worker, least=1, words="runs at a time (default: 2)")


def _added(commands: Commands, name: str, words: str) -> argparse.ArgumentParser:
    made = commands.add_parser(
        name, help=words, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    made.add_argument("--state-dir", default=None, metavar="DIR", help="where state, records and clones live")
    return made


def _workers_of(command: argparse.ArgumentParser, *, least: int, words: str) -> None:
    command.add_argument("--workers", type=lambda text: _whole(text, least, 64), default=2, metavar="N", help=words)


def _port(text: str) -> int:
    return _whole(text, 0, 65535)


def _whole(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text[:9]) <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {low} to {high}")
    return int(text)
