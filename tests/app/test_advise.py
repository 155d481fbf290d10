"""What would install the project is said where something is not installed."""

from pathlib import Path

import pytest

from fixloop_bot.app.advise import suggested_setup
from fixloop_bot.model.command import Check, Plan, ProjectRoot
from fixloop_bot.model.layer import Layer
from tests.app.shop import ERROR, Shop

PIP = "python3 -m venv .venv && .venv/bin/pip install -e '.[test]'"
PROJECT = "[project]\nname = 'shop'\nversion = '1'\n[project.optional-dependencies]\ntest = ['no-such-linter']\n"
FLAKE8 = {"pyproject.toml": PROJECT, ".flake8": "[flake8]\n", "shop.py": "x = 1\n"}
"""flake8 is in no environment of the tests."""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_a_missing_tool_names_the_command_that_would_install_it(shop: Shop) -> None:
    result = shop.write(FLAKE8).result(Layer.LINT)
    assert result.status is ERROR
    assert result.reason == (
        f"`flake8 shop.py`: flake8 was not found or cannot be executed; declare a `setup` command such as `{PIP}`"
    )
    assert result.missing == (
        "flake8 is not installed in the project's environment; install it, "
        f"or declare a `setup` command such as `{PIP}`",
    )


def test_where_setup_is_declared_nothing_else_is_suggested(shop: Shop) -> None:
    result = shop.write(FLAKE8 | {".fixloop.yml": "setup: [make venv]\n"}).result(Layer.LINT)
    assert result.status is ERROR
    assert result.reason == "`flake8 shop.py`: flake8 was not found or cannot be executed"


def test_a_package_that_is_declared_and_absent_names_the_command(shop: Shop) -> None:
    files = {
        "requirements.txt": "no-such-package\n",
        "test_shop.py": "import no_such_package\n\n\ndef test_x(): pass\n",
    }
    result = shop.write(files).result(Layer.TEST)
    assert result.environmental
    assert "such as `python3 -m venv .venv && .venv/bin/pip install -r requirements.txt`" in result.missing[0]


ROOTS = (
    ProjectRoot(ecosystem="python", path=".", setup="pip"),
    ProjectRoot(ecosystem="node", path=".", setup="npm ci"),
    ProjectRoot(ecosystem="node", path="web", setup="cd web && npm ci"),
    ProjectRoot(ecosystem="node", path="web/widgets", setup=""),
)


@pytest.mark.parametrize(
    ("tool", "project", "line"),
    [
        pytest.param("pytest", ".", "pip", id="the tool's own ecosystem"),
        pytest.param("jest", ".", "npm ci", id="another tool's"),
        pytest.param("jest", "web/widgets", "cd web && npm ci", id="the workspace around a member"),
        pytest.param("jest", "webby", "npm ci", id="a folder whose name merely begins alike"),
        pytest.param("generic", "web", "cd web && npm ci", id="a tool of no ecosystem"),
    ],
)
def test_the_innermost_projects_setup_is_suggested(tool: str, project: str, line: str) -> None:
    check = Check(layer=Layer.TEST, command=("x",), tool=tool, project=project)
    assert suggested_setup(Plan(project_type="python+node", projects=ROOTS), check) == line
