"""Tasks that a repository declares run the layers of which nothing better is known."""

import pytest

from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import plan, told_of

TASKFILE = """\
version: '3'
vars: {test: x}
tasks:
  # a comment
  test:
    desc: runs them
    cmds:
      - lint: no task
  "lint":
    cmds: [ruff]
  types:
    internal: true
  a:b: echo
env:
  build: x
"""
HATCH = "[tool.hatch.envs.default.scripts]\ntest = 'pytest'\n[tool.hatch.envs.types.scripts]\ncheck = 'mypy'\n"


@pytest.mark.parametrize(
    ("files", "layer", "commands"),
    [
        ({"Makefile": ".PHONY: lint\nlint: deps\n\truff .\n"}, Layer.LINT, ["make lint [generic]"]),
        ({"Makefile": "check:\n\t./run\n"}, Layer.TEST, ["make check [generic]"]),
        ({"Makefile": "build test: deps\n"}, Layer.TEST, ["make test [generic]"]),
        ({"Makefile": "test := yes\nother: test\n"}, Layer.TEST, []),
        ({"Makefile": "test ::= yes\n"}, Layer.TEST, []),
        ({"Makefile": "\tlint: no target\n# lint: none\n%.o: test\n"}, Layer.LINT, []),
        ({"GNUmakefile": "all:\n", "Makefile": "test:\n"}, Layer.TEST, []),
        ({"justfile": "test *args:\n  cargo test\n"}, Layer.TEST, ["just test [generic]"]),
        ({"justfile": "test := 'x'\n"}, Layer.TEST, []),
        ({"Taskfile.yml": TASKFILE}, Layer.TEST, ["task test [generic]"]),
        ({"Taskfile.yml": TASKFILE}, Layer.LINT, ["task lint [generic]"]),
        ({"Taskfile.yml": TASKFILE}, Layer.COMPILE, []),
        ({"Taskfile.yml": "tasks: {test: x}\n"}, Layer.TEST, []),
        ({"tox.ini": "[testenv:lint]\ncommands = x\n"}, Layer.LINT, ["tox -q -e lint [generic]"]),
        ({"tox.ini": "[tox]\nenvlist = py39\n[testenv]\ncommands = x\n"}, Layer.TEST, ["tox -q -e py [generic]"]),
        ({"tox.toml": "[env.types]\ncommands = []\n"}, Layer.COMPILE, ["tox -q -e types [generic]"]),
        ({"noxfile.py": "def tests(session):\n  pass\n"}, Layer.TEST, ["nox -s tests [generic]"]),
        ({"noxfile.py": "@nox.session(name='lint')\ndef f(s):\n  pass\n"}, Layer.LINT, ["nox -s lint [generic]"]),
        ({"pyproject.toml": HATCH}, Layer.TEST, ["hatch run test [generic]"]),
        ({"pyproject.toml": HATCH}, Layer.COMPILE, ["hatch run types:check [generic]"]),
        ({"pyproject.toml": "[tool.pdm.scripts]\nlint = 'x'\n"}, Layer.LINT, ["pdm run lint [generic]"]),
        ({"pyproject.toml": "[tool.poe.tasks]\ntest = 'x'\n"}, Layer.TEST, ["poe test [generic]"]),
        ({"Makefile": "test:\n", "justfile": "test:\n"}, Layer.TEST, ["make test [generic]"]),
        ({"sub/Makefile": "test:\n"}, Layer.TEST, []),
    ],
)
def test_a_target_is_found(files: dict[str, str], layer: Layer, commands: list[str]) -> None:
    assert [one for one in told_of(files, layer) if "compileall" not in one] == commands


def test_an_ecosystems_own_command_is_better_knowledge_and_the_target_is_named() -> None:
    files = {"Makefile": "test:\n\tpytest\n", "test_a.py": "import pytest"}
    assert told_of(files, Layer.TEST) == ["python -m pytest [pytest]"]
    assert [(one.what, one.layer) for one in plan(files).passed_over] == [("Makefile test", Layer.TEST)]


MONOREPO = {"api/pyproject.toml": "", "api/api.py": "", "web/package.json": "{}", "web/a.json": ""}


def test_projects_below_the_top_have_targets_of_their_own() -> None:
    files = MONOREPO | {"api/Makefile": "test:\n", "web/Taskfile.yml": "tasks:\n  lint: x\n"}
    assert told_of(files, Layer.TEST) == ["api: make test [generic]"]
    assert told_of(files, Layer.LINT) == ["web: task lint [generic]"]


def test_a_target_at_the_top_is_not_doubled_below() -> None:
    files = MONOREPO | {"Makefile": "test:\n\t$(MAKE) -C api test\n", "api/Makefile": "test:\n"}
    assert told_of(files, Layer.TEST) == ["make test [generic]"]


def test_a_target_at_the_top_does_not_double_what_a_project_below_runs() -> None:
    files = MONOREPO | {"Makefile": "test:\n\t$(MAKE) -C api test\n", "api/test_api.py": "import pytest"}
    assert told_of(files, Layer.TEST) == ["api: python -m pytest [pytest]"]


HOOKS = {".pre-commit-config.yaml": "repos:\n- repo: local\n"}


def test_hooks_lint_where_they_are_all_that_is_declared() -> None:
    assert told_of(HOOKS, Layer.LINT) == ["pre-commit run --all-files [generic]"]
    assert told_of(HOOKS | {"Makefile": "lint:\n"}, Layer.LINT) == ["make lint [generic]"]


@pytest.mark.parametrize(
    "text", ["", "tasks:", "tasks:\n    a:\n  b:\n", "tasks:\n- a\n", "\t\ntasks:\n  : x\n", "tasks:\n" * 50_000]
)
def test_no_taskfile_makes_detection_fail(text: str) -> None:
    assert told_of({"Taskfile.yml": text}, Layer.TEST) == []
