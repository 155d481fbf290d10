"""Targets that a Makefile, justfile, tox or nox declares: what runs a layer of which nothing better is known."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks.ecosystems.found import Origin, check
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.model.command import Check
from fixloop_bot.model.layer import Layer

NAMES = (
    (Layer.COMPILE, ("typecheck", "type-check", "types", "mypy", "compile", "build")),
    (Layer.LINT, ("lint", "linters", "style")),
    (Layer.TEST, ("test", "tests", "check", "unit")),
)
MAKE_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)[ \t]*::?(?!=)", re.MULTILINE)
JUST_RECIPE = re.compile(r"^@?([A-Za-z0-9_-]+)(?: [^:=\n]*)?:(?!=)", re.MULTILINE)
NOX_SESSION = re.compile(r"^def ([A-Za-z0-9_]+)\(session\b", re.MULTILINE)


def target_checks(snapshot: Snapshot, without: Sequence[Layer]) -> tuple[Check, ...]:
    """Return one check for each of the layers that the repository's top folder names a target for."""
    declared = list(_declared(snapshot))
    return tuple(found for layer in without for found in _first(layer, declared))


def _declared(snapshot: Snapshot) -> Iterator[tuple[str, tuple[str, ...], frozenset[str]]]:
    """Yield source, command and target names of each file that declares some."""
    for name in ("Makefile", "makefile", "GNUmakefile"):
        yield name, ("make",), frozenset(MAKE_TARGET.findall(snapshot.text(name)))
    for name in ("justfile", "Justfile", ".justfile"):
        yield name, ("just",), frozenset(JUST_RECIPE.findall(snapshot.text(name)))
    environments = (section.partition("testenv:")[2] for section in snapshot.sections("tox.ini"))
    yield "tox.ini", ("tox", "-q", "-e"), frozenset(environments)
    yield "noxfile.py", ("nox", "-s"), frozenset(NOX_SESSION.findall(snapshot.text("noxfile.py")))


def _first(layer: Layer, declared: Sequence[tuple[str, tuple[str, ...], frozenset[str]]]) -> Iterator[Check]:
    names = dict(NAMES)[layer]
    for source, command, targets in declared:
        for name in names:
            if name in targets:
                yield check(layer, (*command, name), Origin(".", f"{source} {name}"))
                return
