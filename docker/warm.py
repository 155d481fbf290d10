"""Imports what a run imports, so that the image holds its bytecode: without, each job would compile it anew."""

import importlib
import pkgutil
import sys
import tempfile

import anthropic
import github
import pytest

import fixloop_bot

OF_EXTRAS = frozenset(
    (
        "PIL",
        "cronsim",
        "authlib",
        "gidgethub",
        "jinja2",
        "markupsafe",
        "opentelemetry",
        "pixelmatch",
        "playwright",
        "prometheus_client",
        "psycopg",
        "sqlalchemy",
        "starlette",
        "uvicorn",
    )
)
"""Modules that the image does not have: a layer with a browser and the bot service are extras."""
NOTHING_COLLECTED = 5
"""pytest's exit code where there is no test."""


def main() -> int:
    """Import every module of fixloop, and what the libraries load only when they are used; 0 if all of it loads."""
    for module in pkgutil.walk_packages(fixloop_bot.__path__, "fixloop_bot."):
        if not module.name.endswith("__main__"):
            load(module.name)
    _ = anthropic.Anthropic(api_key="none").messages
    github.Github().close()
    with tempfile.TemporaryDirectory() as folder:
        return pytest.main(["-q", "-p", "no:cacheprovider", folder]) - NOTHING_COLLECTED


def load(name: str) -> None:
    """Import a module, unless it needs what only an extra installs; anything else that is missing is an error."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in OF_EXTRAS:
            raise


if __name__ == "__main__":
    sys.exit(main())
