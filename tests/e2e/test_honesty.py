"""Ways to a false DONE, or to junk on the branch, each closed."""

from tests.e2e.test_resume import SILENCE, kill_when, phase
from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, PYTEST, RIGHT_LINE, Workspace, git
from tests.fakes.model_server import ModelServer, create, edit, finish, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
CONFIG = "layers: {test: sh check.sh}\n"
GIVE_UP = turn(finish("blocked", reason="I cannot"))


def test_a_new_module_and_a_new_test_come_into_the_commit(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    new = turn(
        create(
            "app/last.py", '"""The end."""\n\n\ndef end(size: int) -> int:\n    """Return it."""\n    return size - 1\n'
        ),
        create("tests/test_last.py", "from app.last import end\n\n\ndef test_end() -> None:\n    assert end(1) == 0\n"),
        edit("app/pages.py", '"""Pages."""\n', '"""Pages."""\n\nfrom app.last import end\n'),
        edit("app/pages.py", FAULTY_LINE, "    return pages[end(len(pages))]\n"),
        finish("done"),
    )
    with ModelServer([new]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    changed = git(workspace.root, "diff", "--name-only", start, "HEAD").split()
    assert changed == ["app/last.py", "app/pages.py", "tests/test_last.py"]


def test_the_script_that_decides_cannot_be_edited(workspace: Workspace) -> None:
    start = workspace.commit(
        {**OFF_BY_ONE, "tools/run.sh": "python -m pytest\n", ".fixloop.yml": "layers: {test: sh tools/run.sh}\n"}
    )
    cheat = turn(edit("tools/run.sh", "python -m pytest\n", "python -m pytest || true\n"), finish("done"))
    with ModelServer([cheat] * 5) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert (done.code, workspace.head) == (4, start), done.stdout
    assert "executed by a check" in server.requests[-1].text


def test_code_that_skips_the_failing_test_is_not_done(workspace: Workspace) -> None:
    # lint fails first, so the tests have no baseline of their own until the gate looks for one
    bare = "\n\ndef count(text: str) -> int:\n    try:\n        return int(text)\n    except:\n        return 0\n"
    config = OFF_BY_ONE["pyproject.toml"] + '\n[tool.ruff.lint]\nselect = ["E", "F"]\n'
    start = workspace.commit({**OFF_BY_ONE, "app/count.py": '"""Count."""\n' + bare, "pyproject.toml": config})
    skips = turn(
        edit("app/count.py", "    except:\n", "    except ValueError:\n"),
        edit("app/pages.py", FAULTY_LINE, '    import unittest\n\n    raise unittest.SkipTest("not today")\n'),
        finish("done"),
    )
    with ModelServer([skips, GIVE_UP, GIVE_UP]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout
    assert workspace.head == start or "SkipTest" not in (workspace.root / "app/pages.py").read_text()
    assert not done.line.startswith("DONE")


def test_junk_that_only_looks_clean_beside_the_person_s_own_file_is_taken_back(workspace: Workspace) -> None:
    needs = "from app.secret_sauce import VALUE\n\n\ndef test_sauce() -> None:\n    assert VALUE == 1\n"
    start = workspace.commit({**GREEN, "tests/test_sauce.py": needs})
    (workspace.root / "app/secret_sauce.py").write_text("VALUE = 1\n")
    junk = [
        turn(edit("app/pages.py", '"""Pages."""', f'"""Pages {n}."""'), finish("done", hypothesis=f"junk {n}"))
        for n in range(4)
    ]
    with ModelServer(junk) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4, done.stdout
    assert (workspace.head, workspace.status) == (start, "?? app/secret_sauce.py")
    assert not any(record["productive"] for record in workspace.records())


def test_with_skip_compile_a_change_that_breaks_compile_is_taken_back(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    breaks = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), create("app/broken.py", "X = = 1\n"), finish("done"))
    with ModelServer([breaks, REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--skip-compile")
    assert done.code == 0, done.stdout + done.stderr
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "app/pages.py"
    first, second = workspace.records()
    assert (first["productive"], first["verdict"], first["commit"]) == (False, "contradicted", None)
    assert second["productive"] is True


def test_the_context_of_a_layer_that_was_green_blesses_nothing(workspace: Workspace) -> None:
    start = workspace.commit(GREEN)
    junk = turn(edit("app/pages.py", '"""Pages."""', '"""Pages, better."""'), finish("done"))
    with ModelServer([junk]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--error-context", "FAILED tests/test_pages.py::test_last - assert 2 == 3")
    assert done.code == 0, done.stdout + done.stderr
    assert "Commits: none." in done.line
    assert workspace.head == start


def test_a_wrong_context_does_not_stand_in_the_way_of_the_right_repair(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    junk = turn(edit("app/pages.py", '"""Pages."""', '"""Pages, better."""'), finish("done"))
    with ModelServer([junk, REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--error-context", "app/pages.py:1:1: E501 line too long")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 2)"]
    assert "better" not in (workspace.root / "app/pages.py").read_text()


def test_another_project_that_cannot_be_verified_stops_before_any_money(workspace: Workspace) -> None:
    empty = {"b/pyproject.toml": PYTEST, "b/tests/test_none.py": "X = 1\n"}
    workspace.commit({**{f"a/{name}": text for name, text in OFF_BY_ONE.items()}, **empty})
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, server.requests) == (4, [])
    assert "ran no test" in done.line


def test_a_fixer_that_never_settles_ends(workspace: Workspace) -> None:
    config = "layers:\n  lint: {run: ['sh check.sh'], fix: ['sh fix.sh']}\n"
    files = {
        **GREEN,
        ".fixloop.yml": config,
        "check.sh": "test -e ours.txt || { echo 'app/pages.py:1:1: E1 bad'; exit 1; }\n",
        "fix.sh": 'echo "# again" >> app/pages.py\n',
    }
    start = workspace.commit(files)
    (workspace.root / "ours.txt").write_text("only here\n")
    with ModelServer([GIVE_UP] * 3) as server:
        workspace.with_model(server.url)
        done = workspace.run("--timeout", "100")
    assert done.code == 4, done.stdout
    assert "Breaker: budget" not in done.line, "it must not take the time limit to end it"
    assert workspace.head == start


def test_setup_installs_what_the_checks_need_once(workspace: Workspace) -> None:
    config = (
        "setup:\n  - mkdir -p node_modules\n  - echo x >> node_modules/installed\n"
        "layers: {test: 'test -e node_modules/installed && python -m pytest'}\n"
    )
    workspace.commit({**OFF_BY_ONE, ".fixloop.yml": config, ".gitignore": "node_modules\n"})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert (workspace.root / "node_modules/installed").read_text() == "x\n"


def test_a_setup_that_fails_is_the_environment_s_fault_and_costs_nothing(workspace: Workspace) -> None:
    workspace.commit({**OFF_BY_ONE, ".fixloop.yml": "setup: ['echo no such mirror >&2; exit 3']\n"})
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, server.requests) == (4, [])
    for words in ("Breaker: environment.", "exit code 3", "no such mirror"):
        assert words in done.line


def test_a_smaller_cap_on_going_on_is_no_fault(workspace: Workspace) -> None:
    slow = "import time\n\n\ndef test_slow() -> None:\n    time.sleep(0.3)\n"
    workspace.commit({**OFF_BY_ONE, "tests/test_slow.py": slow})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: phase(workspace)[0] == "verify")
    done = workspace.run("--max-cost-usd", "0")
    assert done.code == 0, done.stdout + done.stderr


def test_a_file_that_a_killed_attempt_had_made_is_made_again(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    begun = turn(create("app/last.py", '"""The end."""\n'))
    with ModelServer([begun, SILENCE]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: len(server.requests) == 2)
    assert (workspace.root / "app/last.py").exists()
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert len(server.requests) == 1, "the call before the kill is not paid again"
    assert git(workspace.root, "diff", "--name-only", start, "HEAD").split() == ["app/last.py", "app/pages.py"]


def test_a_bare_context_is_no_compile_error(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--error-context", "tests/test_pages.py:5: AssertionError")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]


def test_what_a_look_has_shown_of_a_tree_is_not_run_again_but_at_the_gate(workspace: Workspace) -> None:
    # a runner that counts no tests has nothing that the gate's could be compared with, however often it runs
    check = "grep -q right app.py && echo fine || { echo 'app.py:1: error: wrong'; exit 1; }\n"
    workspace.commit({"app.py": "SAID = 'wrong'\n\n\nSIZE = 0\n", "check.sh": check, ".fixloop.yml": CONFIG})
    wrong = turn(edit("app.py", "SIZE = 0", "SIZE = 1"), finish("done"))
    again = turn(edit("app.py", "SIZE = 0", "SIZE = 1"), finish("done", hypothesis="in other words"))
    right = turn(edit("app.py", "'wrong'", "'right'"), finish("done"))
    with ModelServer([wrong, again, right]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    looks = [line.split()[1] for line in done.stderr.splitlines() if line.endswith(": test …")]
    assert looks == ["detect:", "attribute:", "verify:", "verify:", "gate:"], done.stderr
