"""New files that take the place of a test tool, of a standard module, or of an installed package."""

import posixpath
import sys
from collections.abc import Iterator

from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.model.guard import Finding, Severity

_TOOLS = frozenset(
    (
        "pytest",
        "_pytest",
        "nose",
        "nose2",
        "hypothesis",
        "tox",
        "nox",
        "coverage",
        "pytest_cov",
        "xdist",
        "pluggy",
        "mock",
    )
)
"""Beside the standard library, whose `unittest` and `doctest` are in its own list."""
_ROOTS = frozenset(("", "src", "lib", "python"))
"""Folders that are likely on Python's path themselves."""
_INSTALLED = frozenset(
    ("node_modules", "site-packages", "dist-packages", "bower_components", ".venv", "venv", ".bundle")
)
_FOREIGN_PACKAGES = ("org/junit/", "org/testng/", "org/mockito/", "org/hamcrest/", "org/assertj/", "PHPUnit/Framework/")


def shadowing_files(review: Review) -> Iterator[Finding]:
    """Yield the new files that something else would load in place of the real thing."""
    for file in review.change.files:
        reason = _reason(file.path, new=file.before is None) if file.after is not None else ""
        if reason:
            yield finding("import-shadowed", Severity.HIGH, file.path, None, reason)


def _reason(path: str, *, new: bool) -> str:
    folder, name = posixpath.split(path)
    if _INSTALLED.intersection(folder.split("/")):
        return "an installed package is changed"
    if not new:
        return ""
    if any(part in f"{folder}/" for part in _FOREIGN_PACKAGES):
        return "a class with the package name of a test library"
    if name == "build.rs" and posixpath.basename(folder) != "src":
        return "a build script runs before every check"
    module = _module(folder, name)
    if module in _TOOLS or module in sys.stdlib_module_names:
        return f"a module that hides `{module}` from every import"
    return ""


def _module(folder: str, name: str) -> str:
    """Return the name under which Python would import the file from the project's root, empty for none."""
    stem, suffix = posixpath.splitext(name)
    if suffix not in (".py", ".pyi", ".so"):
        return ""
    if stem == "__init__":
        folder, stem = posixpath.split(folder)
    return stem.split(".")[0] if folder in _ROOTS else ""
