"""C and C++: CMake, or a Makefile that compiles; linters and formatters where hooks or CI use them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.cmake_project import BUILD, LISTS, build_check, cmake_checks, is_project
from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.mentions import mentions
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, by_project, join, project_folders
from fixloop_bot.checks.ecosystems.targets import MAKE_TARGET, NAMES
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
UNITS = (".c", ".cc", ".cpp", ".cxx", ".c++")
SOURCES = (*UNITS, ".h", ".hh", ".hpp", ".hxx")
OTHERS = ("pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod", "pom.xml", "Gemfile", "configure.ac")
"""Where one of these lies beside a Makefile, its targets are not those of a C project alone."""
COMPILES = re.compile(r"\$[({](?:CC|CXX|LINK\.\w+|COMPILE\.\w+)[)}]|\b(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+) |\.o\b")
GOAL = re.compile(r"^\.DEFAULT_GOAL[ \t]*:?=[ \t]*([\w.-]+)", re.MULTILINE)
NO_BUILD = frozenset(
    {"clean", "distclean", "format", "help", "install", "lint", "run", "style", "uninstall", *dict(NAMES)[Layer.TEST]}
)
"""Default targets that do something else than to build."""
BUILDS = ("all", "build", "compile")
MAX_FILES = 2_000
CLANG_FORMAT = (".clang-format", "_clang-format")


@dataclass(frozen=True, slots=True)
class Project:
    """One C or C++ project and its own files, relative to it."""

    snapshot: Snapshot
    path: str
    files: tuple[str, ...]

    def text(self, name: str) -> str:
        """Return the text of one of its files, empty for none."""
        return self.snapshot.text(join(self.path, name))

    def has(self, *names: str) -> str:
        """Return the first of the files that it has, empty for none."""
        return next((name for name in names if self.snapshot.has(join(self.path, name))), "")

    def named(self, *ends: str) -> tuple[str, ...]:
        """Return its files with one of these ends, so spelled that none looks like an option."""
        found = [name for name in self.files if name.endswith(ends)][:MAX_FILES]
        return tuple(f"./{name}" if name.startswith("-") else name for name in found)


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return the outermost CMake projects, and every Makefile with C sources that lies in none of them."""
    folders = project_folders(snapshot, (LISTS, *MAKEFILES))
    cmake = [path for path in folders if snapshot.has(join(path, LISTS)) and is_project(snapshot, path)]
    tops = [path for path in folders if not set(ancestors(path)) & set(cmake)]
    owned = by_project(snapshot.own, tops)
    projects = [Project(snapshot, path, tuple(owned[path])) for path in tops]
    return tuple(_found(one, cmake=one.path in cmake) for one in projects if one.named(*UNITS))


def _found(project: Project, *, cmake: bool) -> Found:
    tidy = bool(cmake and project.has(".clang-tidy") and mentions(project.snapshot, "clang-tidy"))
    checks = list(cmake_checks(project.snapshot, project.path, project.files, export=tidy) if cmake else _make(project))
    checks += _lint_checks(project, tidy=tidy)
    return Found(ecosystem="c", path=project.path, checks=tuple(checks), fixers=tuple(_fixers(project)))


def _make(project: Project) -> Iterator[Check]:
    """Yield the build of a Makefile that compiles, and what it declares besides."""
    name = project.has(*MAKEFILES)
    text = project.text(name)
    if not COMPILES.search(text):
        return
    targets = [target for target in MAKE_TARGET.findall(text) if not target.startswith(".")]
    goal = _build_target(text, targets)
    if goal is not None:
        # Everything is built anew and to the end: an object of before may hide an error, and so may the first error.
        yield check(Layer.COMPILE, ("make", "-B", "-k", *goal), Origin(project.path, name))
    if not project.has(*OTHERS):
        yield from _declared(project.path, name, targets)


def _build_target(text: str, targets: Sequence[str]) -> tuple[str, ...] | None:
    """Return the words after `make` that build: none for the default target; None where no target does."""
    declared = GOAL.search(text)
    default = declared[1] if declared else next(iter(targets), "")
    if default and default not in NO_BUILD:
        return ()
    return next(((target,) for target in BUILDS if target in targets), None)


def _declared(path: str, source: str, targets: Sequence[str]) -> Iterator[Check]:
    for layer in (Layer.LINT, Layer.TEST):
        name = next((name for name in dict(NAMES)[layer] if name in targets), "")
        if name:
            yield check(layer, ("make", name), Origin(path, f"{source} {name}"))


def _lint_checks(project: Project, *, tidy: bool) -> Iterator[Check]:
    if _formats(project):
        command = ("clang-format", "--dry-run", "--Werror", *project.named(*SOURCES))
        yield check(Layer.LINT, command, Origin(project.path, project.has(*CLANG_FORMAT)))
    if tidy:
        units = " ".join(f"'{name}'" for name in project.named(*UNITS) if "'" not in name)
        yield build_check(Layer.LINT, f"clang-tidy --quiet -p {BUILD} {units}", Origin(project.path, ".clang-tidy"))
    if mentions(project.snapshot, "cppcheck"):
        command = ("cppcheck", "--quiet", "--error-exitcode=1", *project.named(*UNITS))
        yield check(Layer.LINT, command, Origin(project.path, "cppcheck in hooks or CI"))


def _fixers(project: Project) -> Iterator[Fixer]:
    if _formats(project):
        where = Origin(project.path, project.has(*CLANG_FORMAT))
        yield lint_fixer(("clang-format", "-i", *project.named(*SOURCES)), where)


def _formats(project: Project) -> bool:
    """Return whether the sources are kept formatted: a style file alone may be there for editors."""
    return bool(project.has(*CLANG_FORMAT) and mentions(project.snapshot, "clang-format"))
