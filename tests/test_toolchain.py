"""The tests' own Node tools."""

import json

from tests.toolchain import HERE, node_modules


def test_the_lock_file_names_no_host() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text())
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []


def test_every_tool_is_installed_once() -> None:
    tools = node_modules() / ".bin"
    assert all((tools / name).exists() for name in ("tsc", "eslint", "prettier", "jest", "vitest", "mocha"))
    assert node_modules() / ".bin" == tools
