"""A person works in the same worktree: nothing of theirs is lost, and nothing of theirs makes a false DONE."""

import json
import signal
import subprocess
import time

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace, git
from tests.fakes.model_server import Fault, ModelServer, edit, finish, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}


def test_a_commit_made_during_the_run_stands(workspace: Workspace) -> None:
    script = (
        "python -m pytest\ncode=$?\nif [ ! -e ../raced ]; then\n  touch ../raced\n"
        "  git commit --quiet --allow-empty -m theirs\nfi\nexit $code\n"
    )
    workspace.env |= BESIDE
    workspace.commit({**OFF_BY_ONE, ".fixloop.yml": "layers: {test: sh race.sh}\n", "race.sh": script})
    with ModelServer([REPAIR, REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4
    assert "Somebody else changed the branch" in done.line
    assert git(workspace.root, "log", "-1", "--format=%s") == "theirs"
    assert workspace.terminal()["state"] == "AbortedByHuman"


BESIDE = {"FIXLOOP_SANDBOX": "off"}
"""The person is played by a check, which in a sandbox could do nothing of the kind."""


def racing(then: str) -> dict[str, str]:
    """Return a check that does something once, as a person beside the run would, after the tests have run."""
    script = f"python -m pytest\ncode=$?\nif [ ! -e ../raced ]; then\n  touch ../raced\n  {then}\nfi\nexit $code\n"
    return {".fixloop.yml": "layers: {test: sh race.sh}\n", "race.sh": script}


def test_a_commit_made_during_a_green_look_is_no_done_and_stays_on_disk(workspace: Workspace) -> None:
    then = "echo '# theirs' >> app/pages.py; git commit -qam theirs"
    workspace.env |= BESIDE
    workspace.commit({**GREEN, **racing(then)})
    done = workspace.run()
    assert done.code == 4, done.stdout
    assert "Somebody else changed the branch" in done.line
    assert git(workspace.root, "log", "-1", "--format=%s") == "theirs"
    assert (workspace.root / "app/pages.py").read_text().endswith("# theirs\n")
    assert workspace.status == ""


def test_a_branch_that_is_checked_out_meanwhile_is_left_alone(workspace: Workspace) -> None:
    then = "git checkout -q -b other; echo '# more' >> app/pages.py; git commit -qam theirs"
    workspace.env |= BESIDE
    start = workspace.commit({**OFF_BY_ONE, **racing(then)})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout
    assert "refs/heads/other" in done.line
    assert git(workspace.root, "branch", "--show-current") == "other"
    assert git(workspace.root, "rev-parse", "main") == start
    assert (workspace.root / "app/pages.py").read_text().endswith("# more\n")
    assert workspace.status == ""


def test_interrupted_after_the_person_committed_it_touches_no_file(workspace: Workspace) -> None:
    workspace.commit({**OFF_BY_ONE, "mine.txt": "old\n"})
    (workspace.root / "mine.txt").write_text("my work\n")
    half = turn(edit("app/pages.py", FAULTY_LINE, "    return 9\n"))
    with ModelServer([half, Fault(kind="silence")]) as server:
        workspace.with_model(server.url)
        process = subprocess.Popen(
            workspace.arguments("--allow-dirty"),
            env=workspace.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        while len(server.requests) < 2:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        (workspace.root / "theirs.txt").write_text("theirs\n")
        git(workspace.root, "add", "theirs.txt")
        git(workspace.root, "commit", "-qm", "theirs", "--", "theirs.txt")
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (workspace.root / "theirs.txt").read_text() == "theirs\n"
    assert workspace.status == "M app/pages.py"
    ref = git(workspace.root, "for-each-ref", "--format=%(refname)", "refs/fixloop/stash")
    assert ref
    assert f"git stash apply --index {ref}" in " ".join(told.split())
    git(workspace.root, "checkout", "-q", "app/pages.py")
    git(workspace.root, "stash", "apply", "-q", "--index", ref)
    assert (workspace.root / "mine.txt").read_text() == "my work\n"


def test_an_interrupted_run_leaves_the_worktree_clean_and_goes_on_later(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer([Fault(kind="silence")]) as server:
        workspace.with_model(server.url)
        process = subprocess.Popen(
            workspace.arguments(), env=workspace.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/"
        )
        while not server.requests:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert (workspace.head, workspace.status) == (start, "")
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout
    assert len(list(workspace.state.glob("runs/*"))) == 1, "the same run went on"


def test_a_file_that_only_the_person_has_does_not_make_it_done(workspace: Workspace) -> None:
    needs = "from app.secret_sauce import VALUE\n\n\ndef test_sauce() -> None:\n    assert VALUE == 1\n"
    start = workspace.commit({**GREEN, "tests/test_sauce.py": needs})
    mine = workspace.root / "app/secret_sauce.py"
    mine.write_text("VALUE = 1\n")
    with ModelServer([turn(finish("blocked", reason="app/secret_sauce.py is in no commit"))]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout
    assert "gate: test" in done.stderr
    assert mine.read_text() == "VALUE = 1\n"
    assert workspace.head == start


def test_what_the_checks_leave_behind_is_gone_and_what_the_person_left_is_not(workspace: Workspace) -> None:
    litters = "from pathlib import Path\n\n\ndef test_litter() -> None:\n    Path('left-behind.txt').write_text('x')\n"
    workspace.commit({**OFF_BY_ONE, "tests/test_litter.py": litters, "tracked.txt": "as it was\n"})
    (workspace.root / "mine.txt").write_text("mine\n")
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout
    assert workspace.status == "?? mine.txt"


def test_a_tracked_file_that_the_checks_change_is_as_committed(workspace: Workspace) -> None:
    writes = "from pathlib import Path\n\n\ndef test_write() -> None:\n    Path('tracked.txt').write_text('changed')\n"
    start = workspace.commit({**OFF_BY_ONE, "tests/test_write.py": writes, "tracked.txt": "as it was\n"})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout
    assert (workspace.root / "tracked.txt").read_text() == "as it was\n"
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "app/pages.py"


def test_a_question_waits_with_the_worktree_clean(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    asks = turn(
        edit("app/pages.py", FAULTY_LINE, "    return 3\n"),
        finish("need_decision", question="Is last 1-based?", option_a="change the code", option_b="change the test"),
    )
    with ModelServer([asks]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--json")
    told = json.loads(done.stdout)
    assert done.code == 3
    assert told["status"] == "NEED_DECISION"
    assert told["status_line"].startswith("NEED_DECISION: test has errors that require architectural judgment. ")
    for part in ("Remaining errors: 1.", "Is last 1-based?", "Option A: change the code", "Option B: change the test"):
        assert part in told["status_line"]
    assert (workspace.head, workspace.status) == (start, "")
    assert workspace.saved()["phase"] == "decision-wait"
    assert not list(workspace.state.glob("runs/*/terminal.json")), "waiting is no end"


def test_the_agent_cannot_touch_what_the_person_has_not_committed(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    mine = workspace.root / "app/draft.py"
    mine.write_text("IDEA = 1\n")
    tries = turn(edit("app/draft.py", "IDEA = 1", "IDEA = 2"), finish("done"))
    with ModelServer([tries] * 4) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 4
    assert mine.read_text() == "IDEA = 1\n"
    assert (workspace.head, workspace.status) == (start, "?? app/draft.py")
