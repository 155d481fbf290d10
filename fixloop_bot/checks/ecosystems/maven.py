"""Maven: one build for each reactor, a pom with all of its modules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.java_layout import has_sources, has_tests, wrapper
from fixloop_bot.checks.ecosystems.maven_pom import Linter, Pom, read_pom
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, by_project, join, project_folders
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

WRAPPER = ("mvnw", ".mvn/wrapper/maven-wrapper.properties")
OPTIONS = ("-B", "-fae")
"""Batch mode; and a failing module does not hide the others that do not depend on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reactor:
    """A pom with all modules that it reaches."""

    path: str
    program: str
    poms: tuple[Pom, ...]
    """Its own first."""
    files: tuple[str, ...]
    """Of all modules, relative to the worktree."""

    @property
    def linters(self) -> Iterator[tuple[Linter, str, tuple[str, ...]]]:
        """Yield each linter with its goal and the options that choose where it is configured."""
        everywhere = {linter.artifact for linter, _ in self.poms[0].goals}
        yield from ((linter, goal, ()) for linter, goal in self.poms[0].goals)
        for pom in self.poms[1:]:
            for linter, goal in pom.goals:
                if linter.artifact not in everywhere:
                    yield linter, goal, ("-pl", self._relative(pom.path))

    def _relative(self, path: str) -> str:
        return path if self.path == "." else path.removeprefix(f"{self.path}/")


def maven_builds(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every reactor that has something to compile, outermost first."""
    return tuple(_found(snapshot, one) for one in _reactors(snapshot) if has_sources(one.files))


def _reactors(snapshot: Snapshot) -> Iterator[Reactor]:
    poms = {path: read_pom(snapshot, path) for path in project_folders(snapshot, ("pom.xml",))}
    owned = by_project(snapshot.own, tuple(poms))
    taken: set[str] = set()
    modules = {module for pom in poms.values() for module in pom.modules if module != pom.path}
    # A pom that is a module of another one is built with that one; the rest of a circle stands for itself.
    for path in [*(one for one in poms if one not in modules), *poms]:
        if path in taken:
            continue
        members = _members(path, poms)
        taken |= set(members)
        yield Reactor(
            path=path,
            program=wrapper(snapshot, path, *WRAPPER) or "mvn",
            poms=tuple(poms[member] for member in members),
            files=tuple(join(member, file) for member in members for file in owned[member]),
        )


def _members(path: str, poms: Mapping[str, Pom]) -> tuple[str, ...]:
    """Return a pom and the modules that it reaches."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        member = waiting.pop(0)
        if member in poms and member not in found:
            found[member] = None
            waiting += poms[member].modules
    return tuple(found)


def _found(snapshot: Snapshot, reactor: Reactor) -> Found:
    linters = tuple(reactor.linters)
    return Found(
        ecosystem="java",
        path=reactor.path,
        checks=tuple(_checks(snapshot, reactor, [linter for linter, _, _ in linters])),
        fixers=tuple(_fixers(reactor)),
        setup=f"{reactor.program} -B dependency:go-offline",
    )


def _checks(snapshot: Snapshot, reactor: Reactor, linters: Sequence[Linter]) -> Iterator[Check]:
    # A linter that is bound to a phase of the build would fail the layers of others.
    skips = tuple(dict.fromkeys(f"-D{linter.skip}" for linter in linters))
    origin = Origin(reactor.path, _source(reactor))
    yield check(Layer.COMPILE, (reactor.program, *OPTIONS, *skips, "test-compile"), origin)
    for linter, goal, chosen in reactor.linters:
        where = Origin(reactor.path, f"pom.xml {linter.artifact}")
        yield check(Layer.LINT, (reactor.program, *OPTIONS, *(chosen or _phase(reactor)), goal), where)
    if has_tests(reactor.files) or any("<testSourceDirectory>" in _text(snapshot, pom) for pom in reactor.poms):
        yield check(Layer.TEST, (reactor.program, *OPTIONS, *skips, "test"), origin)


def _phase(reactor: Reactor) -> tuple[str, ...]:
    """Return the phase that makes modules known to each other: without one they are looked for in a repository."""
    return ("test-compile",) if len(reactor.poms) > 1 else ()


def _fixers(reactor: Reactor) -> Iterator[Fixer]:
    for linter, _, chosen in reactor.linters:
        if linter.fix:
            command = (reactor.program, *OPTIONS, *chosen, linter.fix)
            yield lint_fixer(command, Origin(reactor.path, f"pom.xml {linter.artifact}"))


def _source(reactor: Reactor) -> str:
    return "pom.xml" if reactor.program == "mvn" else f"pom.xml and {reactor.program}"


def _text(snapshot: Snapshot, pom: Pom) -> str:
    return snapshot.text(join(pom.path, "pom.xml"))
