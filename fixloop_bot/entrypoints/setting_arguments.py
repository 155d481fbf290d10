"""Arguments that are settings: each says in its help which variable it goes before, and what holds now."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fixloop_bot.entrypoints.settings import Source

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = object


def setting(
    parser: argparse.ArgumentParser, name: str, about: str, known: Mapping[str, Source], *, metavar: str
) -> None:
    """Add `--NAME VALUE`."""
    source = known[name.replace("-", "_")]
    parser.add_argument(f"--{name}", default=None, metavar=metavar, help=f"{about} {_now(source)}")


def flag(parser: argparse.ArgumentParser, name: str, about: str, known: Mapping[str, Source]) -> None:
    """Add `--NAME` and `--no-NAME`."""
    help_text = f"{about} {_now(known[name.replace('-', '_')])}"
    parser.add_argument(f"--{name}", default=None, action=argparse.BooleanOptionalAction, help=help_text)


def _now(source: Source) -> str:
    value = source.value.replace("%", "%%")
    return f"[{source.variable}; now: {value} ({source.origin})]"
