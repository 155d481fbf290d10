"""A run on a monorepo whose projects are checked side by side: what it ends in is what it ends in one by one."""

from collections.abc import Mapping

import pytest

from fixloop_bot.adapters.processors import processors
from tests.e2e.workspace import PYTEST, Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn

NAMES = ("api", "jobs", "shop")
CODE = "def last(pages: list[int]) -> int:\n    return pages[{index}]\n"
TESTS = "from {name} import last\n\n\ndef test_last() -> None:\n    assert last([1, 2]) == 2\n"
COMPANY = """\
import os
import pathlib
import time


def test_alone():
    here = pathlib.Path(os.environ["TMPDIR"]) / "port-3000"
    here.mkdir()
    try:
        time.sleep(2)
    finally:
        here.rmdir()
"""


def monorepo(broken: str, config: str = "") -> Mapping[str, str]:
    files = {f"{name}/pyproject.toml": PYTEST for name in NAMES}
    files |= {f"{name}/{name}.py": CODE.format(index=-2 if name == broken else -1) for name in NAMES}
    files |= {f"{name}/test_{name}.py": TESTS.format(name=name) for name in NAMES}
    return files | ({".fixloop.yml": config} if config else {})


@pytest.mark.parametrize("config", ["", "parallel: 1\n"], ids=["side by side", "one after the other"])
def test_the_broken_project_is_repaired_and_the_gate_sees_all_in_the_plan_s_order(
    workspace: Workspace, config: str
) -> None:
    workspace.commit(monorepo("jobs", config))
    mend = turn(edit("jobs/jobs.py", "pages[-2]", "pages[-1]"), finish("done", hypothesis="the last is at -1"))
    with ModelServer([mend]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "Iterations: 1" in done.line
    tests = next(layer for layer in workspace.saved()["gate"]["layers"] if layer["name"] == "test")
    assert [(one["project"], one["exit_code"]) for one in tests["evidence"]] == [(name, 0) for name in NAMES]
    (record,) = workspace.records()
    failing = ["test: jobs/test_jobs.py test_jobs.py::test_last"]
    assert (record["productive"], record["verification_before"]["failing"]) == (True, failing)


@pytest.mark.skipif(processors() < 2, reason="one processor runs one command at a time")
def test_projects_that_cannot_stand_each_other_are_no_code_to_repair_and_the_way_out_is_named(
    workspace: Workspace,
) -> None:
    files = {f"{name}/pyproject.toml": PYTEST for name in NAMES[:2]}
    files |= {f"{name}/test_port.py": COMPANY for name in NAMES[:2]}
    workspace.commit(files)
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
        assert server.requests == [], "money was spent on a collision"
    assert done.code == 4, done.stdout + done.stderr
    assert "parallel: 1" in done.line
    workspace.commit({".fixloop.yml": "parallel: 1\n"})
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
