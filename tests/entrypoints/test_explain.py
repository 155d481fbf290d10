"""`fixloop validate --explain`, as the real command."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.workspace import Finished, Workspace, finished

BROKEN_IF_RUN = {
    "pyproject.toml": "[tool.ruff]\n[project]\nname = 'shop'\n",
    "shop.py": "x = 1\n",
    "test_shop.py": "import pathlib\n\npathlib.Path('was-run').write_text('')\n\n\ndef test_x(): pass\n",
    "Makefile": "test:\n\ttouch was-run\n",
    ".github/workflows/ci.yml": "jobs: {j: {steps: [{run: tox -e lint}]}}\n",
}


def explained(workspace: Workspace, *more: str) -> Finished:
    command = [
        sys.executable,
        "-m",
        "fixloop_bot",
        "validate",
        "--project-root",
        str(workspace.root),
        "--explain",
        *more,
    ]
    return finished(command, env=workspace.environment())


def test_a_person_sees_what_would_run_and_nothing_runs(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "a place")
    workspace.commit(BROKEN_IF_RUN)
    done = explained(workspace)
    assert done.code == 0, done.stderr
    assert "  1. ruff check .\n     because: pyproject.toml [tool.ruff]; at most 600 s\n" in done.stdout
    assert "Makefile test: other commands are known to run this layer" in done.stdout
    assert "lint: tox -e lint (.github/workflows/ci.yml, job j)" in done.stdout
    assert ".venv/bin/pip install -e ." in done.stdout
    assert workspace.status == ""
    assert not (workspace.root / "was-run").exists()


def test_a_program_reads_it_as_json(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.commit(BROKEN_IF_RUN | {".fixloop.yml": "layers: {test: make test}\n"})
    done = explained(workspace, "--json", "--layer", "test")
    (layer,) = json.loads(done.stdout)["layers"]
    assert [check["command"] for check in layer["checks"]] == ["make test"]
    assert [check["source"] for check in layer["checks"]] == [".fixloop.yml layers.test"]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        pytest.param({"README.md": ""}, 3, id="nothing would run"),
        pytest.param({".fixloop.yml": "layerz: 1\n"}, 2, id="a configuration that cannot be used"),
    ],
)
def test_the_exit_code_says_whether_anything_would_run(tmp_path: Path, files: dict[str, str], code: int) -> None:
    workspace = Workspace(tmp_path)
    workspace.commit(files)
    assert explained(workspace).code == code
