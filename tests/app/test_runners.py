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
