"""The pyramid over real repositories with real tools."""

import json
from pathlib import Path

import pytest

from fixloop_bot.core.validation_json import validation_json
from fixloop_bot.model.layer import Layer
from tests.app.shop import ERROR, FAIL, PASS, SKIP, Shop, statuses

TEST = "from app import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
PYTHON = {
    "app.py": "def double(x: int) -> int:\n    return 2 * x\n",
    "tests/test_app.py": TEST,
    "pyproject.toml": "[tool.ruff]\n[tool.mypy]\nstrict = true\nfiles = ['app.py']\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def configured(shop: Shop, config: object, files: dict[str, str] | None = None) -> Shop:
    return shop.write({".fixloop.yml": json.dumps(config)} | (files or {}))


def test_a_sound_python_project_passes_every_layer_and_stays_clean(shop: Shop) -> None:
    shop.write(PYTHON)
    validation = shop.validate()
    assert statuses(validation) == {"compile": "pass", "lint": "pass", "test": "pass"}
    assert validation.overall is PASS
    assert validation.planned == (Layer.COMPILE, Layer.LINT, Layer.TEST)
    test = validation.result(Layer.TEST)
    assert test is not None
    assert test.tests is not None
    assert (test.tests.executed, test.exit_code, test.fingerprint, test.error_count) == (1, 0, None, 0)
    assert [evidence.command for evidence in test.evidence] == ["python -m pytest"]
    assert not [path for path in shop.root.rglob("*") if path.suffix == ".pyc" or path.name == "__pycache__"]
    assert shop.watcher.told == [
        *("detect compile", "compile: pass", "detect lint", "lint: pass", "detect test", "test: pass")
    ]


@pytest.mark.parametrize(
    ("change", "layer", "path"),
    [
        pytest.param({"app.py": "def double(:\n"}, "compile", "app.py", id="syntax"),
        pytest.param({"app.py": "def double(x: int) -> str:\n    return 2 * x\n"}, "compile", "app.py", id="type"),
        pytest.param({"app.py": "import os\n" + PYTHON["app.py"]}, "lint", "app.py", id="unused import"),
        pytest.param(
            {"app.py": "def double(x: int) -> int:\n    return 3 * x\n"}, "test", "tests/test_app.py", id="wrong result"
        ),
    ],
)
def test_the_lowest_failing_layer_stops_the_pyramid(shop: Shop, change: dict[str, str], layer: str, path: str) -> None:
    validation = shop.write(PYTHON | change).validate()
    assert list(statuses(validation).items())[-1] == (layer, "fail")
    failing = validation.failing
    assert failing is not None
    assert failing.error_count >= 1
    assert path in failing.affected_files
    assert failing.fingerprint is not None
    assert not failing.environmental
    assert validation_json(validation)["overall_status"] == "fail"


def test_one_layer_alone_runs_ungated(shop: Shop) -> None:
    shop.write(PYTHON | {"app.py": "import os\n" + PYTHON["app.py"]})
    assert statuses(shop.validate(only=Layer.TEST)) == {"test": "pass"}
    assert statuses(shop.validate(from_layer=Layer.LINT)) == {"lint": "fail"}


def test_nothing_to_validate_is_a_skip_with_reasons(shop: Shop) -> None:
    validation = shop.write({"README.md": ""}).validate()
    assert (validation.overall, validation.planned, validation.project_type) == (SKIP, (), "unknown")
    assert all(".fixloop.yml" in result.reason for result in validation.layers)
    assert statuses(shop.validate(only=Layer.VISUAL)) == {"visual": "skip"}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param({"tests/conftest.py": ""}, "`python -m pytest` ran no test", id="pytest collected nothing"),
        pytest.param({"tests/test_a.py": "import pytest\npytestmark = pytest.mark.skip\ndef test_a(): pass\n"},
                     "`python -m pytest` ran no test", id="all were skipped"),
        pytest.param({".fixloop.yml": "layers: {test: pytest || true}", "tests/test_a.py": ""},
                     "`pytest || true` ran no test", id="the exit code was swallowed"),
    ],
)  # fmt: skip
def test_a_test_command_that_ran_no_test_is_an_error(shop: Shop, files: dict[str, str], reason: str) -> None:
    result = shop.write(files).result(Layer.TEST)
    assert (result.status, result.reason) == (ERROR, reason)


