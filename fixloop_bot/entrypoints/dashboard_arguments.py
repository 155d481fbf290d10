"""The command line's grammar of the dashboard."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands

ABOUT = """\
Serves pages over state folders: runs, one run, questions that wait (to be answered there), metrics, health. It
prints one line, the address with a key: who does not have that is not answered. Only this machine can connect; for
others a proxy must stand before it that knows who they are. Needs the extra `service`."""


def add_dashboard_command(commands: Commands) -> None:
    """Add `dashboard`."""
    parser = commands.add_parser(
        "dashboard", help="serve pages over state folders", description=ABOUT, allow_abbrev=False
    )
    parser.add_argument(
        "--state-dir",
        action="append",
        default=None,
        metavar="DIR",
        help="where runs' records lie; may be given several times (default: this repository's)",
    )
    parser.add_argument("--worktree-path", default=".", metavar="PATH", help="the repository (default: this folder)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8081, metavar="N", help="(default: 8081; 0: a free one)")
    parser.add_argument(
        "--behind-proxy",
        default=None,
        metavar="HEADER",
        help="the header in which a trusted proxy names the person; it sends FIXLOOP_DASHBOARD_PROXY_SECRET, too, as "
        "X-Fixloop-Proxy-Secret, and requests without both are refused",
    )
    parser.add_argument(
        "--public-name",
        action="append",
        default=[],
        metavar="NAME",
        help="a host name besides the loopback ones under which it may be asked for",
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:6]) < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)
