"""A repository for detection: nothing but paths and texts."""

from collections.abc import Mapping

from fixloop_bot.checks.ecosystems.registry import detect
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.model.command import Check, Plan
from fixloop_bot.model.layer import Layer


def snapshot(files: Mapping[str, str]) -> Snapshot:
    return Snapshot(tuple(files), files.get)


def plan(files: Mapping[str, str]) -> Plan:
    return detect(snapshot(files))


def told(check: Check) -> str:
    """Return a check in one line, as a person would say it."""
    where = "" if check.project == "." else f"{check.project}: "
    return f"{where}{' '.join(check.command)} [{check.tool}]"


def told_of(files: Mapping[str, str], layer: Layer) -> list[str]:
    return [told(check) for check in plan(files).checks if check.layer is layer]


def fixers(files: Mapping[str, str]) -> list[str]:
    return [" ".join(fixer.command) for fixer in plan(files).fixers]