def test_an_exit_code_of_0_that_the_report_contradicts_is_a_failure(shop: Shop) -> None:
    config = {"layers": {"test": "pytest -q || true"}}
    result = configured(shop, config, {"test_a.py": "def test_a(): assert 1 == 2\n"}).result(Layer.TEST)
    assert (result.status, result.exit_code) == (FAIL, 0)
    assert result.reason == "`pytest -q || true` exits with 0, but its own report has 1 failed"
    assert result.fingerprint is not None
    assert result.error_count == 1


def test_a_test_runner_that_says_nothing_at_all_is_no_pass(shop: Shop) -> None:
    # what `rake test` does where its pattern names no file
    files = {".fixloop.yml": "layers: {test: 'rspec() { :; }; rspec'}\n"}
    result = shop.write(files).result(Layer.TEST)
    assert (result.status, result.exit_code) == (ERROR, 0)
    assert result.reason.endswith("exits with 0, but nothing shows that a test ran")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({".fixloop.yml": "layers: {test: 'PATH=/usr/bin; no-such-folder/pytest || true'}"}, id="pytest"),
        pytest.param({"package.json": '{"scripts": {"test": "jest || true"}}'}, id="jest in a script"),
    ],
)
def test_a_missing_test_runner_is_no_pass_though_its_exit_code_is_swallowed(shop: Shop, files: dict[str, str]) -> None:
    result = shop.write(files).result(Layer.TEST)
    assert (result.status, result.exit_code) == (ERROR, 0)
    assert result.reason.endswith("exits with 0, but nothing shows that a test ran")


def test_a_collection_error_is_a_failure_though_no_test_ran(shop: Shop) -> None:
    result = shop.write({"test_a.py": "import pytest\nraise ValueError('no')\n"}).result(Layer.TEST)
    assert result.status is FAIL


def test_options_of_the_persons_own_are_kept_beside_the_reports(shop: Shop) -> None:
    config = {"layers": {"test": {"run": "pytest", "env": {"PYTEST_ADDOPTS": "-k one"}}}}
    tests = {"test_a.py": "def test_one(): pass\ndef test_two(): pass\n"}
    result = configured(shop, config, tests).result(Layer.TEST)
    assert result.tests is not None
    assert result.tests.executed == 1


@pytest.mark.parametrize(
    ("command", "named"),
    [
        pytest.param("no-such-tool --x", "no-such-tool", id="in a shell"),
        pytest.param("python3 -m no_such_module", "no_such_module", id="a module of Python's"),
        pytest.param("true && ./not-executable", "./not-executable", id="a file without permission"),
    ],
)
def test_a_missing_tool_is_named(shop: Shop, command: str, named: str) -> None:
    result = configured(shop, {"layers": {"lint": command}}, {"not-executable": ""}).result(Layer.LINT)
    assert named in result.output
    assert result.environmental


def test_a_missing_tool_of_fixloops_own_choice_is_an_error(shop: Shop) -> None:
    shop.write({"package.json": "{}", "eslint.config.js": ""})
    result = shop.result(Layer.LINT)
    assert (result.status, result.exit_code) == (ERROR, None)
    assert result.reason == "`eslint .`: eslint was not found or cannot be executed"
    assert result.fingerprint is not None


def test_a_layer_that_takes_too_long_fails_with_that_reason(shop: Shop) -> None:
    config = {"layers": {"test": {"run": "echo begun; sleep 60", "timeout": 0.3}}}
    result = configured(shop, config).result(Layer.TEST)
    assert result.status is FAIL
    assert result.reason.startswith("`echo begun; sleep 60`: wall-clock limit after ")
    assert "begun" in result.output


def test_commands_in_a_row_stop_at_the_first_that_fails(shop: Shop) -> None:
    result = configured(shop, {"layers": {"lint": ["echo one", "exit 3", "echo three"]}}).result(Layer.LINT)
    assert [(e.command, e.exit_code) for e in result.evidence] == [("echo one", 0), ("exit 3", 3)]
    assert (result.status, result.exit_code) == (FAIL, 3)


