"""Check runs, suites and statuses."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import checks as render
from tests.fakes.github.render.repositories import minimal
from tests.fakes.github.routes.git import resolve
from tests.fakes.github.state.ci import CheckRun, CommitStatus


def create_check_run(call: Call) -> Reply:
    if call.token.app is None:
        raise ApiError(403, "You must authenticate via a GitHub App.")
    sha = str(call.body["head_sha"])
    if call.repo.git.resolve(sha) != sha:
        raise ApiError(422, f"No commit found for SHA: {sha}")
    run = call.repo.check_run(call.body["name"], sha, app=call.token.app)
    _apply(call, run)
    rendered = render.check_run(call.urls, call.repo, run)
    return Reply(status=201, body=rendered, headers={"Location": rendered["url"]})


def update_check_run(call: Call) -> Reply:
    run = _run(call)
    if run.app is not call.token.app:
        raise ApiError(403, "Invalid app_id `check_run` can only be modified by the GitHub App that created it.")
    _apply(call, run)
    return Reply(body=render.check_run(call.urls, call.repo, run))


def get_check_run(call: Call) -> Reply:
    return Reply(body=render.check_run(call.urls, call.repo, _run(call)))


def list_annotations(call: Call) -> Reply:
    run = _run(call)
    return page(call, run.annotations, lambda item: render.annotation(call.urls, call.repo, run, item))


def list_check_runs(call: Call) -> Reply:
    """List a commit's check runs; of several with one name and App the latest, unless all are asked for."""
    sha = resolve(call)
    found = [run for run in call.repo.check_runs.values() if run.head_sha == sha and _wanted(call.query, run)]
    if call.query.get("filter", "latest") == "latest":
        found = list({(run.suite.id, run.name): run for run in found}.values())
    return page(call, found, lambda run: render.check_run(call.urls, call.repo, run), wrap="check_runs")


def list_check_suites(call: Call) -> Reply:
    sha, app_id = resolve(call), call.query.get("app_id")
    found = [item for item in call.repo.suites.values() if item.head_sha == sha and app_id in {None, str(item.app.id)}]
    return page(call, found, lambda item: render.suite(call.urls, call.repo, item), wrap="check_suites")


def create_status(call: Call) -> Reply:
    sha = call.params["sha"]
    if call.repo.git.resolve(sha) != sha:
        raise ApiError(422, f"No commit found for SHA: {sha}")
    made = call.repo.set_status(
        sha,
        call.body["state"],
        context=call.body.get("context", "default"),
        description=call.body.get("description"),
        target_url=call.body.get("target_url"),
        creator=call.token.account,
    )
    return Reply(status=201, body=render.status(call.urls, call.repo, made))


def list_statuses(call: Call) -> Reply:
    return page(call, _statuses(call, resolve(call)), lambda item: render.status(call.urls, call.repo, item))


def get_combined_status(call: Call) -> Reply:
    """Combine the latest status of each context."""
    sha = resolve(call)
    latest = list({item.context: item for item in reversed(_statuses(call, sha))}.values())
    states = {item.state for item in latest}
    bad = bool(states & {"error", "failure"})
    url = call.urls.repo(call.repo.full_name, "commits", sha)
    body = {
        "state": "failure" if bad else ("success" if states == {"success"} else "pending"),
        "statuses": [render.simple_status(call.urls, call.repo, item) for item in latest],
        "sha": sha,
        "total_count": len(latest),
        "repository": minimal(call.urls, call.repo),
        "commit_url": url,
        "url": f"{url}/status",
    }
    return Reply(body=body)


def _apply(call: Call, run: CheckRun) -> None:
    """Take over what a create or update names; a conclusion completes the run, as on GitHub."""
    body = call.body
    if body.get("status") == "completed" and "conclusion" not in body:
        raise ApiError(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.')
    for name in ("name", "external_id", "details_url", "status", "conclusion"):
        if name in body:
            setattr(run, name, body[name])
    if "conclusion" in body:
        run.status = "completed"
        run.completed_at = _when(body.get("completed_at")) or call.world.now()
    elif "status" in body:
        run.conclusion = run.completed_at = None
    run.started_at = _when(body.get("started_at")) or run.started_at
    run.actions = list(body.get("actions", run.actions))
    _apply_output(run, body.get("output") or {})
    call.repo.settle(run.suite)


def _apply_output(run: CheckRun, output: Mapping[str, Any]) -> None:
    run.title = output.get("title", run.title)
    run.summary = output.get("summary", run.summary)
    run.text = output.get("text", run.text)
    run.annotations += output.get("annotations", [])


def _when(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def _wanted(query: Mapping[str, str], run: CheckRun) -> bool:
    return (
        query.get("check_name") in {None, run.name}
        and query.get("status") in {None, run.status}
        and query.get("app_id") in {None, str(run.app.id)}
    )


def _statuses(call: Call, sha: str) -> list[CommitStatus]:
    return [item for item in reversed(call.repo.statuses.values()) if item.sha == sha]


def _run(call: Call) -> CheckRun:
    found = call.repo.check_runs.get(call.number("check_run_id"))
    if found is None:
        raise not_found()
    return found
