"""`fixloop diagnose`, as a user runs it."""

import json
from typing import Any

import pytest

from tests.e2e.workspace import OFF_BY_ONE, Workspace, finished
from tests.entrypoints.test_commands import FIXLOOP

KEYS = [
    *("error_hash", "coarse_hash", "tier", "error_count", "failure_mode"),
    *("diagnostics", "affected_files", "excerpt"),
]


def diagnose(workspace: Workspace, text: str, *more: str, layer: str = "test") -> dict[str, Any]:
    command = [*FIXLOOP, "diagnose", "--layer", layer, "--project-root", str(workspace.root), *more]
    done = finished(command, env=workspace.environment(), stdin=text)
    assert done.code == 0, done.stderr
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def refused(workspace: Workspace, *more: str) -> str:
    command = [*FIXLOOP, "diagnose", "--layer", "test", "--project-root", str(workspace.root), *more]
    done = finished(command, env=workspace.environment(), stdin="")
    assert (done.code, done.stdout) == (2, "")
    return done.stderr


def junit(name: str, message: str = "1 is not 2") -> str:
    return (
        f'<testsuite><testcase classname="shop" name="{name}"><failure message="{message}">app/pages.py:3: bad'
        "</failure></testcase></testsuite>"
    )


def test_reports_are_read_from_files_and_from_a_folder_alike(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    folder = workspace.folder / "reports"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.xml").write_text(junit("one"))
    (folder / "deep" / "b.xml").write_text(junit("two"))
    files = ("--report", str(folder / "a.xml"), "--report", str(folder / "deep" / "b.xml"))
    found = diagnose(workspace, "2 failed\n", *files)
    assert found == diagnose(workspace, "2 failed\n", "--report", str(folder))
    assert list(found) == KEYS
    assert (found["tier"], found["error_count"], found["affected_files"]) == ("structured", 2, ["app/pages.py"])
    assert [item["test_id"] for item in found["diagnostics"]] == ["shop one", "shop two"]


@pytest.mark.parametrize(
    ("code", "mode"),
    [
        ("1", "deterministic-fail"),
        ("127", "environmental"),
        ("126", "environmental"),
        ("-9", "environmental"),
        ("137", "environmental"),
        ("-15", "environmental"),
        ("-11", "deterministic-fail"),
    ],
)
def test_an_exit_code_or_a_signal_tells_the_failure_mode(workspace: Workspace, code: str, mode: str) -> None:
    workspace.commit(OFF_BY_ONE)
    assert diagnose(workspace, "", "--exit-code", code)["failure_mode"] == mode


def test_the_folder_that_the_output_speaks_of_is_mapped_onto_the_project(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    text = "{0}/app/pages.py:3:1: something is wrong\nsee {1}/log.txt\n"
    hashes = {
        diagnose(workspace, text.format(cwd, tmp), "--cwd", cwd, "--tmpdir", tmp, layer="lint")["error_hash"]
        for cwd, tmp in (("/srv/ci/a", "/srv/t/1"), ("/home/x/b", "/var/tmp/2"))
    }
    assert len(hashes) == 1
    found = diagnose(workspace, text.format("/srv/ci/a", "/t"), "--cwd", "/srv/ci/a", layer="lint")
    assert found["affected_files"] == ["app/pages.py"]


def test_the_repositorys_own_problem_matchers_count(workspace: Workspace) -> None:
    matcher = {"problemMatcher": [{"owner": "x", "pattern": [{"regexp": "^OWN (.+)=(.+)$", "file": 1, "message": 2}]}]}
    workspace.commit(OFF_BY_ONE | {".fixloop.yml": "problem-matchers: [x.json]\n", "x.json": json.dumps(matcher)})
    (item,) = diagnose(workspace, "OWN app/pages.py=bad\n", layer="lint")["diagnostics"]
    assert (item["path"], item["message"]) == ("app/pages.py", "bad")


def test_bad_usage_says_what_is_wrong(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE | {".fixloop.yml": "version: 1\nproblem-matchers: [gone.json]\n"})
    assert ".fixloop.yml:2: `problem-matchers[0]`: gone.json does not exist" in refused(workspace)
    workspace.commit({".fixloop.yml": "version: 1\n"})
    assert "--report: /no/such.xml cannot be read" in refused(workspace, "--report", "/no/such.xml")
