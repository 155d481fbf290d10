"""What validates a Python repository."""

import re

import pytest

from fixloop_bot.checks.ecosystems.python import FOREIGN_PATTERN
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, told_of

COMPILE = f"python -m compileall -q -f -x {FOREIGN_PATTERN}"
APP = {"app.py": "x = 1\n"}
RUFF = {"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}
FORMAT = {"pyproject.toml": "[tool.ruff.format]\nquote-style = 'single'\n"}


@pytest.mark.parametrize(
    ("files", "covered"),
    [
        pytest.param(["app.py"], "app.py", id="one file"),
        pytest.param(["src/a/b.py", "tests/test_b.py", "setup.py"], "setup.py src tests", id="folders stand for files"),
        pytest.param(["-odd.py"], "./-odd.py", id="a name that looks like an option"),
        pytest.param(["a.py", "venv/lib/x.py", "node_modules/y/z.py", "vendor/v.py"], "a.py", id="foreign code"),
        pytest.param(["a.py", "tests/fixtures/broken.py"], "a.py", id="files that are broken on purpose"),
    ],
)
def test_every_file_of_the_projects_own_is_compiled(files: list[str], covered: str) -> None:
    assert told_of(dict.fromkeys(files, ""), Layer.COMPILE) == [f"{COMPILE} {covered} [compileall]"]


@pytest.mark.parametrize(
    ("path", "foreign"),
    [("src/node_modules/x.py", True), ("./.venv/x.py", True), ("src/venvironment/x.py", False), ("src/x.py", False)],
)
def test_what_git_ignores_below_a_folder_is_left_out_by_name(path: str, foreign: bool) -> None:
    assert bool(re.search(FOREIGN_PATTERN, path)) is foreign


@pytest.mark.parametrize(
    ("config", "command"),
    [
        pytest.param({"mypy.ini": "[mypy]\n"}, "mypy . [mypy]", id="mypy.ini"),
        pytest.param({"setup.cfg": "[mypy]\nstrict = True\n"}, "mypy . [mypy]", id="setup.cfg"),
        pytest.param({"pyproject.toml": "[tool.mypy]\nstrict = true\n"}, "mypy . [mypy]", id="pyproject"),
        pytest.param({"pyproject.toml": "[tool.mypy]\nfiles = ['a']\n"}, "mypy [mypy]", id="it names its files itself"),
        pytest.param({"mypy.ini": "[mypy]\npackages = a\n"}, "mypy [mypy]", id="mypy.ini names packages"),
        pytest.param({"pyrightconfig.json": "{}"}, "pyright [pyright]", id="pyright's file"),
        pytest.param({"pyproject.toml": "[tool.pyright]\n"}, "pyright [pyright]", id="pyright in pyproject"),
    ],
)
def test_a_configured_type_checker_belongs_to_compile(config: dict[str, str], command: str) -> None:
    assert told_of(APP | config, Layer.COMPILE)[1:] == [command]


@pytest.mark.parametrize(
    ("config", "commands"),
    [
        pytest.param({}, [], id="no linter is forced on a project"),
        pytest.param(RUFF, ["ruff check . [ruff]"], id="pyproject"),
        pytest.param({"ruff.toml": ""}, ["ruff check . [ruff]"], id="ruff.toml"),
        pytest.param(FORMAT, ["ruff check . [ruff]", "ruff format --check . [ruff]"], id="formatter"),
        pytest.param({".flake8": ""}, ["flake8 app.py [flake8]"], id="flake8"),
        pytest.param({".pylintrc": ""}, ["pylint --recursive=y app.py [pylint]"], id="pylint"),
        pytest.param(
            {"setup.cfg": "[pylint.main]\n"}, ["pylint --recursive=y app.py [pylint]"], id="pylint in setup.cfg"
        ),
        pytest.param({".isort.cfg": ""}, ["isort --check . [isort]"], id="isort"),
        pytest.param({"setup.cfg": "[isort]\n"}, ["isort --check . [isort]"], id="isort in setup.cfg"),
        pytest.param({"pyproject.toml": "[tool.black]\n"}, ["black --check . [black]"], id="black"),
        pytest.param(
            {".pre-commit-config.yaml": "- repo: https://x/ruff-pre-commit\n  hooks:\n  - id: ruff-format\n"},
            ["ruff check . [ruff]", "ruff format --check . [ruff]"],
            id="a hook says that the project uses it",
        ),
        pytest.param({"pyproject.toml": "[tool.ruff\n"}, [], id="a broken pyproject configures nothing"),
    ],
)
def test_linters_run_where_they_are_configured(config: dict[str, str], commands: list[str]) -> None:
    assert told_of(APP | config, Layer.LINT) == commands


def test_fixers_are_the_configured_ones() -> None:
    assert fixers(APP | FORMAT) == ["ruff check --fix .", "ruff format ."]
    assert fixers(APP | RUFF) == ["ruff check --fix ."]
    assert fixers(APP) == []


def test_imports_are_sorted_before_black_has_the_last_word() -> None:
    both = {"pyproject.toml": "[tool.isort]\nprofile = 'black'\n[tool.black]\n"}
    assert fixers(APP | both) == ["isort --quiet .", "black --quiet ."]


def test_pylint_leaves_tests_and_examples_out() -> None:
    files = {"pyproject.toml": "[tool.pylint.main]\n", "src/a.py": "", "tests/test_a.py": "", "setup.py": ""}
    assert told_of(files, Layer.LINT) == ["pylint --recursive=y src [pylint]"]
    assert told_of({".pylintrc": "", "tests/test_a.py": ""}, Layer.LINT) == ["pylint --recursive=y tests [pylint]"]


PIP = "python3 -m venv .venv && .venv/bin/pip install"
PROJECT = "[project]\nname = 'a'\n"
EXTRAS = f"{PROJECT}[project.optional-dependencies]\ntest = ['pytest']\ndocs = ['sphinx']\n"
GROUPS = f"{PROJECT}[dependency-groups]\ndev = ['pytest']\n"


@pytest.mark.parametrize(
    ("files", "setup"),
    [
        pytest.param({}, "", id="nothing is declared"),
        pytest.param({"pyproject.toml": "[tool.ruff]\n"}, "", id="a manifest for tools alone"),
        pytest.param({"setup.py": ""}, f"{PIP} -e .", id="setup.py"),
        pytest.param({"pyproject.toml": EXTRAS}, f"{PIP} -e '.[test]'", id="the extra for tests"),
        pytest.param({"pyproject.toml": GROUPS}, f"{PIP} -e . --group dev", id="a dependency group"),
        pytest.param({"requirements.txt": "", "requirements-dev.txt": ""},
                     f"{PIP} -r requirements.txt -r requirements-dev.txt", id="requirements"),
        pytest.param({"pyproject.toml": PROJECT, "uv.lock": ""}, "uv sync --all-extras", id="uv"),
        pytest.param({"poetry.lock": ""}, "POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install", id="poetry"),
        pytest.param({"pyproject.toml": PROJECT, "pdm.lock": ""}, "pdm install", id="PDM"),
        pytest.param({"Pipfile": ""}, "PIPENV_VENV_IN_PROJECT=1 pipenv install --dev", id="pipenv"),
    ],
)  # fmt: skip
def test_what_would_install_the_project_is_suggested(files: dict[str, str], setup: str) -> None:
    assert [root.setup for root in plan(APP | files).projects] == [setup]


def test_a_nested_projects_setup_runs_in_its_own_folder() -> None:
    roots = plan({"app.py": "", "services/an api/setup.py": ""}).projects
    assert [(root.path, root.setup) for root in roots] == [
        (".", ""),
        ("services/an api", f"cd 'services/an api' && {PIP} -e ."),
    ]


UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n"


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param({}, [], id="no tests, no check"),
        pytest.param({"test_a.py": "def test_a(): pass"}, ["python -m pytest [pytest]"], id="pytest's own style"),
        pytest.param({"a_test.py": UNITTEST}, ["python -m pytest [pytest]"], id="a name that unittest passes over"),
        pytest.param({"pytest.ini": "[pytest]\n"}, ["python -m pytest [pytest]"], id="configured without tests yet"),
        pytest.param({"setup.cfg": "[tool:pytest]\n"}, ["python -m pytest [pytest]"], id="setup.cfg"),
        pytest.param(
            {"pyproject.toml": "[tool.pytest.ini_options]\n", "test_a.py": UNITTEST},
            ["python -m pytest [pytest]"],
            id="pyproject, though the tests use unittest",
        ),
        pytest.param({"test_a.py": UNITTEST}, ["python -m unittest discover [unittest]"], id="unittest at the top"),
        pytest.param(
            {"tests/test_a.py": UNITTEST},
            ["python -m unittest discover -s tests [unittest]"],
            id="unittest in a folder that is no package",
        ),
        pytest.param(
            {"tests/__init__.py": "", "tests/sub/__init__.py": "", "tests/sub/test_a.py": UNITTEST, "__init__.py": ""},
            ["python -m unittest discover [unittest]"],
            id="unittest in packages",
        ),
        pytest.param(
            {"test_a.py": UNITTEST, "test_b.py": "import pytest\n"}, ["python -m pytest [pytest]"], id="mixed styles"
        ),
    ],
)
def test_the_test_runner_is_the_tests_own(files: dict[str, str], commands: list[str]) -> None:
    assert told_of(APP | files, Layer.TEST) == commands


