""".NET: every solution, and every project file that no solution's folder holds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.snapshot import NO_PROJECTS, Snapshot, ancestors, folder, join, table
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

SOLUTIONS = (".sln", ".slnx")
PROJECTS = (".csproj", ".fsproj", ".vbproj")
TEST_SIGNS = ("Microsoft.NET.Test.Sdk", "MSTest.Sdk", "<IsTestProject>true", "xunit", "NUnit", "TUnit")
ENV = {
    "DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_CLI_UI_LANGUAGE": "en",
    "MSBUILDTERMINALLOGGER": "off",
}  # fmt: skip
"""Plain messages in English, one a line (environment variables of the .NET CLI and of MSBuild)."""
MAX_READ = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A solution, or a project file that stands alone."""

    file: str
    """Relative to the worktree."""
    projects: tuple[str, ...]
    """The project files in its folder and below."""

    @property
    def path(self) -> str:
        """Return its folder."""
        return folder(self.file)

    @property
    def name(self) -> str:
        """Return its name, to be given to every command: a folder may hold several."""
        return self.file.rpartition("/")[2]


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every solution and lone project, outermost first."""
    return tuple(_found(snapshot, target) for target in _targets(snapshot))


def _targets(snapshot: Snapshot) -> Iterator[Target]:
    own = [path for path in snapshot.own if NO_PROJECTS.isdisjoint(folder(path).split("/")) or _is_test(path)]
    projects = tuple(path for path in own if path.endswith(PROJECTS))
    covered: set[str] = set()
    solutions = (path for path in own if path.endswith(SOLUTIONS))
    for file in sorted(solutions, key=lambda path: (path.count("/"), len(path), path)):
        if not covered & {folder(file), *ancestors(folder(file))}:
            covered.add(folder(file))
            yield Target(file=file, projects=_below(folder(file), projects))
    for file in projects:
        if not covered & {folder(file), *ancestors(folder(file))}:
            yield Target(file=file, projects=(file,))


def _is_test(path: str) -> bool:
    """Return whether it is a project among the tests, which is no illustration here."""
    return path.endswith(PROJECTS) and NO_PROJECTS & set(path.split("/")) <= {"test", "tests"}


def _below(place: str, projects: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(file for file in projects if place in {folder(file), ".", *ancestors(folder(file))})


def _found(snapshot: Snapshot, target: Target) -> Found:
    fixers = (_fixer(target, where) for where in _editorconfig(snapshot, target))
    return Found(
        ecosystem="dotnet",
        path=target.path,
        checks=tuple(replace(one, env=ENV) for one in _checks(snapshot, target)),
        fixers=tuple(replace(one, env=ENV) for one in fixers),
        setup="dotnet restore",
    )


def _checks(snapshot: Snapshot, target: Target) -> Iterator[Check]:
    origin = Origin(target.path, target.name)
    yield check(Layer.COMPILE, ("dotnet", "build", target.name), origin)
    for where in _editorconfig(snapshot, target):
        command = ("dotnet", "format", target.name, "--verify-no-changes")
        yield check(Layer.LINT, command, Origin(target.path, where))
    if any(sign in snapshot.text(path) for path in target.projects[:MAX_READ] for sign in TEST_SIGNS):
        yield check(Layer.TEST, ("dotnet", "test", target.name, *_logger(snapshot, target)), origin)


def _fixer(target: Target, where: str) -> Fixer:
    return lint_fixer(("dotnet", "format", target.name), Origin(target.path, where))


def _editorconfig(snapshot: Snapshot, target: Target) -> Iterator[str]:
    """Yield the nearest .editorconfig, which tells `dotnet format` what to check; nothing where there is none."""
    around = (join(place, ".editorconfig") for place in (target.path, *ancestors(target.path)))
    yield from [path for path in around if snapshot.has(path)][:1]


def _logger(snapshot: Snapshot, target: Target) -> tuple[str, ...]:
    """Ask for TRX files, unless the repository has chosen the runner that does not know that option."""
    configured = (join(place, "global.json") for place in (target.path, *ancestors(target.path)))
    runners = (table(snapshot.json(path), "test").get("runner") for path in configured)
    return () if "Microsoft.Testing.Platform" in runners else ("--logger", "trx")
