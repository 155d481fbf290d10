"""Workflow runs and jobs as JSON."""

from typing import Any

from tests.fakes.github.render.accounts import stamp, user
from tests.fakes.github.render.commits import simple_commit
from tests.fakes.github.render.pulls import at_commit
from tests.fakes.github.render.repositories import minimal
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.ci import Job, WorkflowRun
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.urls import Urls


def workflow_id(path: str) -> int:
    """Return the number that stands for a workflow file."""
    return 1_000_000 + sum(path.encode())


def run(urls: Urls, repo: Repository, item: WorkflowRun) -> dict[str, Any]:
    """Return `workflow-run`."""
    api = urls.repo(repo.full_name, "actions", "runs", item.id)
    head = repo.world.repositories[item.head_repository.lower()]
    commit = simple_commit(head.git.commit(item.head_sha))
    return {
        "id": item.id,
        "name": item.name,
        "node_id": node_id("WFR", item.id),
        "head_branch": item.head_branch,
        "head_sha": item.head_sha,
        "path": item.path,
        "display_title": commit["message"].partition("\n")[0],
        "run_number": item.number,
        "run_attempt": item.attempt,
        "event": item.event,
        "status": item.status,
        "conclusion": item.conclusion,
        "workflow_id": workflow_id(item.path),
        "check_suite_id": item.suite.id,
        "check_suite_node_id": node_id("CS", item.suite.id),
        "url": api,
        "html_url": urls.html(repo.full_name, "actions", "runs", item.id),
        "pull_requests": at_commit(urls, repo, item.head_sha) if head is repo else [],
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.updated_at),
        "run_started_at": stamp(item.created_at),
        "actor": user(urls, item.actor),
        "triggering_actor": user(urls, item.actor),
        "previous_attempt_url": None,
        "referenced_workflows": [],
        **{f"{name}_url": f"{api}/{name}" for name in ("jobs", "logs", "artifacts", "cancel", "rerun")},
        "check_suite_url": urls.repo(repo.full_name, "check-suites", item.suite.id),
        "workflow_url": urls.repo(repo.full_name, "actions", "workflows", workflow_id(item.path)),
        "head_commit": commit,
        "repository": minimal(urls, repo),
        "head_repository": minimal(urls, head),
    }


def job(urls: Urls, repo: Repository, of: WorkflowRun, item: Job) -> dict[str, Any]:
    """Return `job`."""
    started, completed = stamp(item.started_at), stamp(item.completed_at)
    return {
        "id": item.id,
        "run_id": of.id,
        "workflow_name": of.name,
        "head_branch": of.head_branch,
        "run_url": urls.repo(repo.full_name, "actions", "runs", of.id),
        "run_attempt": item.attempt,
        "node_id": node_id("CR", item.id),
        "head_sha": of.head_sha,
        "url": urls.repo(repo.full_name, "actions", "jobs", item.id),
        "html_url": urls.html(repo.full_name, "actions", "runs", of.id, "job", item.id),
        "status": item.status,
        "conclusion": item.conclusion,
        "created_at": started,
        "started_at": started,
        "completed_at": completed,
        "name": item.name,
        "steps": [
            {
                "name": name,
                "status": "completed" if item.completed_at else "in_progress",
                "conclusion": conclusion if item.completed_at else None,
                "number": number,
                "started_at": started,
                "completed_at": completed,
            }
            for number, (name, conclusion) in enumerate(item.steps, 1)
        ],
        "check_run_url": urls.repo(repo.full_name, "check-runs", item.id),
        "labels": ["ubuntu-latest"],
        "runner_id": 1,
        "runner_name": "GitHub Actions 1",
        "runner_group_id": 0,
        "runner_group_name": "GitHub Actions",
    }
