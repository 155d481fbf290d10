"""Four branches of one sweep at once: each for itself, under one cap, and all of them stopped by one word."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from fixloop_bot.model.agent import Usage
from tests.e2e.github_stage import REPAIR, Hub
from tests.e2e.sweep_stage import TogetherServer, failing, sweep_command, sweep_environment
from tests.e2e.workspace import Finished, finished
from tests.fakes.github import CheckRun
from tests.fakes.model_script import Scripted
from tests.fakes.model_server import Fault, ModelServer, finish, read, turn
from tests.fakes.until import LONGEST_S, ended, until

NAMES = ("first", "second", "third", "fourth")
AT_ONCE = ("--at-once", "4")


def sweep(hub: Hub, *more: str, model: ModelServer) -> Finished:
    return finished(sweep_command(hub, *more), env=sweep_environment(hub, model=model))


@contextmanager
def sweeping(hub: Hub, model: ModelServer) -> Iterator["subprocess.Popen[str]"]:
    """Start a sweep of all four, and leave it running."""
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    command, env = sweep_command(hub, *AT_ONCE), sweep_environment(hub, model=model)
    with ended(subprocess.Popen(command, env=env, text=True, cwd="/", start_new_session=True, **pipes)) as process:
        yield process


def silent() -> ModelServer:
    return ModelServer([Fault(kind="silence")] * 4)


def check_runs(hub: Hub) -> list[CheckRun]:
    return [one for one in hub.shop.check_runs.values() if one.name == "fixloop"]


def completed(hub: Hub) -> list[CheckRun]:
    return [one for one in check_runs(hub) if one.status == "completed"]


def runs_of(sweeper: int) -> list[psutil.Process]:
    """Return the processes of a sweep's runs that have not ended."""
    found = psutil.Process(sweeper).children()
    return [one for one in found if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def records(hub: Hub) -> list[Path]:
    return sorted((hub.folder / "the state" / "repair").glob("*.json"))


def test_four_branches_are_under_way_at_the_same_time_and_each_gets_its_commit_and_record(hub: Hub) -> None:
    pulls = [failing(hub, name) for name in NAMES]
    starts = {pull.head_ref: pull.head_sha for pull in pulls}
    with TogetherServer([REPAIR] * 4, callers=4) as model:
        done = sweep(hub, *AT_ONCE, "--json", model=model)
    assert done.code == 0, done.stderr
    told = json.loads(done.stdout)
    assert [run["name"] for run in told["runs"]] == [one["name"] for one in told["chosen"]]
    for chosen, run in zip(told["chosen"], told["runs"], strict=True):
        assert (run["status"], run["iterations"]) == ("DONE", 1)
        assert run["commits"] == [hub.shop.head(chosen["branch"])]
        assert hub.subjects(chosen["branch"], starts[chosen["branch"]]) == ["fix-loop: test clean (iteration 1)"]
    kept = [json.loads(path.read_text()) for path in records(hub)]
    assert len({record["run_id"] for record in kept}) == 4
    assert [record["productive"] for record in kept] == [True] * 4
    assert {check.conclusion for check in check_runs(hub)} == {"success"}
    lines = [line for line in done.stderr.splitlines() if "layer" not in line and " looked at" not in line]
    names = [one["name"] for one in told["chosen"]]
    assert all(line.startswith(tuple(f"fixloop  {name}:" for name in names)) for line in lines), done.stderr


def test_no_more_are_under_way_than_is_said(hub: Hub) -> None:
    for name in NAMES[:2]:
        failing(hub, name)
    with ModelServer([REPAIR] * 2) as model:
        done = sweep(hub, "--at-once", "1", model=model)
    assert done.code == 0, done.stderr
    names = [line.split(":")[0] for line in done.stderr.splitlines() if "): " in line]
    assert names == sorted(names), "one began before the other had ended"


def test_the_cap_holds_over_all_of_them(hub: Hub) -> None:
    hub.shop.commit("main", {".fixloop.yml": "budget: {run-usd: 0.1}\nsweep: {max-usd: 0.25}\n"}, author="pat")
    for name in NAMES:
        failing(hub, name)
    dear = Usage(input_tokens=500, output_tokens=900)
    with ModelServer([turn(read("app/pages.py"))] * 60, usage=dear) as model:
        done = sweep(hub, *AT_ONCE, "--json", model=model)
    assert done.code == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["max_cost_usd"] for one in told["chosen"]] == [0.1, 0.1, 0.05]
    assert [one["reason"] for one in told["left"]] == ["only $0.00 may be spent on it within the sweep's cap"]
    for chosen, run in zip(told["chosen"], told["runs"], strict=True):
        assert 0 < run["cost_usd"] <= chosen["max_cost_usd"]
        assert run["status"] == "BLOCKED"
    assert 0.1 < sum(run["cost_usd"] for run in told["runs"]) <= 0.25


@pytest.mark.parametrize("terminal", [False, True], ids=["SIGTERM to the sweep", "a terminal's Ctrl-C to its group"])
def test_a_stop_ends_all_of_them_in_order(hub: Hub, terminal: bool) -> None:
    pulls = [failing(hub, name) for name in NAMES]
    with silent() as model, sweeping(hub, model) as process:
        until(lambda: len(model.requests) == 4, process)
        runs = runs_of(process.pid)
        if terminal:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=LONGEST_S)
    assert process.returncode == 130, out + err
    assert [line.split()[0] for line in out.splitlines()] == ["BLOCKED"] * 4
    assert len(runs) == 4
    assert not any(one.is_running() for one in runs)
    assert [(check.status, check.conclusion) for check in check_runs(hub)] == [("completed", "cancelled")] * 4
    for pull in pulls:
        assert "stopped" in hub.report(pull)
    assert hub.github.pushes == []
    assert "Traceback" not in err


def test_a_run_that_is_killed_and_one_that_gives_up_leave_the_others_alone(hub: Hub) -> None:
    pulls = [failing(hub, name) for name in NAMES]
    starts = {pull.head_ref: pull.head_sha for pull in pulls}
    replies: list[Scripted] = [Fault(kind="silence"), turn(finish("blocked", reason="not today")), REPAIR, REPAIR]
    with TogetherServer(replies, callers=4) as model, sweeping(hub, model) as process:
        until(lambda: len(completed(hub)) == 3 and len(runs_of(process.pid)) == 1, process)
        (left,) = runs_of(process.pid)
        left.kill()
        out, err = process.communicate(timeout=LONGEST_S)
    assert process.returncode == 1, out + err
    assert sorted(line.split()[0] for line in out.splitlines()) == ["BLOCKED", "DONE", "DONE", "FAULT"]
    assert "its process ended with -9" in out
    assert len([branch for branch, start in starts.items() if hub.shop.head(branch) != start]) == 2


def test_who_kills_the_sweep_stops_its_runs_too(hub: Hub) -> None:
    for name in NAMES[:2]:
        failing(hub, name)
    with silent() as model, sweeping(hub, model) as process:
        until(lambda: len(model.requests) == 2, process)
        runs = runs_of(process.pid)
        process.kill()
        psutil.wait_procs(runs, timeout=LONGEST_S)
    assert [(check.status, check.conclusion) for check in check_runs(hub)] == [("completed", "cancelled")] * 2
