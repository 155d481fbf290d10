"""A repository with a Python service and a TypeScript front end: what the branch touches is looked at first."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.workspace import PYTEST, Workspace, git
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.toolchain import put_node_modules

PAGES = '"""Pages."""\n\n\ndef last(pages: list[int]) -> int:\n    """Return the last page."""\n    return pages[-2]\n'
TESTS = "from pages import last\n\n\ndef test_last() -> None:\n    assert last([1, 2]) == 2\n"
MENDED = PAGES.replace("[-2]", "[-1]")
MONOREPO: Mapping[str, str] = {
    ".gitignore": "node_modules\n",
    "README.md": "# Shop\n",
    "services/api/pyproject.toml": PYTEST,
    "services/api/pages.py": MENDED,
    "services/api/test_pages.py": TESTS,
    "web/package.json": '{"name": "web", "private": true}\n',
    "web/tsconfig.json": '{"compilerOptions": {"strict": true, "types": []}, "include": ["src"]}\n',
    "web/src/total.ts": "export const total = (items: number[]): number => items.length;\n",
}
API, WEB = "services/api", "web"


def branched(workspace: Workspace, main: Mapping[str, str], branch: Mapping[str, str]) -> str:
    """Return the head of a branch that changes these files, in a repository that knows its upstream default branch."""
    base = workspace.commit(main)
    put_node_modules(workspace.root / "web", "typescript")
    git(workspace.root, "update-ref", "refs/remotes/origin/main", base)
    git(workspace.root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git(workspace.root, "checkout", "--quiet", "-b", "topic")
    return workspace.commit(branch)


def commands(validation: Mapping[str, object]) -> set[str]:
    """Return the projects in which a validation ran something."""
    layers = validation["layers"]
    assert isinstance(layers, list)
    return {evidence["project"] for layer in layers for evidence in layer["evidence"]}


@pytest.fixture
def repaired() -> ModelServer:
    done = finish("done", hypothesis="the last page is at -1", repair_action="counted from the end")
    return ModelServer([turn(edit(f"{API}/pages.py", "pages[-2]", "pages[-1]"), done)])


def test_the_touched_project_is_looked_at_first_and_everything_at_the_gate(
    workspace: Workspace, repaired: ModelServer
) -> None:
    branched(workspace, MONOREPO, {f"{API}/pages.py": PAGES})
    with repaired as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    saved = workspace.saved()
    assert commands(saved["validation"]) == {API}
    assert commands(saved["gate"]) == {API, WEB}


def test_a_green_look_at_the_touched_project_is_no_proof(workspace: Workspace) -> None:
    branched(workspace, MONOREPO, {f"{API}/pages.py": MENDED + "\n"})
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "Iterations: 0" in done.line
    assert commands(workspace.saved()["gate"]) == {API, WEB}


def test_the_gate_catches_a_break_in_a_project_that_nobody_touched(
    workspace: Workspace, repaired: ModelServer, tmp_path: Path
) -> None:
    broken = {**MONOREPO, "web/src/total.ts": "export const total: number = 'none';\n"}
    branched(workspace, broken, {f"{API}/pages.py": PAGES})
    with repaired as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 4, done.stdout + done.stderr
    assert "compile" in done.line
    saved = workspace.saved()
    assert saved["strict"] is True
    assert saved["end"]["terminal"] != "Succeeded"


def test_a_change_outside_of_every_project_is_looked_at_everywhere(workspace: Workspace) -> None:
    branched(workspace, MONOREPO, {"README.md": "# Shop, open\n"})
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    saved = workspace.saved()
    assert commands(saved["gate"]) == {API, WEB}
    assert saved["validation"] == saved["gate"], "one look at everything is proof enough"


def test_what_was_broken_in_another_project_takes_no_repair_back(workspace: Workspace, repaired: ModelServer) -> None:
    broken = {**MONOREPO, "web/src/total.ts": "export const total: number = 'none';\n"}
    start = branched(workspace, broken, {f"{API}/pages.py": PAGES})
    with repaired as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 4, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]


def test_tests_of_a_project_that_nobody_touched_may_not_start_to_be_skipped(workspace: Workspace) -> None:
    guarded = "import pathlib, pytest\n\nHERE = pathlib.Path(__file__).parents[2] / 'services/api/pages.py'\n\n\n"
    guarded += "def test_used() -> None:\n    if 'pages[-1]' in HERE.read_text():\n        pytest.skip()\n\n\n"
    guarded += "def test_there() -> None:\n    assert HERE.exists()\n"
    other = {"tools/pyproject.toml": PYTEST, "tools/use/test_use.py": guarded}
    start = branched(workspace, {**MONOREPO, **other}, {f"{API}/pages.py": PAGES})
    done = finish("done", hypothesis="the last page is at -1", repair_action="counted from the end")
    with ModelServer([turn(edit(f"{API}/pages.py", "pages[-2]", "pages[-1]"), done)]) as server:
        workspace.with_model(server.url)
        ended = workspace.run("--max-retries", "1")
    assert ended.code == 4, ended.stdout + ended.stderr
    assert workspace.terminal()["state"] == "FailedSafety"
    assert workspace.head == start
