"""`fixloop run` on real Python repositories, against a model server on loopback."""

import json
from pathlib import Path

import jsonschema
import pytest

from fixloop_bot.adapters.prices import PriceBook
from fixloop_bot.model.agent import AssistantTurn, ModelAlias, Usage
from tests.e2e.workspace import FAULTY_LINE, KEY, OFF_BY_ONE, RIGHT_LINE, THREE_BROKEN, Workspace, finished, git
from tests.fakes.model_server import ModelServer, edit, finish, say, turn

USAGE = Usage(input_tokens=1200, output_tokens=80, cache_read_tokens=0, cache_write_tokens=0)
SCHEMAS = Path(__file__).parents[2] / "docs"


def repaired(path: str = "app/pages.py", old: str = FAULTY_LINE, new: str = RIGHT_LINE) -> AssistantTurn:
    return turn(edit(path, old, new), finish("done", hypothesis="off by one", repair_action="use the last index"))


def test_an_off_by_one_is_repaired_in_one_call_and_one_commit(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer([repaired()], usage=USAGE) as server:
        workspace.with_model(server.url)
        done = workspace.run("--story-id", "S-1")
    assert done.code == 0, done.stderr
    cost = PriceBook({}).price("claude-sonnet-5-5", USAGE, ModelAlias.SONNET)
    assert cost is not None
    assert done.line == (
        f"DONE: All validation layers passed. Iterations: 1. Commits: {workspace.head}. Model: sonnet. "
        f"Cost: ${cost:.2f}."
    )
    assert len(server.requests) == 1
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "app/pages.py"
    assert workspace.status == ""
    body = git(workspace.root, "log", "-1", "--format=%B")
    assert "Fixloop-Layer: test" in body
    assert "Fixloop-Iteration: 1" in body
    (row,) = workspace.rows("select * from fix_iterations")
    assert row["cost_usd"] == pytest.approx(cost)
    assert (row["story_id"], row["outcome"], row["failing_layer"]) == ("S-1", "done", "test")
    (record,) = workspace.records()
    jsonschema.validate(record, json.loads((SCHEMAS / "repair-record.schema.json").read_text()))
    assert record["productive"] is True
    terminal = workspace.terminal()
    jsonschema.validate(terminal, json.loads((SCHEMAS / "terminal.schema.json").read_text()))
    assert terminal["state"] == "Succeeded"
    assert any("exit 0" in line for line in terminal["evidence"])


def test_three_broken_layers_become_three_commits_each_green_at_its_own_layer(workspace: Workspace) -> None:
    start = workspace.commit(THREE_BROKEN)
    replies = [
        repaired("app/names.py", "last: str) -> str\n", "last: str) -> str:\n"),
        repaired("app/counts.py", "    except:\n", "    except ValueError:\n"),
        repaired(),
    ]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "5")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: test clean (iteration 3)",
    ]
    for commit, layer in zip(
        git(workspace.root, "rev-list", "--reverse", f"{start}..HEAD").split(), "clt", strict=True
    ):
        git(workspace.root, "checkout", "--quiet", "--detach", commit)
        name = {"c": "compile", "l": "lint", "t": "test"}[layer]
        assert validated(workspace, name) == 0, f"{name} at {commit}"


def validated(workspace: Workspace, layer: str) -> int:
    command = [*workspace.arguments()[:3], "validate", "--project-root", str(workspace.root), "--layer", layer]
    return finished(command, env=workspace.environment()).code


def test_a_model_that_says_done_and_edits_nothing_is_not_believed(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    lie = turn(finish("done", hypothesis="it is fixed", repair_action="fixed it"))
    with ModelServer([lie, lie, lie]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4
    assert done.line.startswith("BLOCKED: Fix-loop exhausted after 3 iterations. Breaker: max-retries. ")
    assert "Last failing layer: test." in done.line
    assert workspace.head == start
    assert workspace.status == ""
    assert [record["productive"] for record in workspace.records()] == [False, False, False]
    assert workspace.terminal()["state"] == "FailedBudget"


def test_a_model_that_makes_it_worse_is_rolled_back_salvaged_and_escalated(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    worse = repaired(new="    return str(pages[0])\n")
    with ModelServer([worse, repaired()]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "Model: opus." in done.line
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 2)"]
    first, second = workspace.records()
    assert (first["verdict"], first["productive"], first["commit"]) == ("regression", False, None)
    assert (second["model"], second["productive"]) == ("opus", True)
    patch = (workspace.state / "salvage" / first["salvage"] / "change.patch").read_text()
    assert "+    return str(pages[0])" in patch
    assert server.requests[0].body["model"] != server.requests[1].body["model"]


def test_one_retry_is_exactly_one_attempt(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    with ModelServer([turn(finish("done"))] * 3) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert (done.code, len(server.requests)) == (4, 1)
    assert "exhausted after 1 iterations" in done.line


def test_a_tiny_budget_makes_no_call(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    with ModelServer([repaired()]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-cost-usd", "0.0001")
    assert (done.code, server.requests) == (4, [])
    assert "Breaker: budget." in done.line
    assert workspace.terminal()["state"] == "FailedBudget"


def test_skip_compile_still_runs_lint_and_tests_and_the_gate_runs_everything(workspace: Workspace) -> None:
    # mypy is asked for, so the compile layer fails where lint and test see nothing
    typed = {
        **OFF_BY_ONE,
        "app/names.py": '"""Names."""\n\n\ndef length(name: str) -> int:\n    """Return it."""\n    return name\n',
        "pyproject.toml": OFF_BY_ONE["pyproject.toml"] + '\n[tool.mypy]\nfiles = ["app"]\n\n[tool.ruff]\n',
    }
    start = workspace.commit(typed)
    replies = [repaired(), repaired("app/names.py", "    return name\n", "    return len(name)\n")]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run("--skip-compile", "--max-retries", "5")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: test clean (iteration 1)",
        "fix-loop: compile clean (iteration 2)",
    ]
    first_look = done.stderr.split("attempt 1", 1)[0]
    assert "compile" not in first_look
    assert "lint: pass" in first_look
    assert [record["layer"] for record in workspace.records()] == ["test", "compile"]


def test_a_green_repository_is_done_without_a_call_or_the_sdk(workspace: Workspace) -> None:
    files = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
    start = workspace.commit(files)
    workspace.env["PYTHONPROFILEIMPORTTIME"] = "1"
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stderr
    assert done.line == ("DONE: All validation layers passed. Iterations: 0. Commits: none. Model: N/A. Cost: $0.00.")
    assert server.requests == []
    assert workspace.head == start
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "fixloop_bot.app.repair" in imported
    assert not {"anthropic", "genai_prices", "httpx", "httpx2"} & imported


def test_the_key_is_in_nothing_that_the_run_leaves(workspace: Workspace) -> None:
    spy = "import os\n\n\ndef test_env() -> None:\n    print(dict(os.environ))\n    assert False\n"
    workspace.commit({**OFF_BY_ONE, "tests/test_env.py": spy})
    with ModelServer([say("I will not use a tool")] * 9) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 4
    for path in workspace.state.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in done.stdout + done.stderr
    assert all(KEY not in request.text for request in server.requests)