def test_one_projects_failure_does_not_hide_anothers(shop: Shop) -> None:
    files = {
        ".fixloop.yml": json.dumps({"projects": [{"path": "a", "layers": {"lint": ["exit 1", "echo never"]}},
                                                 {"path": "b", "layers": {"lint": ["pwd", "exit 2"]}}]}),
        "a/x.txt": "",
        "b/x.txt": "",
    }  # fmt: skip
    result = shop.write(files).result(Layer.LINT)
    assert [(e.project, e.exit_code) for e in result.evidence] == [("a", 1), ("b", 0), ("b", 2)]


def test_a_projects_folder_that_is_gone_is_named(shop: Shop) -> None:
    config = {"projects": [{"path": "gone", "layers": {"lint": "true"}}]}
    result = configured(shop, config).result(Layer.LINT)
    assert result.status is ERROR
    assert "/gone was not found" in result.reason


MONOREPO = {
    "api/pyproject.toml": "[project]\nname = 'api'\n",
    "api/api.py": "def two():\n    return 2\n",
    "api/test_api.py": "from api import two\n\ndef test_two():\n    assert two() == 2\n",
    "web/package.json": '{"scripts": {"lint": "eslint .", "test": "node --test"}, "type": "module"}',
    "web/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "include": ["*.ts"]}',
    "web/eslint.config.js": "export default [{rules: {'no-unused-vars': 'error', 'prefer-const': 'error'}}];\n",
    "web/a.ts": "export const one: number = 1;\n",
    "web/b.js": "export const two = 2;\n",
    "web/b.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport {two} from './b.js';\n"
    "test('two', () => assert.equal(two, 2));\n",
}


@pytest.fixture
def monorepo(shop: Shop) -> Shop:
    return shop.write(MONOREPO).with_node_tools("web")


def test_each_project_of_a_monorepo_runs_under_its_own_root(monorepo: Shop) -> None:
    validation = monorepo.validate()
    assert statuses(validation) == {"compile": "pass", "lint": "pass", "test": "pass"}
    assert validation.project_type == "python+node"
    ran = {(e.project, e.command.split(" -x ")[0]) for result in validation.layers for e in result.evidence}
    assert ran == {
        ("api", "python -m compileall -q -f"),
        ("api", "python -m pytest"),
        ("web", "tsc --noEmit -p . --pretty false"),
        ("web", "npm run --silent lint"),
        ("web", "npm run --silent test"),
    }


@pytest.mark.parametrize(
    ("change", "layer", "path"),
    [
        pytest.param({"web/a.ts": "export const one: number = 'x';\n"}, "compile", "web/a.ts", id="tsc"),
        pytest.param({"web/b.js": "const x = 1;\nexport const two = 2;\n"}, "lint", "web/b.js", id="eslint"),
        pytest.param({"web/b.js": "export const two = 3;\n"}, "test", "web/b.test.js", id="node --test"),
        pytest.param({"api/api.py": "def two():\n    return 3\n"}, "test", "api/test_api.py", id="pytest"),
    ],
)
def test_a_failure_in_a_monorepo_is_found_in_its_file(
    monorepo: Shop, change: dict[str, str], layer: str, path: str
) -> None:
    result = monorepo.write(change).result(Layer(layer))
    assert result.status is FAIL
    assert path in result.affected_files


def test_tests_of_all_projects_are_counted_though_one_fails(monorepo: Shop) -> None:
    result = monorepo.write({"api/api.py": "def two():\n    return 3\n"}).result(Layer.TEST)
    assert result.tests is not None
    assert result.tests.executed == 2
    assert len(result.tests.failed) == 1


def test_a_file_name_that_is_no_text_is_compiled_all_the_same(shop: Shop) -> None:
    shop.write({"a\udcff.py": "def broken(:\n"})
    result = shop.result(Layer.COMPILE)
    assert result.status is FAIL
    assert result.evidence[0].command.endswith(" 'a?.py'")


def test_garbage_in_an_output_never_raises(shop: Shop) -> None:
    line = r"head -c 300000 /dev/urandom; printf '\033[31m\377\000'; exit 1"
    result = configured(shop, {"layers": {"test": line}}).result(Layer.TEST)
    assert result.status is FAIL
    assert len(result.output.split("\n")) <= 102
