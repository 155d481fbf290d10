"""The dashboard: pages over state folders, for `fixloop dashboard` and for a service that mounts them."""

import argparse
from importlib import import_module

from fixloop_bot.entrypoints.settings import SettingsError


def dashboard_command(arguments: argparse.Namespace) -> int:
    """Serve the pages until interrupted. Raises SettingsError for wrong usage, and where the extra is missing."""
    try:
        command = import_module("fixloop_bot.entrypoints.dashboard.command")
    except ModuleNotFoundError as error:
        raise SettingsError(f"{error.name} is missing: pip install 'fixloop-bot[service]'") from None
    return int(command.dashboard_command(arguments))
