"""Python's test runners: pytest where tests or its configuration exist, unittest where tests use nothing else."""

from collections.abc import Sequence

from fixloop_bot.checks.ecosystems.found import Origin, check
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, folder, join, table
from fixloop_bot.model.command import Check
from fixloop_bot.model.layer import Layer

PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml")
MAX_READ = 200
"""Test files that are read to tell unittest from pytest."""


def test_checks(snapshot: Snapshot, project: str, files: Sequence[str], scope: Sequence[str]) -> tuple[Check, ...]:
    """Return the checks of the test layer; `files` are relative to the project, `scope` is what it covers."""
    where = _pytest_configured(snapshot, project)
    tests = [path for path in files if is_test(path)]
    if not where and not tests:
        return ()
    if not where and _only_unittest(snapshot, project, tests):
        return _unittest(project, files, tests)
    named = scope if scope != (".",) and not _names_paths(snapshot, project) else ()
    # `python -m` puts the project's folder on the path, which flat layouts need.
    command = ("python", "-m", "pytest", *named)
    return (check(Layer.TEST, command, Origin(project, where or "tests were found")),)


def is_test(path: str) -> bool:
    """Return whether pytest would collect the file by its default patterns."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _pytest_configured(snapshot: Snapshot, project: str) -> str:
    for name in (*PYTEST_FILES, "conftest.py", "tests/conftest.py", "test/conftest.py"):
        if snapshot.has(join(project, name)):
            return name
    if table(snapshot.toml(join(project, "pyproject.toml")), "tool", "pytest"):
        return "pyproject.toml [tool.pytest]"
    for name, section in (("setup.cfg", "tool:pytest"), ("tox.ini", "pytest")):
        if section in snapshot.sections(join(project, name)):
            return f"{name} [{section}]"
    return ""


def _names_paths(snapshot: Snapshot, project: str) -> bool:
    options = table(snapshot.toml(join(project, "pyproject.toml")), "tool", "pytest")
    if "testpaths" in options or "testpaths" in table(options, "ini_options"):
        return True
    texts = (snapshot.text(join(project, name)) for name in (*PYTEST_FILES, "setup.cfg", "tox.ini"))
    return any(line.strip().startswith("testpaths") for text in texts for line in text.splitlines())


def _only_unittest(snapshot: Snapshot, project: str, tests: Sequence[str]) -> bool:
    if not all(path.rpartition("/")[2].startswith("test") for path in tests):
        return False  # unittest's own pattern would miss some
    texts = [snapshot.text(join(project, path)) for path in tests[:MAX_READ]]
    return all("pytest" not in text and not _has_bare_test(text) for text in texts) and any(
        "unittest" in text for text in texts
    )


def _has_bare_test(text: str) -> bool:
    """Return whether a test function stands outside of any class, which unittest would not run."""
    return any(line.startswith(("def test", "async def test")) for line in text.splitlines())


def _unittest(project: str, files: Sequence[str], tests: Sequence[str]) -> tuple[Check, ...]:
    """Return one discovery per outermost test folder: unittest descends into packages alone."""
    packages = {folder(path) for path in files if path.endswith("__init__.py")}
    starts = sorted({_start(folder(path), packages) for path in tests})
    origin = Origin(project, "tests that use unittest alone")
    return tuple(check(Layer.TEST, _discover(start), origin) for start in starts)


def _start(place: str, packages: set[str]) -> str:
    """Return the folder to start from, so that a module's dotted name is importable."""
    while place != "." and place in packages:
        place = folder(place)
    return place


def _discover(start: str) -> tuple[str, ...]:
    command = ("python", "-m", "unittest", "discover")
    return command if start == "." else (*command, "-s", start)
