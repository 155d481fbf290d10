"""A run is killed, and the person goes on working there: what is theirs stays theirs."""

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.moments import run_until
from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace, git
from tests.fakes.model_server import ModelServer, edit, finish, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
LIGHT = {"check.sh": "exit 0\n", ".fixloop.yml": "layers: {test: sh check.sh}\n"}
"""A repository whose one check passes at once."""


def killed(workspace: Workspace, moment: str, *more: str) -> None:
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        assert run_until(workspace, moment, *more).code == -signal.SIGKILL


def refs(workspace: Workspace) -> str:
    return git(workspace.root, "for-each-ref", "refs/fixloop")


def breadcrumb(workspace: Workspace) -> Path:
    return workspace.root / ".git/fixloop.run"


def test_what_the_person_made_after_the_kill_stays(workspace: Workspace) -> None:
    workspace.commit({**OFF_BY_ONE, ".gitignore": "*.local\n"})
    killed(workspace, "app.repair:verify:before")
    made = ("app/new_feature.py", "drafts/a/notes.txt", "drafts/settings.local")
    for name in made:
        path = workspace.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("DAY_OF_WORK = 1\n")
    config = workspace.root / "pyproject.toml"
    config.write_text(config.read_text() + "# my edit\n")
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert all((workspace.root / name).read_text() == "DAY_OF_WORK = 1\n" for name in made)
    assert workspace.status == "?? app/new_feature.py\n?? drafts/"
    patches = [path for path in workspace.state.glob("salvage/*/change.patch") if "my edit" in path.read_text()]
    assert len(patches) == 1
    assert f"salvage/{patches[0].parent.name}/change.patch" in done.stderr
    assert str(workspace.state) in done.stderr
    git(workspace.root, "apply", "--3way", str(patches[0]))
    assert "# my edit" in config.read_text()


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("adapters.git.worktree:GitWorktree.stash:before", id="not yet kept"),
        pytest.param("adapters.git.stash:keep:after", id="kept, and still in the worktree"),
        pytest.param("adapters.git.worktree:GitWorktree.stash:after", id="kept, the worktree clean"),
        pytest.param("app.close:give_back:before", id="about to be given back"),
        pytest.param("adapters.git.worktree:GitWorktree.unstash:after", id="given back, not yet written down"),
        pytest.param("adapters.records:_write_first:before", id="given back, the end not yet written"),
    ],
)
def test_uncommitted_changes_come_back_whenever_the_run_is_killed(workspace: Workspace, moment: str) -> None:
    workspace.commit({**LIGHT, "mine.txt": "old\n", "staged.txt": "old\n"})
    (workspace.root / "mine.txt").write_text("my work\n")
    (workspace.root / "staged.txt").write_text("my work\n")
    git(workspace.root, "add", "staged.txt")
    before = workspace.status
    killed(workspace, moment, "--allow-dirty")
    done = workspace.run("--allow-dirty")
    assert done.code == 0, done.stdout + done.stderr
    assert (workspace.root / "mine.txt").read_text() == "my work\n"
    assert (workspace.status, refs(workspace)) == (before, "")
    assert not breadcrumb(workspace).exists()


def test_without_leave_the_changes_of_a_killed_run_are_back_and_named(workspace: Workspace) -> None:
    workspace.commit({**LIGHT, "mine.txt": "old\n"})
    (workspace.root / "mine.txt").write_text("my work\n")
    killed(workspace, "app.repair:detect:before", "--allow-dirty")
    workspace.commit({"theirs.txt": "another head\n"})
    assert (workspace.root / "mine.txt").read_text() == "old\n"
    done = workspace.run()
    assert done.code == 4
    assert "uncommitted changes (mine.txt)" in done.line
    assert (workspace.root / "mine.txt").read_text() == "my work\n"
    assert refs(workspace) == ""


@pytest.mark.parametrize(
    ("moment", "happens", "code"),
    [
        pytest.param("adapters.git.worktree:GitWorktree.stash:after", "SIGTERM", 130, id="stopped at the start"),
        pytest.param("adapters.git.worktree:GitWorktree.stash:before", "SIGTERM", 130, id="stopped before it"),
        pytest.param("app.repair:detect:before", "FAULT", 1, id="a fault of its own"),
    ],
)
def test_whatever_is_raised_the_changes_are_back_at_once(
    workspace: Workspace, moment: str, happens: str, code: int
) -> None:
    workspace.commit({**LIGHT, "mine.txt": "old\n"})
    (workspace.root / "mine.txt").write_text("my work\n")
    done = run_until(workspace, moment, "--allow-dirty", happens=happens)
    assert done.code == code, done.stderr
    assert (workspace.root / "mine.txt").read_text() == "my work\n"
    assert (workspace.status, refs(workspace)) == ("M mine.txt", "")


