"""Test runners that fixloop calls itself: what they ran is counted, none is no pass."""

from pathlib import Path

import pytest

from fixloop_bot.model.layer import Layer, LayerStatus
from tests.app.shop import ERROR, FAIL, PASS, Shop

RUNNERS = {
    "jest": ({"package.json": "{}", "jest.config.js": ""}, "a.test.js", "test('x', () => expect(1).toBe({}))\n"),
    "vitest run": (
        {"package.json": '{"type": "module"}', "vitest.config.js": "export default {}"},
        "a.test.js",
        "import {{test, expect}} from 'vitest'; test('x', () => expect(1).toBe({}))\n",
    ),
    "mocha": (
        {"package.json": "{}", ".mocharc.json": "{}"},
        "test/a.js",
        "const assert = require('assert'); it('x', () => assert.equal(1, {}))\n",
    ),
    "node --test": (
        {"package.json": "{}"},
        "a.test.js",
        "const assert = require('assert'); require('node:test')('x', () => assert.equal(1, {}))\n",
    ),
    "python -m unittest discover -s tests": (
        {"app.py": ""},
        "tests/test_a.py",
        "import unittest\n\n\nclass X(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(1, {})\n",
    ),
}


@pytest.mark.parametrize("command", RUNNERS)
@pytest.mark.parametrize(("number", "status"), [(1, PASS), (2, FAIL)])
def test_the_runner_is_found_and_its_tests_are_counted(
    tmp_path: Path, command: str, number: int, status: LayerStatus
) -> None:
    files, path, text = RUNNERS[command]
    shop = Shop(tmp_path).write(files | {path: text.format(number)}).with_node_tools()
    result = shop.result(Layer.TEST)
    assert (result.status, result.reason) == (status, "")
    assert [evidence.command for evidence in result.evidence] == [command]
    assert result.tests is not None
    assert (result.tests.executed, len(result.tests.failed)) == (1, number - 1)
    assert (path in result.affected_files) is (status is FAIL)


@pytest.mark.parametrize("command", ["jest", "vitest run", "mocha"])
def test_a_runner_that_finds_no_test_is_an_error(tmp_path: Path, command: str) -> None:
    result = Shop(tmp_path).write(RUNNERS[command][0]).with_node_tools().result(Layer.TEST)
    assert (result.status, result.reason) == (ERROR, f"`{command}` ran no test")


def test_a_script_whose_tool_is_not_installed_is_an_error(tmp_path: Path) -> None:
    result = Shop(tmp_path).write({"package.json": '{"scripts": {"lint": "eslint ."}}'}).result(Layer.LINT)
    assert result.status is ERROR
    assert result.reason.startswith("`npm run --silent lint`: a command was not found")
    assert result.environmental


MATCHER = (
    '{"problemMatcher": [{"owner": "own", "pattern": [{"regexp": "^OWN (\\\\S+) (.*)$", "file": 1, "message": 2}]}]}'
)


def test_a_repositorys_own_tool_is_read_by_its_own_problem_matcher(tmp_path: Path) -> None:
    config = "problem-matchers: [own.json]\nlayers: {lint: 'echo OWN a.txt too long; exit 1'}\n"
    shop = Shop(tmp_path).write({".fixloop.yml": config, "own.json": MATCHER, "a.txt": "x"})
    (found,) = shop.result(Layer.LINT).diagnostics
    assert (found.path, found.message) == ("a.txt", "too long")


SARIF = (
    '{"version": "2.1.0", "runs": [{"results": [{"ruleId": "R", "level": "error", "message": {"text": "bad"},'
    ' "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.txt"}}}]}]}]}'
)
JUNIT = '<testsuite><testcase classname="c" name="n"><failure message="a.txt:1: bad"/></testcase></testsuite>'


@pytest.mark.parametrize(
    ("layer", "name", "text", "item"),
    [
        (Layer.LINT, "out/l.sarif", SARIF, "a.txt R"),
        (Layer.TEST, "out/j.xml", JUNIT, "c n"),
        (Layer.TEST, "out/t.tap", "1..1\nnot ok 1 adds\n", "adds"),
    ],
)
def test_a_report_that_the_command_names_is_read(tmp_path: Path, layer: Layer, name: str, text: str, item: str) -> None:
    config = f"layers: {{{layer}: 'sh own.sh --out={name}; exit 1'}}\n"
    own = f"mkdir -p out; cat > {name} <<'END'\n{text}\nEND\n"
    shop = Shop(tmp_path).write({".fixloop.yml": config, "own.sh": own, "a.txt": "x"})
    result = shop.result(layer)
    assert result.fingerprint
    assert [one.strip() for one in result.fingerprint.items] == [item]


def test_failed_tests_in_a_named_report_contradict_an_exit_code_of_0_and_findings_of_a_linter_do_not(
    tmp_path: Path,
) -> None:
    for layer, name, text, status in ((Layer.TEST, "j.xml", JUNIT, FAIL), (Layer.LINT, "l.sarif", SARIF, PASS)):
        config = f"layers: {{{layer}: 'sh own.sh --out={name}'}}\n"
        own = f"cat > {name} <<'END'\n{text}\nEND\n"
        shop = Shop(tmp_path).write({".fixloop.yml": config, "own.sh": own, "a.txt": "x"})
        assert shop.result(layer).status is status
