"""Workflow runs, jobs and their logs."""

from collections.abc import Mapping

from tests.fakes.github.call import Call, Reply, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import runs as render
from tests.fakes.github.state.ci import Job, WorkflowRun


def list_runs(call: Call) -> Reply:
    found = [run for run in reversed(call.repo.runs.values()) if _wanted(call.query, run)]
    return page(call, found, lambda run: render.run(call.urls, call.repo, run), wrap="workflow_runs")


def get_run(call: Call) -> Reply:
    return Reply(body=render.run(call.urls, call.repo, _run(call)))


def list_jobs(call: Call) -> Reply:
    run = _run(call)
    every = call.query.get("filter") == "all"
    found = [job for job in run.jobs if every or job.attempt == run.attempt]
    return page(call, found, lambda job: render.job(call.urls, call.repo, run, job), wrap="jobs")


def get_job(call: Call) -> Reply:
    return Reply(body=render.job(call.urls, call.repo, *_job(call)))


def get_job_logs(call: Call) -> Reply:
    """Send the client elsewhere: the signed address is good by itself and refuses any credential."""
    _, job = _job(call)
    return _elsewhere(call, f"job-{job.id}.txt")


def get_run_logs(call: Call) -> Reply:
    return _elsewhere(call, f"run-{_run(call).id}.zip")


def rerun_failed_jobs(call: Call) -> Reply:
    """Queue the run again: its jobs of before stay as those of the older attempt."""
    run = _run(call)
    run.attempt += 1
    run.status, run.conclusion = "queued", None
    return Reply(status=201, body={})


def dispatch_workflow(call: Call) -> Reply:
    """Start a workflow on a branch; it is on record as a queued run."""
    branch = str(call.body["ref"]).removeprefix("refs/heads/")
    wanted = call.params["workflow_id"]
    paths = [path for path in call.repo.git.paths(call.repo.head()) if path.startswith(".github/workflows/")]
    path = next((path for path in paths if wanted in {path.rpartition("/")[2], str(render.workflow_id(path))}), None)
    if path is None:
        raise not_found()
    call.repo.workflow_run(
        call.repo.head(branch),
        event="workflow_dispatch",
        path=path,
        branch=branch,
        actor=call.token.account,
        status="queued",
    )
    return Reply(status=204)


def dispatch_repository(call: Call) -> Reply:
    return Reply(status=204)


def _elsewhere(call: Call, name: str) -> Reply:
    address = call.urls.html("_logs", call.repo.full_name, name)
    return Reply(status=302, headers={"Location": f"{address}?sig=signed"})


def _wanted(query: Mapping[str, str], run: WorkflowRun) -> bool:
    return (
        query.get("branch") in {None, run.head_branch}
        and query.get("event") in {None, run.event}
        and query.get("head_sha") in {None, run.head_sha}
        and query.get("actor") in {None, run.actor.login}
        and query.get("check_suite_id") in {None, str(run.suite.id)}
        and query.get("status") in {None, run.status, run.conclusion}
    )


def _run(call: Call) -> WorkflowRun:
    found = call.repo.runs.get(call.number("run_id"))
    if found is None:
        raise not_found()
    return found


def _job(call: Call) -> tuple[WorkflowRun, Job]:
    found = call.repo.jobs.get(call.number("job_id"))
    if found is None:
        raise not_found()
    return found
