"""The grammar of `fixloop serve`."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands

EPILOG = """\
environment:
  FIXLOOP_WEBHOOK_SECRET: the webhook's secret
  FIXLOOP_APP_ID: the GitHub App's id
  FIXLOOP_APP_PRIVATE_KEY, else FIXLOOP_APP_PRIVATE_KEY_FILE: its key, as PEM
  GITHUB_API_URL, GITHUB_SERVER_URL: where GitHub is (default: github.com)
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: the model provider"""


def add_serve_command(commands: Commands) -> None:
    """Add it."""
    serve = commands.add_parser(
        "serve",
        help="receive a GitHub App's webhooks and repair what they tell of",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    serve.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: 127.0.0.1)")
    serve.add_argument("--port", type=_port, default=8080, metavar="P", help="0: any free one (default: 8080)")
    serve.add_argument("--state-dir", default=None, metavar="DIR", help="where state, records and the queue live")
    serve.add_argument("--workers", type=_workers, default=2, metavar="N", help="jobs at a time (default: 2)")


def _port(text: str) -> int:
    return _whole(text, 0, 65535)


def _workers(text: str) -> int:
    return _whole(text, 1, 64)


def _whole(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text[:9]) <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {low} to {high}")
    return int(text)
