"""Gradle: one build for each folder with settings, or with a build script that no build around it has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.java_layout import has_sources, has_tests, wrapper
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, by_project, join, project_folders
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

WRAPPER = ("gradlew", "gradle/wrapper/gradle-wrapper.properties")
SETTINGS = ("settings.gradle", "settings.gradle.kts")
SCRIPTS = ("build.gradle", "build.gradle.kts")
OPTIONS = ("--no-daemon", "--continue")
"""No process outlives the command; and a failing task does not hide those that do not depend on it."""
LOGIC = frozenset({"buildSrc", "build-logic"})
"""Folders of builds that make the build itself: Gradle runs them on its own."""
LINTERS = (
    ("checkstyle", ""), ("pmd", ""), ("com.github.spotbugs", ""), ("com.diffplug.spotless", "spotlessApply"),
    ("org.jlleitschuh.gradle.ktlint", "ktlintFormat"), ("org.jmailen.kotlinter", "formatKotlin"),
    ("io.gitlab.arturbosch.detekt", ""), ("dev.detekt", ""),
)  # fmt: skip
"""Plugins that add to `check`, by their ids, and their task that repairs."""
KINDS = (
    ("com.android.application", ("compileDebugSources", "compileDebugUnitTestSources"), "testDebugUnitTest"),
    ("com.android.library", ("compileDebugSources", "compileDebugUnitTestSources"), "testDebugUnitTest"),
    ("org.jetbrains.kotlin.multiplatform", ("assemble",), "allTests"),
    ('kotlin("multiplatform")', ("assemble",), "allTests"),
)
"""Plugins whose builds have other tasks than those of Java: to compile, and to test."""
JAVA_TASKS = (("classes", "testClasses"), "test")
MAX_SCRIPTS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One Gradle build."""

    path: str
    program: str
    files: tuple[str, ...]
    """Relative to it."""
    scripts: str
    """The text of all its scripts and of its version catalogue."""

    @property
    def tasks(self) -> tuple[tuple[str, ...], str]:
        """Return the tasks that compile, and the one that tests."""
        return next(((compile_, test) for mark, compile_, test in KINDS if mark in self.scripts), JAVA_TASKS)

    @property
    def linters(self) -> list[tuple[str, str]]:
        """Return the plugins that add to `check`, with their task that repairs."""
        return [(plugin, fix) for plugin, fix in LINTERS if applies(self.scripts, plugin)]


def gradle_builds(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every build that has something to compile, outermost first."""
    return tuple(_found(build) for build in _builds(snapshot) if has_sources(build.files))


def applies(scripts: str, plugin: str) -> bool:
    """Return whether scripts apply a plugin, by id or, as Kotlin allows for Gradle's own, by its bare name."""
    quoted = rf"""(?:\bid\b|\bapply\b|\bplugin\b)[^\n]{{0,40}}["'`]{re.escape(plugin)}["'`]"""
    bare = rf"^\s{{1,40}}`?{re.escape(plugin)}`?\s*$"
    return re.search(quoted if "." in plugin else rf"{quoted}|{bare}", scripts, re.MULTILINE) is not None


def _builds(snapshot: Snapshot) -> Iterator[Build]:
    folders = _roots(snapshot)
    for path, files in by_project(snapshot.own, folders).items():
        yield Build(
            path=path,
            program=wrapper(snapshot, path, *WRAPPER) or "gradle",
            files=tuple(files),
            scripts=_scripts(snapshot, path, files),
        )


def _roots(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the folders of builds of their own, outermost first."""
    found: list[str] = []
    for path in project_folders(snapshot, (*SETTINGS, *SCRIPTS)):
        around = [other for other in ancestors(path) if other in found]
        own = any(snapshot.has(join(path, name)) for name in SETTINGS)
        if LOGIC.isdisjoint(path.split("/")) and (not around or (own and not _included(snapshot, around[0], path))):
            found.append(path)
    return tuple(found)


def _included(snapshot: Snapshot, around: str, path: str) -> bool:
    """Return whether a build's settings include another one."""
    inside = path if around == "." else path[len(around) + 1 :]
    texts = (snapshot.text(join(around, name)) for name in SETTINGS)
    return any(re.search(rf"includeBuild[ (]{{1,3}}[\"']{re.escape(inside)}[\"']", text) for text in texts)


def _scripts(snapshot: Snapshot, path: str, files: Sequence[str]) -> str:
    named = [file for file in files if file.endswith((".gradle", ".gradle.kts", ".versions.toml"))][:MAX_SCRIPTS]
    return "\n".join(snapshot.text(join(path, file)) for file in named)


def _found(build: Build) -> Found:
    return Found(
        ecosystem="java",
        path=build.path,
        checks=tuple(_checks(build)),
        fixers=tuple(_fixers(build)),
        setup=f"{build.program} --no-daemon {' '.join(build.tasks[0])}",
    )


def _checks(build: Build) -> Iterator[Check]:
    origin = Origin(build.path, "Gradle build" if build.program == "gradle" else f"Gradle build and {build.program}")
    compiling, testing = build.tasks
    yield check(Layer.COMPILE, (build.program, *OPTIONS, *compiling), origin)
    if build.linters:
        where = Origin(build.path, f"Gradle plugin {build.linters[0][0]}")
        yield check(Layer.LINT, (build.program, *OPTIONS, "check", "-x", testing), where)
    if has_tests(build.files):
        # Gradle repeats no test whose inputs are unchanged, and would take its result from a cache.
        again = ("--no-build-cache", f"clean{testing[0].upper()}{testing[1:]}")
        yield check(Layer.TEST, (build.program, *OPTIONS, *again, testing), origin)


def _fixers(build: Build) -> Iterator[Fixer]:
    for plugin, fix in build.linters:
        if fix:
            yield lint_fixer((build.program, *OPTIONS, fix), Origin(build.path, f"Gradle plugin {plugin}"))
