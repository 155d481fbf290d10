"""The other commands, as a user runs them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.workspace import OFF_BY_ONE, THREE_BROKEN, Finished, Workspace, finished, git

FIXLOOP = [sys.executable, "-m", "fixloop_bot"]


def validate(workspace: Workspace, *more: str) -> tuple[int, dict[str, Any]]:
    command = [*FIXLOOP, "validate", "--project-root", str(workspace.root), *more]
    done = finished(command, env=workspace.environment())
    return done.code, json.loads(done.stdout)


def test_validate_is_gated_and_prints_one_object(workspace: Workspace) -> None:
    workspace.commit(THREE_BROKEN)
    code, printed = validate(workspace)
    assert code == 1
    assert (printed["project_type"], printed["overall_status"]) == ("python", "fail")
    (compile_layer,) = printed["layers"]
    assert (compile_layer["name"], compile_layer["status"], compile_layer["error_count"]) == ("compile", "fail", 1)
    (found,) = compile_layer["diagnostics"]
    assert (found["path"], found["line"], found["kind"]) == ("app/names.py", 4, "syntax-error")
    assert compile_layer["exit_code"] == 1
    assert compile_layer["command"]


@pytest.mark.parametrize(
    ("arguments", "layers"),
    [
        (("--layer", "test"), ["test"]),
        (("--from", "lint"), ["lint", "test"]),
        (("--layer", "all"), ["compile", "lint", "test"]),
    ],
)
def test_validate_runs_what_it_is_asked_to(workspace: Workspace, arguments: tuple[str, ...], layers: list[str]) -> None:
    workspace.commit(OFF_BY_ONE)
    code, printed = validate(workspace, *arguments)
    assert [layer["name"] for layer in printed["layers"]] == layers
    assert (code, printed["layers"][-1]["status"]) == (1, "fail")


def test_validate_of_nothing_is_skip_and_of_no_folder_bad_usage(workspace: Workspace) -> None:
    workspace.root.mkdir()
    code, printed = validate(workspace)
    assert (code, printed["overall_status"]) == (3, "skip")
    assert all(layer["reason"] for layer in printed["layers"])
    done = finished([*FIXLOOP, "validate", "--project-root", "/no/such"], env=workspace.environment())
    assert (done.code, done.stdout) == (2, "")


def test_baselines_are_recorded_only_where_the_visual_layer_is_asked_for(workspace: Workspace) -> None:
    workspace.root.mkdir()
    command = [*FIXLOOP, "validate", "--project-root", str(workspace.root), "--update-baselines"]
    done = finished(command, env=workspace.environment())
    assert (done.code, done.stdout) == (2, "")
    assert "--layer visual" in done.stderr


def test_a_missing_tool_is_an_error_with_its_name(workspace: Workspace) -> None:
    workspace.commit({**OFF_BY_ONE, ".fixloop.yml": "layers: {lint: no-such-linter}\n"})
    code, printed = validate(workspace, "--layer", "lint")
    assert (code, printed["overall_status"]) == (2, "error")
    assert "no-such-linter" in printed["layers"][0]["reason"]


def diagnose(workspace: Workspace, text: str, *more: str) -> dict[str, Any]:
    command = [*FIXLOOP, "diagnose", "--layer", "test", "--project-root", str(workspace.root), *more]
    done = finished(command, env=workspace.environment(), stdin=text)
    assert done.code == 0, done.stderr
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def run_pytest(root: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def test_the_same_failure_has_the_same_hash_in_another_folder_and_with_lines_above(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    first = diagnose(workspace, run_pytest(workspace.root), "--command", "pytest", "--cwd", str(workspace.root))
    elsewhere = Workspace(workspace.folder / "elsewhere")
    shutil.copytree(workspace.root, elsewhere.root)
    source = elsewhere.root / "app/pages.py"
    source.write_text("# a comment\n\n" + source.read_text())
    second = diagnose(elsewhere, run_pytest(elsewhere.root), "--command", "pytest", "--cwd", str(elsewhere.root))
    assert first["error_hash"] == second["error_hash"]
    assert (first["error_count"], first["failure_mode"]) == (1, "deterministic-fail")
    assert "app/pages.py" in first["affected_files"] or "tests/test_pages.py" in first["affected_files"]
    assert "assert 2 == 3" in first["excerpt"]


def test_the_demo_repairs_three_layers_and_names_the_scripted_agent(tmp_path: Path) -> None:
    kept = tmp_path / "kept here"
    environment = Workspace(tmp_path).environment()
    done: Finished = finished([*FIXLOOP, "demo", "--keep", str(kept)], env=environment)
    assert done.code == 0, done.stderr
    assert done.stdout.startswith("DONE: All validation layers passed. Iterations: 3.")
    assert "SCRIPTED agent" in done.stderr
    assert git(kept / "shop", "log", "--format=%s").splitlines() == [
        "fix-loop: test clean (iteration 3)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: compile clean (iteration 1)",
        "Add the catalogue",
    ]
    assert (kept / "state" / "RUNLOG.md").read_text().count("productive") == 3


def test_the_version_is_the_package_s() -> None:
    done = subprocess.run([*FIXLOOP, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fixloop 0.")


def test_a_failure_before_the_answer_still_answers_in_the_form_that_was_asked_for(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    workspace.state.write_text("a file where the state folder should be")
    line = workspace.run()
    assert (line.code, line.line[:9]) == (4, "BLOCKED: ")
    told = workspace.run("--json")
    assert json.loads(told.stdout)["status"] == "BLOCKED"


def test_words_that_the_terminal_cannot_spell_are_no_fault(workspace: Workspace) -> None:
    workspace.commit({"README.md": "hello\n", ".fixloop.yml": "layers: {test: 'echo größer ✗; exit 1'}\n"})
    workspace.env |= {"PYTHONIOENCODING": "ascii", "FIXLOOP_STORY_ID": "größer"}
    done = workspace.run("--max-cost-usd", "0")
    assert done.code == 4, done.stderr
    assert done.line.startswith("BLOCKED: ")
