"""Imports what a run imports, so that the image holds its bytecode: without, each job would compile it anew."""

import importlib
import pkgutil
import sys
import tempfile

import anthropic
import github
import pytest

import fixloop_bot

NOTHING_COLLECTED = 5
"""pytest's exit code where there is no test."""


def main() -> int:
    """Import every module of fixloop, and what the libraries load only when they are used; 0 if all of it loads."""
    for module in pkgutil.walk_packages(fixloop_bot.__path__, "fixloop_bot."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    _ = anthropic.Anthropic(api_key="none").messages
    github.Github().close()
    with tempfile.TemporaryDirectory() as folder:
        return pytest.main(["-q", "-p", "no:cacheprovider", folder]) - NOTHING_COLLECTED


if __name__ == "__main__":
    sys.exit(main())