def test_nested_projects_are_validated_under_their_own_roots() -> None:
    files = {
        "pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n",
        "tool.py": "",
        "services/run.py": "",
        "services/api/pyproject.toml": "[tool.ruff]\n[tool.mypy]\n",
        "services/api/api.py": "",
        "services/api/test_api.py": "import pytest",
    }
    assert told_of(files, Layer.COMPILE) == [
        f"{COMPILE} services/run.py tool.py [compileall]",
        f"services/api: {COMPILE} api.py test_api.py [compileall]",
        "services/api: mypy . [mypy]",
    ]
    assert told_of(files, Layer.LINT) == ["ruff check . [ruff]"]
    assert told_of(files, Layer.TEST) == [
        "python -m pytest services/run.py tool.py [pytest]",
        "services/api: python -m pytest [pytest]",
    ]


def test_a_project_in_a_folder_of_tests_or_examples_is_none() -> None:
    files = {"app.py": "", "tests/data/setup.py": "", "examples/one/pyproject.toml": "", "examples/one/x.py": ""}
    assert {check.project for check in plan(files).checks} == {"."}


def test_a_repository_without_python_has_no_python_project() -> None:
    assert plan({"README.md": "", "pyproject.toml": "[tool.ruff]"}).project_type == "unknown"


def test_tests_may_take_longer_than_the_rest() -> None:
    limits = {check.layer: check.timeout_s for check in plan(APP | RUFF | {"test_a.py": ""}).checks}
    assert limits == {Layer.COMPILE: 600, Layer.LINT: 600, Layer.TEST: 1800}
