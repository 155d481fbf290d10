"""A recorded DONE, checked again by whoever doubts it: it holds, it does not, or it cannot be told."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Finished, Workspace, finished, git
from tests.fakes.model_server import ModelServer, edit, finish, turn

Record = dict[str, Any]
REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
DEPENDENT = {
    **OFF_BY_ONE,
    ".fixloop.yml": "setup: ['echo set up > ready']\nlayers:\n  compile: 'test -f ready'\n",
    ".gitignore": "ready\n__pycache__/\n.pytest_cache/\n",
}
"""Its compile layer passes only where `setup` has run."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A repository that one run has repaired, with the person's own commit on top and a change under way."""
    workspace = Workspace(tmp_path_factory.mktemp("a shop"))
    workspace.commit(DEPENDENT)
    with ModelServer([REPAIR]) as model:
        workspace.with_model(model.url)
        done = workspace.run()
    assert done.code == 0, done.stderr
    workspace.commit({"notes.txt": "mine\n"}, "the person goes on")
    (workspace.root / "app/pages.py").write_text("under way\n")
    return workspace


def verify(shop: Workspace, record: object, *more: str) -> Finished:
    command = [sys.executable, "-m", "fixloop_bot", "verify", str(record), "--worktree-path", str(shop.root)]
    return finished([*command, "--state-dir", str(shop.state), *more], env=shop.environment())


def findings(shop: Workspace) -> list[Record]:
    """Return what was written down of the run's DONE."""
    path = shop.state / "runs" / shop.terminal()["run_id"] / "verifications.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def forged(shop: Workspace, change: Callable[[Record], object]) -> Path:
    """Write a changed copy of the terminal record."""
    record = shop.terminal()
    change(record)
    path = shop.folder / "forged.json"
    path.write_text(json.dumps(record))
    return path


def with_lines(change: Callable[[str], str | None]) -> Callable[[Record], object]:
    """Return a forgery that changes the evidence's lines; None leaves one out."""

    def forge(record: Record) -> None:
        record["evidence"] = [line for old in record["evidence"] if (line := change(old)) is not None]

    return forge


def test_the_gate_s_evidence_stands_in_every_record(shop: Workspace) -> None:
    evidence, start = shop.terminal()["evidence"], git(shop.root, "rev-parse", "HEAD~2")
    assert evidence[:3] == [
        f"commit {git(shop.root, 'rev-parse', 'HEAD~1')}",
        f"tree {git(shop.root, 'rev-parse', 'HEAD~1^{tree}')}",
        f"protected files as on {start}",
    ]
    assert "test: 2 tests ran, 0 failed, 0 skipped" in evidence
    assert [record["evidence"] for record in shop.records()] == [evidence]


def test_what_was_done_holds_and_the_person_s_worktree_is_not_touched(shop: Workspace) -> None:
    before = (shop.head, shop.status, git(shop.root, "for-each-ref"), git(shop.root, "worktree", "list"))
    by_id = verify(shop, shop.terminal()["run_id"])
    assert by_id.line.startswith("HOLDS: "), by_id
    assert by_id.code == 0
    (noted,) = findings(shop)
    assert (noted["verdict"], noted["commit"], noted["why"]) == ("holds", git(shop.root, "rev-parse", "HEAD~1"), [])
    by_record = verify(shop, next((shop.state / "repair").glob("*.json")), "--json")
    assert by_record.code == 0, by_record.stderr
    told = json.loads(by_record.stdout)
    assert told["verdict"] == "holds"
    assert told["tests"] == {"test": "2 tests ran, 0 failed, 0 skipped"}
    assert {command["exit_code"] for command in told["commands"]} == {0}
    assert (shop.head, shop.status, git(shop.root, "for-each-ref"), git(shop.root, "worktree", "list")) == before


