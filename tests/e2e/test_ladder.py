"""The escalation ladder and the memory of a target, told by what runs leave behind."""

import json
from pathlib import Path

import jsonschema
import yaml

from fixloop_bot.model.agent import AssistantTurn
from tests.e2e.github_stage import Hub
from tests.e2e.workspace import Workspace, git
from tests.fakes.model_server import ModelServer, edit, finish, say, turn

DOCS = Path(__file__).parents[2] / "docs"
SUM = {
    ".fixloop.yml": "layers: {lint: sh lint.sh, test: sh check.sh}\n",
    "lint.sh": "grep -q '^# ' notes.md || { echo 'notes.md:1: error: no title'; exit 1; }\n",
    "check.sh": 'read sum < sum.txt\n[ $sum = 3 ] || { echo "sum.txt:1: error: the sum is $sum, not 3"; exit 1; }\n',
    "sum.txt": "0\n",
    "notes.md": "# Notes\n",
}
"""A repository whose one failure costs no time to look at."""


def guess(old: str, new: str, hypothesis: str) -> AssistantTurn:
    return turn(edit("sum.txt", old, new), finish("done", hypothesis=hypothesis, repair_action="another sum"))


FOUR_GUESSES = [
    guess("0", "1", "the list begins at one"),
    guess("1", "2", "what is counted are the gaps"),
    guess("0", "4", "the sum lacks both ends"),
    guess("4", "5", "an empty list was not thought of"),
]
"""Each makes another failure: the first of a round stays for the second, which is undone together with it."""


def test_the_ladder_is_climbed_told_remembered_and_begun_anew_by_a_person_s_commit(workspace: Workspace) -> None:
    start = workspace.commit({**SUM, "notes.md": "Notes\n"})
    lint = turn(edit("notes.md", "Notes", "# Notes"), finish("done", hypothesis="no title"))
    with ModelServer([lint, *FOUR_GUESSES]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "9")
    assert "after 5 iterations. Breaker: no-progress." in done.line
    assert workspace.subjects(start) == ["fix-loop: lint clean (iteration 1)"], "the best-known state"
    best = workspace.head
    assert workspace.status == ""

    records = workspace.records()
    assert [record["rung"] for record in records] == ["patch", "patch", "patch", "replan", "replan"]
    assert [record["model"] for record in records] == ["sonnet", "sonnet", "sonnet", "opus", "opus"]
    assert not any(record["productive"] or record["repeats"] for record in records[1:])
    opened = server.requests[3].text
    assert "Take a different hypothesis from all of these:" in opened
    assert "the list begins at one" in opened
    assert "what is counted are the gaps" in opened
    assert workspace.saved()["rungs"][-3:] == ["replan", "revert", "stop"]
    run = records[0]["run_id"]
    last = (workspace.state / "RUNLOG.md").read_text().splitlines()[-1]
    assert f"`{run}-stop` revert → stop no-progress FailedBudget stands on {best[:12]}" in last
    log = (workspace.state / "recovery-log.md").read_text()
    assert log.count(f"`{run}-3`") == log.count(f"`{run}-5`") == 1
    assert f"run {run}, attempt 5: another failure, no better and no worse." in log
    learned = yaml.safe_load((workspace.state / "learnings.yaml").read_text())
    jsonschema.validate(learned, json.loads((DOCS / "learnings.schema.json").read_text()))
    (approach,) = learned["approaches"]
    assert [text.partition(":")[0] for text in approach["approach"]["hypotheses"]] == [
        "the list begins at one",
        "what is counted are the gaps",
    ]

    with ModelServer([]) as server:
        workspace.with_model(server.url)
        again = workspace.run()
    assert (again.code, server.requests) == (4, [])
    assert "after 0 iterations. Breaker: no-progress. Last failing layer: test." in again.line
    assert "commit a change of your own first" in again.line
    assert workspace.head == best

    git(workspace.root, "commit", "--quiet", "--allow-empty", "-m", "a person's commit")
    with ModelServer([guess("0", "3", "off by three")]) as server:
        workspace.with_model(server.url)
        repaired = workspace.run()
    assert repaired.code == 0, repaired.stdout + repaired.stderr
    assert "Model: sonnet." in repaired.line


def test_a_model_that_goes_in_a_circle_is_stopped_with_the_circle_shown(workspace: Workspace) -> None:
    start = workspace.commit(SUM)
    there = guess("0", "1", "the list begins at one")
    back = guess("1", "0", "it was right before")
    once_more = guess("0", "1", "something else altogether")
    with ModelServer([there, back, once_more]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, workspace.head, workspace.status) == (4, start, ""), done.stdout + done.stderr
    first, second, third = workspace.records()
    assert [record["verdict"] for record in (first, second, third)] == ["changed", "changed", "same"]
    assert "the attempts go in a circle" in done.stderr
    a, b = second["error_hash"], first["error_hash"]
    assert f" circle {b[:8]} → {a[:8]} → {b[:8]} " in (workspace.state / "RUNLOG.md").read_text().splitlines()[-1]

    assert (third["rung"], third["repeats"], third["error_hash"]) == ("replan", first["iteration_id"], b)
    assert "the same change as attempt 1, which is not verified again" in done.stderr
    assert f"attempt 3 was to take another hypothesis, and repeats {first['iteration_id']}" in done.stderr
    assert done.stderr.count("verify: test") == 2, "what is known is not run again"


def test_on_github_the_comment_remembers_where_the_disk_does_not(hub: Hub) -> None:
    hub.shop.commit("main", {**SUM, "sum.txt": "3\n"}, author="pat")
    pull = hub.break_it(files={"sum.txt": "0\n"})
    with ModelServer(FOUR_GUESSES[:2]) as model:
        step = hub.on_comment(pull, "/fixloop --max-retries 2", model=model)
    assert len(model.requests) == 2, step.done.stdout + step.done.stderr
    assert "attempts=test:2 -->" in hub.report(pull)
    with ModelServer(FOUR_GUESSES[2:]) as model:
        step = hub.on_comment(pull, "/fixloop --max-retries 9", model=model)
    first, *rest = model.requests
    assert len(rest) == 1, "two earlier attempts leave two"
    assert "opus" in first.body["model"]
    assert "Take a different hypothesis from all of these:" in first.text
    assert "earlier. the list begins at one" in first.text
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert "attempts=test:4 -->" in hub.report(pull), "each is counted once"
    assert "no-progress" in hub.report(pull)


def test_a_tie_between_environment_and_code_is_broken_once_by_the_cheapest_model(workspace: Workspace) -> None:
    start = workspace.commit({".fixloop.yml": "layers: {test: 'echo licence 17 expired; exit 1'}\n", "a.py": "A = 1\n"})
    with ModelServer([say("environment: a licence for the test runner")]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, len(server.requests), workspace.head) == (4, 1, start), done.stdout + done.stderr
    assert "haiku" in server.requests[0].body["model"]
    assert "tools" not in server.requests[0].body
    assert "Breaker: environment." in done.line
    assert "a licence for the test runner (so the haiku model reads the output; no rule can tell)" in done.line
