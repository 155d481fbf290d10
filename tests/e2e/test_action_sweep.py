"""A sweep: one job chooses, each target is a job of a matrix."""

import json
from collections.abc import Mapping
from typing import Any

from fixloop_bot.entrypoints.init import TEMPLATE
from tests.e2e.github_stage import BREAK, REPAIR, Hub, Step
from tests.fakes.model_server import ModelServer

RULES = 'sweep: {branches: ["team/*"], max-runs: 3, max-usd: 10}\n'


def twelve_branches(hub: Hub) -> None:
    """Let five of twelve branches fail, the higher numbers more recently."""
    hub.shop.commit("main", {".fixloop.yml": RULES}, author="pat")
    for number in range(12):
        branch, fails = f"team/{number:02}", number % 2 == 1 and number < 11
        hub.github.advance(60)
        hub.shop.branch(branch)
        sha = hub.shop.commit(branch, dict(BREAK) if fails else {f"{number}.md": "x\n"}, author="pat")
        word = "failure" if fails else "success"
        hub.shop.workflow_run(sha, [("test", word, "E   assert 2 == 3\n")], branch=branch)


def test_a_schedule_chooses_within_the_cap_and_a_job_repairs_one(hub: Hub) -> None:
    twelve_branches(hub)
    schedule = hub.github.payloads.schedule(hub.shop)
    chooses = hub.step("schedule", schedule)
    assert chooses.done.code == 0, chooses.done.stdout + chooses.done.stderr
    targets = json.loads(chooses.outputs["targets"])
    assert [target["branch"] for target in targets] == ["team/09", "team/07", "team/05"]
    (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
    body = issue.body or ""
    assert "the sweep already has 3 runs" in body
    assert "its checks pass" in body
    assert "[ ]" not in body, "a tick would start nothing"
    assert "sweep: 3 chosen" in chooses.summary

    target = targets[0]
    with ModelServer([REPAIR]) as model:
        repairs = hub.step(
            "schedule", schedule, model=model, branch=target["branch"], max_cost_usd=target["max-cost-usd"]
        )
    assert repairs.outputs["status"] == "DONE", repairs.done.stdout + repairs.done.stderr
    assert repairs.outputs["commits"] == hub.shop.head("team/09")
    assert hub.check.conclusion == "success"

    again = hub.step("schedule", schedule)
    assert "team/09" not in [target["branch"] for target in json.loads(again.outputs["targets"])]
    assert len([one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]) == 1


def test_a_sweep_with_nothing_to_do_has_an_empty_matrix(hub: Hub) -> None:
    step = hub.step("schedule", hub.github.payloads.schedule(hub.shop))
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert step.outputs["targets"] == "[]"


def test_the_mode_sweep_sweeps_at_any_event(hub: Hub) -> None:
    twelve_branches(hub)
    payload = hub.github.payloads.push(hub.shop, "main", sender="pat")
    step = hub.step("push", payload, mode="sweep")
    assert len(json.loads(step.outputs["targets"])) == 3, step.done.stdout + step.done.stderr


def dashboard(hub: Hub) -> int:
    """Sweep once with the workflow that `fixloop init` writes, and return the number of the dashboard issue."""
    hub.shop.commit("main", {".github/workflows/fixloop.yml": TEMPLATE.read_text()}, author="pat")
    hub.step("schedule", hub.github.payloads.schedule(hub.shop))
    (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
    return issue.number


def ticked(hub: Hub, number: int, branch: str, *, sender: str = "pat") -> Mapping[str, Any]:
    body = hub.shop.issues[number].body or ""
    box = f"- [ ] <!-- fixloop:run={branch} -->"
    assert box in body
    edited = body.replace(box, box.replace("[ ]", "[x]"))
    return hub.github.payloads.issue_edited(hub.shop, number, edited, sender=sender)


def tick(hub: Hub, number: int, branch: str, *, sender: str = "pat") -> Step:
    return hub.step("issues", ticked(hub, number, branch, sender=sender), mode="sweep")


def test_a_ticked_box_is_run_now_whatever_the_rules_say_of_it(hub: Hub) -> None:
    twelve_branches(hub)
    number = dashboard(hub)
    tick = ticked(hub, number, "team/01")
    step = hub.step("issues", tick, mode="sweep")
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    (target,) = json.loads(step.outputs["targets"])
    assert (target["branch"], target["max-cost-usd"]) == ("team/01", "3.00")
    body = hub.shop.issues[number].body or ""
    assert "`team/01`: somebody ticked it" in body
    assert "[x]" not in body, "a box can be ticked again"

    with ModelServer([REPAIR]) as model:
        repairs = hub.step("issues", tick, model=model, branch=target["branch"])
    assert repairs.outputs["status"] == "DONE", repairs.done.stdout + repairs.done.stderr
    assert repairs.outputs["commits"] == hub.shop.head("team/01")


def test_who_cannot_write_starts_nothing_with_a_tick(hub: Hub) -> None:
    twelve_branches(hub)
    number = dashboard(hub)
    hub.github.user("rita", permission="triage")
    step = tick(hub, number, "team/01", sender="rita")
    assert step.outputs["targets"] == "[]"
    assert "commands need write permission" in step.summary


def test_an_issue_that_looks_like_the_dashboard_starts_nothing(hub: Hub) -> None:
    twelve_branches(hub)
    body = hub.shop.issues[dashboard(hub)].body
    hub.github.user("eve", permission="read")
    copy = hub.shop.open_issue("fixloop: sweep", body, author="eve").number
    step = tick(hub, copy, "team/01", sender="pat")
    assert step.outputs["targets"] == "[]"
    assert "not the dashboard that fixloop wrote" in step.summary


def test_where_no_workflow_hears_of_ticks_there_is_no_box(hub: Hub) -> None:
    twelve_branches(hub)
    workflow = TEMPLATE.read_text().replace("  issues:\n    types: [edited]", "  watch:\n    types: [started]")
    hub.shop.commit("main", {".github/workflows/fixloop.yml": workflow}, author="pat")
    hub.step("schedule", hub.github.payloads.schedule(hub.shop))
    (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
    assert "[ ]" not in (issue.body or "")