def test_a_forged_record_never_holds_and_runs_nothing_of_its_own(shop: Workspace) -> None:
    mark = shop.folder / "foreign command ran"
    start, top = git(shop.root, "rev-parse", "HEAD~2"), shop.head
    mine = git(shop.root, "rev-parse", "HEAD~1")
    foreign = f"test: [.] touch '{mark}' -> exit 0, output sha256 {'0' * 64}"
    cases: dict[str, tuple[Callable[[Record], object], int, str]] = {
        "a foreign command more": (
            lambda record: record["evidence"].append(foreign), 1, "the commit has no such check: test: [.] touch",
        ),
        "a foreign command in place of the tests": (
            with_lines(lambda line: foreign if line.startswith("test: [") else line), 1, "has no such check",
        ),
        "a command left out": (
            with_lines(lambda line: None if line.startswith("test: [") else line), 1, "the record lacks a check: test",
        ),
        "a masked command": (
            with_lines(lambda line: foreign.replace("touch", "***") if line.startswith("test: [") else line),
            1, "the commit has no such check: test: [.] ***",
        ),
        "a line twice": (lambda record: record["evidence"].append(record["evidence"][0]), 2, "a line twice"),
        "another tree": (
            with_lines(lambda line: f"tree {'a' * 40}" if line.startswith("tree") else line), 1, "recorded aaaa",
        ),
        "the person's broken commit as the repaired one": (
            with_lines(lambda line: line.replace(mine, start)), 1, "the commit's tree is",
        ),
        "the person's later commit as the repaired one": (
            with_lines(lambda line: line.replace(mine, top)), 1, "are not this run's",
        ),
        "another person's head": (
            with_lines(lambda line: line.replace(start, "b" * 40)), 1, "does not come after the person's head",
        ),
        "a commit of nowhere": (
            with_lines(lambda line: line.replace(mine, "c" * 40)), 2, "another repository, or the commit was not",
        ),
        "an option as its commit": (
            with_lines(lambda line: "commit --help" if line.startswith("commit") else line), 2, "names no commit",
        ),
        "two commits": (lambda record: record["evidence"].append(f"commit {top}"), 2, "more than one commit"),
        "a failure called DONE": (with_lines(lambda line: line.replace("exit 0", "exit 1")), 2, "exit 1"),
        "no evidence": (lambda record: record.update(evidence=[]), 2, "no record of a DONE"),
        "a blocked run": (
            lambda record: record.update(state="FailedBudget", status="BLOCKED"), 2, "the run ended as BLOCKED",
        ),
        "another schema": (lambda record: record.update(schema="x/1"), 2, "schema is 'x/1'"),
    }  # fmt: skip
    for name, (change, code, said) in cases.items():
        done = verify(shop, forged(shop, change))
        assert (done.code, said in done.line) == (code, True), (name, done)
        assert not done.line.startswith("HOLDS"), name
    assert not mark.exists()
    assert {found["verdict"] for found in findings(shop)} <= {"holds"}, "a copy elsewhere says nothing of the run"


def test_more_tests_than_there_are_and_a_broken_commit_do_not_hold(shop: Workspace) -> None:
    boasting = verify(shop, forged(shop, with_lines(lambda line: line.replace("2 tests", "3 tests"))))
    assert boasting.code == 1
    assert "test: 2 tests ran, 0 failed, 0 skipped; recorded: 3 tests ran" in boasting.line
    start, mine = git(shop.root, "rev-parse", "HEAD~2"), git(shop.root, "rev-parse", "HEAD~1")
    trees = [git(shop.root, "rev-parse", f"{commit}^{{tree}}") for commit in (mine, start)]
    broken = verify(
        shop, forged(shop, with_lines(lambda line: line.replace(mine, start).replace(trees[0], trees[1]))), "--json"
    )
    told = json.loads(broken.stdout)
    assert (broken.code, told["verdict"]) == (1, "does-not-hold")
    assert any("test: [.]" in why and "exit 1, recorded 0" in why for why in told["why"]), told


@pytest.mark.parametrize(
    ("record", "said"),
    [
        pytest.param("no-such-run", "neither a file nor a run", id="an unknown id"),
        pytest.param("../etc/passwd-of-nobody", "neither a file nor a run", id="a path that is no id"),
        pytest.param("/etc/passwd", "is no record of a DONE: not JSON", id="a file of another kind"),
    ],
)
def test_what_is_no_record_cannot_be_checked(shop: Workspace, record: str, said: str) -> None:
    done = verify(shop, record)
    assert done.code == 2
    assert done.line.startswith("CANNOT BE CHECKED: ")
    assert said in done.line
