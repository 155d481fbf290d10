"""The monorepo's story with a Go tool as its third project."""

import pytest

from tests.e2e.test_monorepo import API, MENDED, MONOREPO, WEB, branched, commands
from tests.e2e.workspace import Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.system.toolchains import install

TOOL = "tools/gen"
THREE = {
    **MONOREPO,
    f"{TOOL}/go.mod": "module example.com/gen\n\ngo 1.19\n",
    f"{TOOL}/main.go": "package main\n\nfunc main() { println(Double(2)) }\n\n"
    "// Double doubles.\nfunc Double(n int) int { return 2 * n }\n",
    f"{TOOL}/main_test.go": 'package main\n\nimport "testing"\n\n'
    'func TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Error("not double")\n\t}\n}\n',
}
BROKEN = THREE[f"{TOOL}/main.go"].replace("2 * n", "3 * n")


@pytest.fixture(autouse=True)
def go() -> None:
    install({"go": "golang-go", "gofmt": "golang-go"})


def test_a_go_tool_alone_is_looked_at_until_the_gate(workspace: Workspace) -> None:
    branched(workspace, THREE, {f"{TOOL}/main.go": BROKEN})
    done = finish("done", hypothesis="it triples", repair_action="doubled")
    with ModelServer([turn(edit(f"{TOOL}/main.go", "3 * n", "2 * n"), done)]) as server:
        workspace.with_model(server.url)
        finished = workspace.run()
    assert finished.code == 0, finished.stdout + finished.stderr
    saved = workspace.saved()
    assert commands(saved["validation"]) == {TOOL}
    assert commands(saved["gate"]) == {API, TOOL, WEB}


def test_the_gate_catches_the_go_tool_that_the_branch_did_not_touch(workspace: Workspace) -> None:
    branched(workspace, THREE | {f"{TOOL}/main.go": BROKEN}, {f"{API}/pages.py": MENDED + "\n"})
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        finished = workspace.run("--max-cost-usd", "0")
    assert finished.code == 4, finished.stdout + finished.stderr
    saved = workspace.saved()
    assert saved["strict"] is True
    assert commands(saved["validation"]) == {API, TOOL, WEB}
