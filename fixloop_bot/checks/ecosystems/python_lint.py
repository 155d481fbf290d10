"""Python's linters and formatters, each where the project configures it."""

from collections.abc import Iterator, Sequence

from fixloop_bot.checks.ecosystems.found import Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.python_project import PythonProject, configured
from fixloop_bot.checks.ecosystems.snapshot import NO_PROJECTS, Snapshot, ancestors, join, table
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

PYLINT_FILES = (".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml")


def lint_checks(snapshot: Snapshot, project: PythonProject) -> Iterator[Check]:
    """Yield the checks of the lint layer."""
    where = _ruff(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("ruff", "check", "."), Origin(project.path, where))
    where = _ruff_format(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("ruff", "format", "--check", "."), Origin(project.path, where))
    where = configured(snapshot, project.path, "flake8", files=(".flake8",), sections=("flake8",))
    if where:
        # Named folders: in `.` it would walk into virtual environments as well.
        yield check(Layer.LINT, ("flake8", *project.roots), Origin(project.path, where))
    where = _pylint(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("pylint", "--recursive=y", *_without_tests(project)), Origin(project.path, where))
    where = _black(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("black", "--check", *project.scope), Origin(project.path, where))
    where = _isort(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("isort", "--check", *project.scope), Origin(project.path, where))


def lint_fixers(snapshot: Snapshot, project: PythonProject) -> Iterator[Fixer]:
    """Yield what mends the lint layer; imports are sorted before black has the last word on the form."""
    where = _ruff(snapshot, project.path)
    if where:
        yield lint_fixer(("ruff", "check", "--fix", "."), Origin(project.path, where))
    where = _ruff_format(snapshot, project.path)
    if where:
        yield lint_fixer(("ruff", "format", "."), Origin(project.path, where))
    where = _isort(snapshot, project.path)
    if where:
        yield lint_fixer(("isort", "--quiet", *project.scope), Origin(project.path, where))
    where = _black(snapshot, project.path)
    if where:
        yield lint_fixer(("black", "--quiet", *project.scope), Origin(project.path, where))


def _black(snapshot: Snapshot, path: str) -> str:
    return configured(snapshot, path, "black")


def _isort(snapshot: Snapshot, path: str) -> str:
    return configured(snapshot, path, "isort", files=(".isort.cfg",), sections=("isort", "tool:isort"))


def _pylint(snapshot: Snapshot, path: str) -> str:
    here = configured(snapshot, path, "pylint", files=PYLINT_FILES)
    if here:
        return here
    found = sorted(snapshot.sections(join(path, "setup.cfg")))
    return next((f"setup.cfg [{name}]" for name in found if name.lower().startswith("pylint")), "")


def _without_tests(project: PythonProject) -> Sequence[str]:
    """Return the project's folders and files but for those of tests and examples, which few hold to the same rules."""
    kept = [path for path in project.roots if path not in NO_PROJECTS and path not in ("setup.py", "conftest.py")]
    return kept or project.roots


def _ruff(snapshot: Snapshot, path: str) -> str:
    """Return where ruff is configured; empty where it is not, or a project around it covers this one."""
    if any(_ruff_here(snapshot, around) for around in ancestors(path)):
        return ""
    return _ruff_here(snapshot, path)


def _ruff_here(snapshot: Snapshot, path: str) -> str:
    here = configured(snapshot, path, "ruff", files=("ruff.toml", ".ruff.toml"))
    hooks = join(path, ".pre-commit-config.yaml")
    return here or (hooks if "ruff-pre-commit" in snapshot.text(hooks) else "")


def _ruff_format(snapshot: Snapshot, path: str) -> str:
    """Return where ruff's formatter is configured or used; empty where it is not."""
    if not _ruff(snapshot, path):
        return ""
    if "format" in table(snapshot.toml(join(path, "pyproject.toml")), "tool", "ruff"):
        return "pyproject.toml [tool.ruff.format]"
    for name in ("ruff.toml", ".ruff.toml"):
        if "format" in snapshot.toml(join(path, name)):
            return f"{name} [format]"
    hooks = join(path, ".pre-commit-config.yaml")
    return hooks if "id: ruff-format" in snapshot.text(hooks) else ""