def test_a_commit_that_the_person_amended_stands(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    killed(workspace, "app.repair:verify:before")
    pages = workspace.root / "app/pages.py"
    pages.write_text(pages.read_text() + "\n\nPERSON = 1\n")
    git(workspace.root, "commit", "-qa", "--amend", "--no-edit")
    mine = workspace.head
    done = workspace.run()
    assert (done.code, workspace.head) == (0, mine), done.stderr
    assert "PERSON = 1" in pages.read_text()


def test_killed_right_after_its_commit_the_run_knows_it_and_pays_nothing_again(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    killed(workspace, "adapters.git.shadow:Shadow.move_head:after")
    assert workspace.subjects(start) == ["fix-loop: test fix (iteration 1)"]
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, server.requests) == (0, []), done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]
    assert len(list(workspace.state.glob("runs/*"))) == 1


def test_a_run_that_ended_is_not_ended_again(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    wrong = turn(edit("app/pages.py", FAULTY_LINE, "    return pages[0]\n"), finish("done"))
    with ModelServer([wrong]) as server:
        workspace.with_model(server.url)
        done = run_until(workspace, "adapters.records:_write_first:after", "--max-retries", "1")
    assert done.code == -signal.SIGKILL
    first = workspace.terminal()
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    rows = workspace.rows("select run_id, terminal_state from runs order by started_at")
    assert rows[0]["run_id"] == first["run_id"]
    assert [row["terminal_state"] for row in rows] == [first["state"], "Succeeded"]


def test_another_state_folder_is_sent_to_the_unfinished_run(workspace: Workspace) -> None:
    workspace.commit(LIGHT)
    mine = workspace.root / "mine.txt"
    mine.write_text("mine\n")
    killed(workspace, "adapters.git.worktree:GitWorktree.set_aside:after")
    assert not mine.exists()
    elsewhere = workspace.folder / "elsewhere"
    refused = workspace.run("--state-dir", str(elsewhere))
    assert refused.code == 4
    assert f"--state-dir {workspace.state}" in refused.line
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert mine.read_text() == "mine\n"
    assert workspace.run("--state-dir", str(elsewhere)).code == 0


def test_a_question_without_an_answer_is_superseded(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    asks = turn(finish("need_decision", question="Q?", option_a="a", option_b="b"))
    for _ in range(2):
        with ModelServer([asks]) as server:
            workspace.with_model(server.url)
            assert workspace.run().code == 3
    assert workspace.terminal()["reason"] == "superseded by a new run before an answer came"


@pytest.mark.parametrize("inside", ["state", ".git/fixloop"])
def test_a_state_folder_in_the_worktree_is_bad_usage(workspace: Workspace, inside: str) -> None:
    workspace.commit(LIGHT)
    done = workspace.run("--state-dir", str(workspace.root / inside))
    assert (done.code, done.stdout) == (2, "")
    assert "outside" in done.stderr
    assert not (workspace.root / inside).exists()


@pytest.mark.parametrize("option", ["--worktree-path", "--state-dir"])
def test_an_empty_path_is_bad_usage(workspace: Workspace, option: str) -> None:
    workspace.commit(LIGHT)
    done = workspace.run(option, "")
    assert (done.code, done.stdout) == (2, "")
    assert option in done.stderr


def test_many_files_of_a_person_are_remembered_by_their_folder(workspace: Workspace) -> None:
    workspace.commit(LIGHT)
    for number in range(3000):
        path = workspace.root / f"data/{number % 30}/{number}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1,2\n")
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert json.dumps(workspace.saved()["untracked_at_start"]) == '["data/"]'
    assert sum(1 for _ in (workspace.root / "data").rglob("*.csv")) == 3000


def test_a_state_that_cannot_be_read_is_left_alone_and_a_new_run_ends_well(workspace: Workspace) -> None:
    workspace.commit(LIGHT)
    killed(workspace, "app.repair:detect:before")
    (saved,) = workspace.state.glob("runs/*/state.json")
    saved.write_text("{")
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "cannot be read" in done.stderr
    assert saved.read_text() == "{"


def test_a_large_file_of_a_filter_that_has_to_change_is_said_and_left_as_it_is(workspace: Workspace) -> None:
    workspace.commit(LIGHT)
    git(workspace.root, "config", "filter.lfs.clean", "sed s/BIG/pointer/")
    git(workspace.root, "config", "filter.lfs.smudge", "sed s/pointer/BIG/")
    workspace.commit({".gitattributes": "*.bin filter=lfs\n", "a.bin": "BIG\n"})
    (workspace.root / "a.bin").write_text("BIG and mine\n")
    git(workspace.root, "add", "a.bin")
    done = workspace.run("--allow-dirty")
    assert done.code == 4, done.stderr
    assert "a.bin" in done.line
    assert (workspace.root / "a.bin").read_text() == "BIG and mine\n"
    assert workspace.status == "M  a.bin"
