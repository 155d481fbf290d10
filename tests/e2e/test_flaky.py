"""Failures that come and go, and failures that were there before: looked at before any money is spent."""

import sys

from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn

COUNTS = """\
import pathlib

COUNT = pathlib.Path(__file__).with_name("count.txt")


def test_now_and_then() -> None:
    seen = int(COUNT.read_text()) if COUNT.exists() else 0
    COUNT.write_text(str(seen + 1))
    assert seen % 2
"""
"""Fails in the first, third, fifth run of one tree."""
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
FLAKY = {"tests/test_times.py": COUNTS, ".gitignore": "count.txt\n__pycache__\n"}


def test_a_flaky_test_costs_nothing_and_is_never_called_fixed(workspace: Workspace) -> None:
    start = workspace.commit({**GREEN, **FLAKY})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout + done.stderr
    assert "Breaker: flaky" in done.line
    assert "test_now_and_then failed in 3 of 5 runs on the same tree" in done.line
    assert server.requests == []
    assert workspace.head == start
    assert workspace.terminal()["state"] == "FailedUnverifiable"


PLANTS = """\
import pathlib
import py_compile


def test_last_of_all(tmp_path) -> None:
    pages = pathlib.Path(__file__).parents[1] / "app" / "pages.py"
    right = tmp_path / "pages.py"
    right.write_text(pages.read_text().replace("len(pages) - 2", "len(pages) - 1"))
    kept = pages.parent / "__pycache__" / "pages.cpython-VERSION.pyc"
    py_compile.compile(str(right), str(kept), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
"""


def test_compiled_code_that_an_earlier_run_left_is_not_believed(workspace: Workspace) -> None:
    plants = PLANTS.replace("VERSION", f"{sys.version_info.major}{sys.version_info.minor}")
    workspace.commit({**OFF_BY_ONE, "tests/test_zz.py": plants, ".gitignore": "__pycache__\n"})
    repair = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
    with ModelServer([repair]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "Iterations: 1." in done.line
    assert [record["failure_mode"] for record in workspace.records()] == ["deterministic-fail"]


def test_beside_a_flaky_test_the_steady_failure_is_repaired_but_nothing_is_proven(workspace: Workspace) -> None:
    start = workspace.commit({**OFF_BY_ONE, **FLAKY})
    repair = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
    with ModelServer([repair]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout + done.stderr
    assert "Breaker: flaky" in done.line
    assert workspace.terminal()["state"] == "FailedUnverifiable"
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"], "the steady failure is repaired"


def test_what_fails_on_the_merge_base_too_is_told(hub: Hub) -> None:
    hub.shop.commit("main", dict(BREAK), author="pat")
    pull = hub.break_it(files={"notes.md": "mine\n"})
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    report = hub.report(pull)
    assert "fails on the merge base too" in report, report
    assert "test_last" in report
