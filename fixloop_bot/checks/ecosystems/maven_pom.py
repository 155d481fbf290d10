"""What a pom.xml says of modules and linters."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, folder, join
from fixloop_bot.checks.xml_report import read_xml

MAX_POM = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Linter:
    """A plugin that checks sources, and its goals (each plugin's own documentation)."""

    artifact: str
    check: str
    fix: str = ""
    skip: str
    """The property that keeps it from running where it is bound to a phase of the build."""
    bare: bool = True
    """Whether it is of use without any configuration."""


LINTERS = (
    Linter(artifact="maven-checkstyle-plugin", check="checkstyle:check", skip="checkstyle.skip", bare=False),
    Linter(artifact="spotless-maven-plugin", check="spotless:check", fix="spotless:apply", skip="spotless.check.skip"),
    Linter(artifact="ktlint-maven-plugin", check="ktlint:check", fix="ktlint:format", skip="ktlint.skip"),
    Linter(
        artifact="formatter-maven-plugin", check="formatter:validate", fix="formatter:format", skip="formatter.skip"
    ),
    Linter(artifact="fmt-maven-plugin", check="fmt:check", fix="fmt:format", skip="fmt.skip"),
    Linter(artifact="maven-pmd-plugin", check="pmd:check", skip="pmd.skip", bare=False),
    Linter(artifact="spotbugs-maven-plugin", check="spotbugs:check", skip="spotbugs.skip", bare=False),
)


@dataclass(frozen=True, slots=True)
class Pom:
    """One pom.xml."""

    path: str
    """Its folder, relative to the worktree."""
    modules: tuple[str, ...]
    """Folders of its modules, relative to the worktree."""
    goals: tuple[tuple[Linter, str], ...]
    """The linters that it configures, and the goal to call: with the execution's id, which bears the settings."""


def read_pom(snapshot: Snapshot, path: str) -> Pom:
    """Read the pom of a folder; a broken one says nothing."""
    root = read_xml(snapshot.text(join(path, "pom.xml"))[:MAX_POM], "<project")
    if root is None:
        return Pom(path, (), ())
    named = [*_texts(root, "modules", "module"), *(t for p in _all(root, "profiles", "profile") for t in _modules(p))]
    modules = (_module(path, name.strip()) for name in named)
    return Pom(path, tuple(dict.fromkeys(one for one in modules if one)), tuple(_goals(root)))


def _module(path: str, name: str) -> str:
    """Return a module's folder: it is named by its folder or by its pom."""
    inside = posixpath.normpath(posixpath.join(path, name))
    place = folder(inside) if inside.endswith(".xml") else inside
    return "" if not name or place.startswith(("../", "/")) or place == ".." else place


def _modules(element: ET.Element) -> list[str]:
    return _texts(element, "modules", "module")


def _goals(root: ET.Element) -> Iterator[tuple[Linter, str]]:
    plugins, managed = (
        _all(root, "build", "plugins", "plugin"),
        _all(root, "build", "pluginManagement", "plugins", "plugin"),
    )
    for linter in LINTERS:
        own = [plugin for plugin in plugins if _text(plugin, "artifactId") == linter.artifact]
        if own:
            goal = _goal(linter, [*own, *(one for one in managed if _text(one, "artifactId") == linter.artifact)])
            yield from [(linter, goal)] if goal else []


def _goal(linter: Linter, plugins: Sequence[ET.Element]) -> str:
    """Return the goal to call, empty where the plugin is not set up to check anything."""
    wanted = linter.check.partition(":")[2]
    for plugin in plugins:
        for execution in _all(plugin, "executions", "execution"):
            if wanted in _texts(execution, "goals", "goal"):
                # Settings of an execution hold for that execution alone (Maven's guide to configuring plug-ins).
                return f"{linter.check}@{_text(execution, 'id') or 'default'}"
    configured = any(len(one) for plugin in plugins for one in _all(plugin, "configuration"))
    return linter.check if configured or linter.bare else ""


def _all(element: ET.Element, *names: str) -> list[ET.Element]:
    """Return the elements under a path of names, whatever their namespace."""
    found = [element]
    for name in names:
        found = [child for parent in found for child in parent if child.tag.rpartition("}")[2] == name]
    return found


def _texts(element: ET.Element, *names: str) -> list[str]:
    return [(one.text or "").strip() for one in _all(element, *names)]


def _text(element: ET.Element, name: str) -> str:
    return next(iter(_texts(element, name)), "")
