"""`fixloop sweep` from a shell, against a GitHub of our own, with the real engine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.github_stage import GREEN, REPAIR, Hub
from tests.e2e.sweep_stage import failing, sweep_command, sweep_environment
from tests.e2e.workspace import Finished, finished
from tests.fakes.github import FakeGitHub
from tests.fakes.github.state.accounts import ACTIONS_PERMISSIONS
from tests.fakes.model_server import ModelServer, finish, turn


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """GitHub with a shop and a person who can write."""
    with FakeGitHub() as github:
        github.user("pat", permission="write")
        yield Hub(github, github.repository("octo/shop", files=GREEN), tmp_path)


def sweep(hub: Hub, *more: str, model: ModelServer | None = None, token: str = "") -> Finished:
    """Run the command to its end."""
    return finished(sweep_command(hub, *more), env=sweep_environment(hub, model=model, token=token))


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(hub: Hub) -> None:
    first = failing(hub, "first")
    hub.shop.branch("fine")
    hub.shop.commit("fine", {"notes.md": "fine\n"}, author="pat")
    fine = hub.shop.open_pull("fine", title="Fine", author="pat")
    done = sweep(hub, "--dry-run")
    assert done.code == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"RUN      #{first.number} (first), at most $3.00",
        f"LEAVE    #{fine.number} (fine): no check ran on its head commit",
    ]
    assert hub.github.writes == []
    assert not (hub.folder / "the state").exists()


def test_every_target_is_repaired_and_told_in_a_line(hub: Hub) -> None:
    pulls = [failing(hub, name) for name in ("first", "second")]
    starts = {pull.head_ref: pull.head_sha for pull in pulls}
    with ModelServer([REPAIR, turn(finish("blocked", reason="not today"))]) as model:
        done = sweep(hub, model=model)
    assert done.code == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert sorted(line.split()[0] for line in lines) == ["BLOCKED", "DONE"]
    assert {line.split()[1] for line in lines} == {f"#{pull.number}" for pull in pulls}
    assert "::" not in done.stdout + done.stderr
    pushed = [branch for branch, start in starts.items() if hub.shop.head(branch) != start]
    assert len(pushed) == 1
    for pull in pulls:
        assert "<!-- fixloop:report" in hub.report(pull)
    (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
    assert "first" in str(issue.body)
    assert (hub.folder / "the state" / "run-state.db").exists()


def told(done: Finished) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def test_as_json_with_caps_and_again_when_nothing_is_left(hub: Hub) -> None:
    pulls = [failing(hub, name) for name in ("first", "second")]
    with ModelServer([REPAIR]) as model:
        done = sweep(hub, "--json", "--max-runs", "1", "--max-usd", "0.50", model=model)
    assert done.code == 0, done.stderr
    printed = told(done)
    (run,), (chosen,) = printed["runs"], printed["chosen"]
    assert (run["status"], run["iterations"], chosen["max_cost_usd"]) == ("DONE", 1, 0.5)
    assert run["commits"] == [hub.shop.head(chosen["branch"])]
    assert [one["reason"] for one in printed["left"]] == ["the sweep already has 1 runs"]
    assert len(pulls) == 2
    again = told(sweep(hub, "--json", "--dry-run"))
    assert chosen["name"] in [one["name"] for one in again["left"]]


@pytest.mark.parametrize(
    ("more", "token", "words"),
    [
        pytest.param(("--max-runs", "0"), "", "--max-runs", id="no run at all"),
        pytest.param(("--max-usd", "nan"), "", "--max-usd", id="no amount"),
        pytest.param((), "ghs_wrong", "GitHub does not accept the credential", id="a token that GitHub does not know"),
        pytest.param((), "a b", "GH_TOKEN", id="a token that is none"),
    ],
)
def test_bad_usage_and_a_bad_token_spend_nothing(hub: Hub, more: tuple[str, ...], token: str, words: str) -> None:
    done = sweep(hub, *more, token=token)
    assert (done.code, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_bad_configuration_and_a_token_that_cannot_report_stop_it_before_anything(hub: Hub) -> None:
    failing(hub, "first")
    done = sweep(hub, token=hub.github.actions_token(hub.shop, permissions={**ACTIONS_PERMISSIONS, "checks": "read"}))
    assert done.code == 2
    assert "lacks `checks: write`" in done.stderr
    hub.shop.commit("main", {".fixloop.yml": "sweep: {max-runs: many}\n"}, author="pat")
    done = sweep(hub)
    assert done.code == 2
    assert ".fixloop.yml:1" in done.stderr
    assert [request for request in hub.github.writes if request.method == "POST"] == []
