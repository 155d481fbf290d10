"""The grammar of `fixloop init`."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands

EPILOG = """\
fixloop init --app --url URL   writes the page that registers the service's GitHub App
fixloop init --app --code CODE   turns the code that GitHub gives for it into the service's environment file"""


def add_init_command(commands: Commands) -> None:
    """Add it."""
    init = commands.add_parser(
        "init",
        help="write what an installation on GitHub needs: the workflow, or with --app the GitHub App",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    init.add_argument("--path", default=".", metavar="DIR", help="top folder of the repository (default: this folder)")
    init.add_argument("--action", default="", metavar="OWNER/NAME@REF", help="the fixloop Action to use")
    init.add_argument("--force", action="store_true", help="replace the file if it is there")
    init.add_argument("--print", action="store_true", help="print the file instead of writing it")
    app = init.add_argument_group("the service's GitHub App")
    app.add_argument("--app", action="store_true", help="register the App of `fixloop serve`")
    app.add_argument("--url", default="", metavar="URL", help="where GitHub reaches the service: https://HOST")
    app.add_argument("--name", default="", metavar="NAME", help="the App's name, unique on GitHub")
    app.add_argument("--org", default="", metavar="ORG", help="organisation that is to own it (default: yourself)")
    app.add_argument("--public", action="store_true", help="let other accounts install it, too")
    app.add_argument("--code", default="", metavar="CODE", help="the code from the address bar; `-`: standard input")
    app.add_argument(
        "--server-url", default="https://github.com", metavar="URL", help="a GitHub Enterprise Server's address"
    )
    app.add_argument("--output", default="", metavar="FILE", help="the page, or the environment file, to write")
