"""Each way to fail, from a real failing repository to its status, its end and its records."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from fixloop_bot.model.agent import AssistantTurn
from tests.e2e.test_decision import answer
from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
WORSE = turn(edit("app/pages.py", FAULTY_LINE, "    return str(pages[0])\n"), finish("done", hypothesis="the type"))
ASKS = turn(finish("need_decision", question="Is last 1-based?", option_a="from 1", option_b="from 0"))
COUNTS = (
    "import pathlib\n\nSEEN = pathlib.Path(__file__).with_name('count.txt')\n\n\ndef test_times() -> None:\n"
    "    times = len(SEEN.read_text()) if SEEN.exists() else 0\n    SEEN.write_text('x' * (times + 1))\n"
    "    assert times % 2\n"
)
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}


@dataclass(frozen=True)
class Row:
    """A failing repository, what the model would do, and what has to come of it."""

    files: Mapping[str, str]
    replies: Sequence[AssistantTurn] = ()
    status: str = ""
    state: str = ""
    modes: Sequence[tuple[str, str]] = ()
    """Failure mode and verdict of each record."""
    says: str = ""
    env: Mapping[str, str] = field(default_factory=dict)


TABLE = {
    "deterministic-fail: patched": Row(
        OFF_BY_ONE, [REPAIR], "DONE", "Succeeded", [("deterministic-fail", "clean")], "Iterations: 1."
    ),
    "regression: reverted first, then patched": Row(
        OFF_BY_ONE,
        [WORSE, REPAIR],
        "DONE",
        "Succeeded",
        [("deterministic-fail", "regression"), ("deterministic-fail", "clean")],
        "Iterations: 2.",
    ),
    "flaky: never a pass, and no money": Row(
        {**GREEN, "tests/test_times.py": COUNTS, ".gitignore": "count.txt\n__pycache__\n"},
        [],
        "BLOCKED",
        "FailedUnverifiable",
        [],
        "Breaker: flaky.",
        {"FIXLOOP_SANDBOX": "off"},
    ),
    "environmental: no repair, what is missing is named": Row(
        {**GREEN, ".fixloop.yml": "layers: {test: no-such-runner --all}\n"},
        [],
        "BLOCKED",
        "FailedBlocked",
        [],
        "no-such-runner",
    ),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_a_failure_mode_takes_its_route(workspace: Workspace, row: Row) -> None:
    workspace.commit(row.files)
    with ModelServer(list(row.replies)) as server:
        workspace.with_model(server.url)
        workspace.env |= row.env
        done = workspace.run()
    assert done.line.startswith(f"{row.status}: "), done.stdout + done.stderr
    assert row.says in done.line
    assert len(server.requests) == len(row.replies)
    assert workspace.terminal()["state"] == row.state
    assert [(one["failure_mode"], one["verdict"]) for one in workspace.records()] == list(row.modes)


def test_a_spec_gap_waits_for_a_person_and_silence_ends_it(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer([ASKS]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 3, done.stdout + done.stderr
    assert [one["failure_mode"] for one in workspace.records()] == ["spec-gap"]
    assert not list(workspace.state.glob("runs/*/terminal.json"))
    saved = workspace.saved()
    (path,) = workspace.state.glob("runs/*/state.json")
    path.write_text(json.dumps({**saved, "asked_at": saved["asked_at"] - 15 * 86_400}))
    ended = answer(workspace, "resume", saved["run_id"])
    assert (ended.code, workspace.terminal()["state"]) == (4, "FailedSpecGap"), ended.stdout + ended.stderr
    assert "nobody answered in 14 days: Is last 1-based?" in workspace.terminal()["reason"]
    assert workspace.head == start
