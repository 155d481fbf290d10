"""What a repository declares, run for real: plain JavaScript, workspaces, tasks, and tools of several projects."""

import json
from pathlib import Path

import pytest

from fixloop_bot.model.layer import Layer
from tests.app.shop import FAIL, PASS, Shop, statuses

SOUND = {"package.json": '{"name": "shop"}', "index.js": "exports.one = 1;\n", "lib/a b.mjs": "export const two = 2;\n"}


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_plain_javascript_is_compiled_by_node(shop: Shop) -> None:
    assert shop.write(SOUND).result(Layer.COMPILE).status is PASS


@pytest.mark.parametrize("path", ["index.js", "lib/a b.mjs"])
def test_a_syntax_error_in_plain_javascript_is_found(shop: Shop, path: str) -> None:
    result = shop.write(SOUND | {path: "const = 1;\n"}).result(Layer.COMPILE)
    assert (result.status, result.affected_files) == (FAIL, (path,))
    assert [item.rule_id for item in result.diagnostics] == ["SyntaxError"]


def test_modules_that_the_package_declares_are_understood(shop: Shop) -> None:
    files = {"package.json": '{"type": "module"}', "index.js": "import { two } from './two.js';\nconsole.log(two);\n"}
    assert shop.write(files | {"two.js": "export const two = 2;\n"}).result(Layer.COMPILE).status is PASS


def test_members_of_a_workspace_run_their_own_scripts(shop: Shop) -> None:
    files = {
        "package.json": json.dumps({"workspaces": ["packages/*"], "scripts": {"lint": "node -e 0"}}),
        "packages/a/package.json": json.dumps({"name": "a", "scripts": {"lint": "node -e 'process.exit(1)'"}}),
        "packages/b/package.json": json.dumps({"name": "b", "scripts": {"lint": "node -e 0"}}),
    }
    result = shop.write(files).result(Layer.LINT)
    assert [(one.project, one.exit_code) for one in result.evidence] == [(".", 0), ("packages/a", 1), ("packages/b", 0)]


def test_a_project_below_the_top_runs_its_own_targets(shop: Shop) -> None:
    files = {
        "README.md": "",
        "services/api/setup.py": "",
        "services/api/Makefile": "lint:\n\t@echo 'setup.py:1: odd'; exit 1\n\ntest:\n\t@true\n",
    }
    shop.write(files)
    assert statuses(shop.validate()) == {"compile": "pass", "lint": "fail"}
    lint = shop.result(Layer.LINT)
    assert [one.command for one in lint.evidence] == ["make lint"]
    assert lint.affected_files[0] == "services/api/setup.py"
