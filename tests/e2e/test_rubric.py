"""A rubric beside the checks: a judge that did not write the change scores it, and can only add a failure."""

import json

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace, finished, git
from tests.fakes.model_script import Scripted
from tests.fakes.model_server import ModelServer, edit, finish, say, turn

ABOUT = "no name of a single letter"
JUDGED = {
    **OFF_BY_ONE,
    ".fixloop.yml": f'rubric: {{dimensions: {{readability: {{threshold: 0.7, about: "{ABOUT}"}}}}}}\n',
}
CLUMSY = "    n = len(pages) - 1\n    return pages[n]\n"


def opinion(score: float, reason: str) -> Scripted:
    return say(json.dumps({"readability": {"score": score, "reason": reason, "path": "app/pages.py"}}))


def edited(old: str, new: str) -> Scripted:
    return turn(edit("app/pages.py", old, new), finish("done", hypothesis="a try", repair_action="an edit"))


def test_a_dimension_below_its_threshold_is_repaired_and_judged_again(workspace: Workspace) -> None:
    start = workspace.commit(JUDGED)
    replies = [
        edited(FAULTY_LINE, CLUMSY),
        say("I would say 0.4 or so."),  # asked again, as it is no answer
        opinion(0.4, "`n` says nothing"),
        edited(CLUMSY, RIGHT_LINE),
        opinion(0.9, "plain"),
    ]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)", "fix-loop: rubric clean (iteration 2)"]
    models = [str(request.body["model"]) for request in server.requests]
    assert len(models) == 5, "the gate asks for no second verdict on the same tree"
    assert ["haiku" in model for model in models] == [False, True, True, False, True]
    asked = server.requests[1].body
    assert "tools" not in asked
    assert "+    n = len(pages) - 1" in json.dumps(asked["messages"])
    repair = str(server.requests[3].body["messages"][0]["content"][0]["text"])
    assert f"Raise this dimension alone: readability. It asks for:\n```\n{ABOUT}\n```" in repair
    assert "0.40, below 0.70 (haiku): `n` says nothing" in repair
    first, second = workspace.records()
    assert (first["layer"], first["verification_after"]["failing"]) == ("test", ["rubric: app/pages.py readability"])
    assert (second["failure_mode"], second["verdict"], second["productive"]) == ("rubric-fail", "clean", True)
    assert any(line.startswith("rubric judged: readability: 0.90") for line in workspace.terminal()["evidence"])
    (book,) = (workspace.state / "receipts").glob("*.jsonl")
    receipts = [json.loads(line) for line in book.read_text().splitlines()]
    assert [each["key"] for each in receipts if each["outcome"] == "ok"] == [
        "1.1", "rubric.1", "rubric.2", "2.1", "rubric.3",
    ]  # fmt: skip


def test_a_rubric_that_cannot_be_judged_is_no_done(workspace: Workspace) -> None:
    start = workspace.commit(JUDGED)
    with ModelServer([edited(FAULTY_LINE, RIGHT_LINE), say("1.0!"), say("1.0, I said.")]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4
    assert "rubric could not be judged: the judge's answer cannot be read" in done.line
    assert workspace.terminal()["state"] == "FailedUnverifiable"
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"], "what the checks proved stays"
    assert workspace.status == ""


def test_a_judge_that_is_away_is_no_done_either(workspace: Workspace) -> None:
    start = workspace.commit(JUDGED)
    with ModelServer([edited(FAULTY_LINE, RIGHT_LINE)]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4
    assert "Breaker: provider" in done.line
    assert "the rubric could not be judged" in done.line
    assert workspace.terminal()["state"] == "FailedBlocked"
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]


def test_a_dimension_that_stays_low_gets_one_repair_one_other_approach_and_an_honest_end(workspace: Workspace) -> None:
    start = workspace.commit(JUDGED)
    low = opinion(0.2, "still unclear")
    other = CLUMSY.replace("n", "m", 1).replace("[n]", "[m]")
    replies = [edited(FAULTY_LINE, CLUMSY), low, edited(CLUMSY, other), low, edited(CLUMSY, RIGHT_LINE), low]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "9")
    assert done.code == 4
    assert "Breaker: no-progress" in done.line
    assert "Last failing layer: rubric" in done.line
    assert [record["model"] for record in workspace.records()] == ["sonnet", "sonnet", "opus"]
    assert [record["productive"] for record in workspace.records()] == [True, False, False]
    assert git(workspace.root, "show", "HEAD:app/pages.py").count("pages[n]") == 1
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]


def test_the_records_of_a_judged_run_agree(workspace: Workspace) -> None:
    workspace.commit(JUDGED)
    with ModelServer([edited(FAULTY_LINE, RIGHT_LINE), opinion(0.9, "plain")]) as server:
        workspace.with_model(server.url)
        assert workspace.run().code == 0
    run_id = workspace.terminal()["run_id"]
    paths = ["--worktree-path", str(workspace.root), "--state-dir", str(workspace.state)]
    done = finished([*workspace.arguments()[:3], "replay", run_id, *paths], env=workspace.environment())
    assert done.code == 0, done.stdout + done.stderr
