"""Whatever is wrong with the input, a run ends in one honest line or a usage error, the worktree no worse."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping

import pytest

from fixloop_bot.model.agent import ToolCall
from tests.e2e.workspace import FAULTY_LINE, KEY, OFF_BY_ONE, RIGHT_LINE, Workspace, git
from tests.fakes.model_script import Scripted
from tests.fakes.model_server import (
    Fault,
    ModelServer,
    create,
    edit,
    finish,
    overloaded,
    say,
    server_error,
    too_many_requests,
    turn,
    unauthorised,
)

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done"))


def test_a_path_that_does_not_exist(workspace: Workspace) -> None:
    done = workspace.run()
    assert done.code == 4
    assert done.line == f"BLOCKED: Worktree does not exist or is not a git repository: {workspace.root}"


def test_a_folder_that_is_no_repository(workspace: Workspace) -> None:
    workspace.root.mkdir()
    done = workspace.run()
    assert (done.code, done.line) == (
        4,
        f"BLOCKED: Worktree does not exist or is not a git repository: {workspace.root}",
    )


def test_a_repository_without_a_commit(workspace: Workspace) -> None:
    workspace.root.mkdir()
    git(workspace.root, "init", "--quiet")
    done = workspace.run()
    assert done.code == 4
    assert "no commit yet" in done.line


def test_a_detached_head_is_repaired_in_place(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    git(workspace.root, "checkout", "--quiet", "--detach")
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]
    assert git(workspace.root, "rev-parse", "main") == start


@pytest.mark.parametrize(
    ("config", "line", "word"),
    [
        pytest.param("version: 1\nrunnner: x\n", 2, "runnner", id="an unknown key"),
        pytest.param("version: 1\nlayers:\n  test: 7\n", 3, "test", id="a wrong type"),
        pytest.param("version: 1\nlayers: [\n", 3, "", id="no YAML"),
        pytest.param("models: {repair: gpt}\n", 1, "repair", id="a model that is none"),
    ],
)
def test_a_broken_configuration_is_a_usage_error_that_names_the_line(
    workspace: Workspace, config: str, line: int, word: str
) -> None:
    start = workspace.commit({**OFF_BY_ONE, ".fixloop.yml": config})
    done = workspace.run()
    assert (done.code, done.stdout) == (2, "")
    assert f".fixloop.yml:{line}" in done.stderr
    assert word in done.stderr
    assert workspace.head == start


@pytest.mark.parametrize(
    ("config", "words"),
    [
        pytest.param("runner: scripts/none.sh\n", "scripts/none.sh", id="a missing runner"),
        pytest.param("layers: {lint: no-such-linter --strict}\n", "no-such-linter", id="a missing tool"),
        pytest.param("layers: {lint: 'true'}\nrequire: [compile, visual]\n", "visual", id="a required layer absent"),
    ],
)
def test_what_is_missing_is_named(workspace: Workspace, config: str, words: str) -> None:
    green = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
    start = workspace.commit({**green, ".fixloop.yml": config})
    done = workspace.run()
    assert done.code == 4, done.stderr
    assert words in done.line
    assert (workspace.head, workspace.status) == (start, "")


def test_a_repository_with_nothing_to_check_is_not_done(workspace: Workspace) -> None:
    workspace.commit({"README.md": "hello\n"})
    done = workspace.run()
    assert done.code == 4
    assert "Breaker: nothing-verified." in done.line
    assert workspace.terminal()["state"] == "FailedUnverifiable"


def test_without_a_key_the_free_fixers_still_work_and_the_line_says_how_to_set_one(workspace: Workspace) -> None:
    unused = '"""Names."""\n\nimport os\n'
    lint = OFF_BY_ONE["pyproject.toml"] + "\n[tool.ruff]\n"
    start = workspace.commit({**OFF_BY_ONE, "app/names.py": unused, "pyproject.toml": lint})
    done = workspace.run()
    assert done.code == 4
    assert "Breaker: provider." in done.line
    assert "ANTHROPIC_API_KEY" in done.line
    assert workspace.subjects(start) == ["fix-loop: lint clean (free)"]
    assert "Iterations" not in done.line
    assert "after 0 iterations" in done.line


@pytest.mark.parametrize(
    ("faults", "seconds", "words"),
    [
        pytest.param([unauthorised()], 60, "ANTHROPIC_API_KEY", id="a refused key"),
        pytest.param([too_many_requests("100000")], 12, "", id="429 with an endless retry-after"),
        pytest.param([overloaded(), Fault(kind="garbage"), server_error()], 12, "", id="529, garbage and 500 for ever"),
        pytest.param([Fault(kind="silence")], 12, "", id="never an answer"),
    ],
)
def test_provider_trouble_is_no_attempt_and_ends_in_time(
    workspace: Workspace, faults: list[Fault], seconds: int, words: str
) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer(faults * 60) as server:
        workspace.with_model(server.url)
        done = workspace.run("--timeout", str(seconds))
    assert done.code == 4
    assert "after 0 iterations" in done.line
    assert "Breaker: provider." in done.line
    assert words in done.line
    assert workspace.terminal()["state"] == "FailedBlocked"
    assert (workspace.head, workspace.status) == (start, "")


REFUSED: Mapping[str, ToolCall] = {
    "old does not occur": edit("app/pages.py", "no such text", "x"),
    "'../outside.py': use a path relative": edit("../outside.py", "a", "b"),
    "'/tmp/planted': use a path relative": create("/tmp/planted", "x"),
    "app/logo.bin is binary": edit("app/logo.bin", "a", "b"),
    "tests/test_pages.py is protected": edit("tests/test_pages.py", "== 3", "== 2"),
    ".github/workflows/x.yml is protected": create(".github/workflows/x.yml", "on: push"),
    "conftest.py is protected": create("conftest.py", "collect_ignore = ['tests']"),
    ".git is out of reach": edit(".git/config", "a", "b"),
}
"""Edits that must not or cannot be made, by what the agent is told of each."""


@pytest.mark.parametrize(
    "replies",
    [
        pytest.param([say("It should work now.")] * 4, id="talks without a tool"),
        pytest.param(
            [turn(edit("tests/test_pages.py", "== 3", "== 2"), finish("done"))] * 4, id="edits the test alone"
        ),
        pytest.param([turn(*REFUSED.values()), turn(finish("done"))], id="tries everything else"),
    ],
)
def test_edits_that_must_not_or_cannot_be_made_change_nothing(workspace: Workspace, replies: list[Scripted]) -> None:
    workspace.commit(OFF_BY_ONE)
    (workspace.root / "app/logo.bin").write_bytes(b"\0\1\2a")
    start = workspace.commit({})
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 4
    assert "Breaker: max-retries." in done.line
    assert "attempt 1: same: " in done.stderr
    assert (workspace.head, workspace.status) == (start, "")
    assert not (workspace.folder / "outside.py").exists()
    if len(replies) == 2:
        answers = server.requests[1].body["messages"][-1]["content"]
        assert all(said in answer["content"] for said, answer in zip(REFUSED, answers, strict=True)), answers
        assert all(answer["is_error"] for answer in answers)


def test_a_file_that_is_not_utf_8_is_repaired_without_harm(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    source = workspace.root / "app/pages.py"
    source.write_bytes("# -*- coding: latin-1 -*-\n# Größe\n".encode("latin-1") + source.read_bytes())
    start = workspace.commit({})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout
    assert source.read_bytes().startswith("# -*- coding: latin-1 -*-\n# Größe\n".encode("latin-1"))
    assert git(workspace.root, "diff", "--shortstat", start) == "1 file changed, 1 insertion(+), 1 deletion(-)"


def test_uncommitted_changes_are_refused_and_with_leave_set_aside_and_put_back(workspace: Workspace) -> None:
    start = workspace.commit({**OFF_BY_ONE, "notes.md": "one\n", "staged.md": "one\n"})
    (workspace.root / "notes.md").write_text("mine\n")
    (workspace.root / "staged.md").write_text("mine too\n")
    git(workspace.root, "add", "staged.md")
    (workspace.root / "untracked.txt").write_text("not tracked\n")
    before = workspace.status
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        refused = workspace.run()
        assert (refused.code, server.requests) == (4, [])
        assert "--allow-dirty" in refused.line
        assert "notes.md" in refused.line
        assert (workspace.status, workspace.head) == (before, start)
        done = workspace.run("--allow-dirty")
    assert done.code == 0, done.stdout
    assert workspace.status == before
    assert (workspace.root / "notes.md").read_text() == "mine\n"
    assert (workspace.root / "untracked.txt").read_text() == "not tracked\n"
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "app/pages.py"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--max-retries", "many"], id="a number that is none"),
        pytest.param(["--max-cost-usd", "-1"], id="negative money"),
        pytest.param(["--timeout", "nan"], id="no time"),
        pytest.param(["--error-context", "@/no/such/file"], id="a context file that is not there"),
        pytest.param(["--no-such-flag"], id="an unknown flag"),
    ],
)
def test_bad_usage(workspace: Workspace, arguments: list[str]) -> None:
    workspace.commit(OFF_BY_ONE)
    done = workspace.run(*arguments)
    assert (done.code, done.stdout) == (2, "")
    assert arguments[0].strip("-") in done.stderr


@pytest.mark.parametrize(
    ("given", "stdin"),
    [
        pytest.param("text", "", id="as text"),
        pytest.param("@file", "", id="from a file"),
        pytest.param("-", "stdin", id="from standard input"),
    ],
)
def test_the_error_context_is_the_first_diagnosis(workspace: Workspace, given: str, stdin: str) -> None:
    workspace.commit(OFF_BY_ONE)
    context = "tests/test_pages.py:5: AssertionError\nFAILED tests/test_pages.py::test_last - assert 2 == 3\n"
    file = workspace.folder / "ci.log"
    file.write_text(context)
    argument = {"text": context, "@file": f"@{file}", "-": "-"}[given]
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--error-context", argument, stdin=context if stdin else "")
    assert done.code == 0, done.stdout + done.stderr
    assert "FAILED tests/test_pages.py::test_last" in server.requests[0].text
    assert "detect:" not in done.stderr


def test_on_a_terminal_there_is_a_live_view(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            workspace.arguments(),
            env=workspace.environment() | {"TERM": "xterm-256color", "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=theirs,
            cwd="/",
        )
        os.close(theirs)
        shown = _all_of(ours)
        out = process.communicate()[0].decode()
    assert (process.returncode, out.count("\n")) == (0, 1)
    assert "\x1b[" in shown
    assert "attempt 1 of 3, test, sonnet, $0.00 so far" in shown


def _all_of(descriptor: int) -> str:
    seen = b""
    try:
        while piece := os.read(descriptor, 65536):
            seen += piece
    except OSError:  # Linux's way of saying that the other side has closed
        pass
    os.close(descriptor)
    return seen.decode(errors="replace")


def test_every_setting_is_shown_with_its_source(workspace: Workspace) -> None:
    command = [sys.executable, "-m", "fixloop_bot", "run", "--help"]
    env = workspace.environment() | {"FIXLOOP_MAX_RETRIES": "7", "ANTHROPIC_API_KEY": KEY}
    shown = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd="/").stdout
    text = " ".join(shown.split())
    assert "[FIXLOOP_MAX_RETRIES; now: 7 (environment)]" in text
    assert "[FIXLOOP_MAX_COST_USD; now: 3.00 (default)]" in text
    assert "ANTHROPIC_API_KEY: set (environment)" in text
    assert KEY not in shown
