"""Check runs, suites and statuses as JSON."""

from collections.abc import Mapping
from typing import Any

from tests.fakes.github.render.accounts import app, stamp, user
from tests.fakes.github.render.commits import simple_commit
from tests.fakes.github.render.pulls import at_commit
from tests.fakes.github.render.repositories import minimal
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.ci import CheckRun, CheckSuite, CommitStatus
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.urls import Urls


def check_run(urls: Urls, repo: Repository, item: CheckRun) -> dict[str, Any]:
    """Return `check-run`."""
    api = urls.repo(repo.full_name, "check-runs", item.id)
    html = urls.html(repo.full_name, "runs", item.id)
    return {
        "id": item.id,
        "name": item.name,
        "node_id": node_id("CR", item.id),
        "head_sha": item.head_sha,
        "external_id": item.external_id or "",
        "url": api,
        "html_url": html,
        "details_url": item.details_url or html,
        "status": item.status,
        "conclusion": item.conclusion,
        "started_at": stamp(item.started_at),
        "completed_at": stamp(item.completed_at),
        "output": {
            "title": item.title,
            "summary": item.summary,
            "text": item.text,
            "annotations_count": len(item.annotations),
            "annotations_url": f"{api}/annotations",
        },
        "check_suite": {"id": item.suite.id},
        "app": app(urls, item.app),
        "pull_requests": at_commit(urls, repo, item.head_sha),
    }


def annotation(urls: Urls, repo: Repository, run: CheckRun, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return `check-annotation`."""
    names = ("start_column", "end_column", "title", "raw_details")
    return {
        "path": item["path"],
        "blob_href": urls.repo(repo.full_name, "git", "blobs", run.head_sha),
        "start_line": item["start_line"],
        "end_line": item["end_line"],
        "annotation_level": item["annotation_level"],
        "message": item["message"],
        **{name: item.get(name) for name in names},
    }


def suite(urls: Urls, repo: Repository, item: CheckSuite) -> dict[str, Any]:
    """Return `check-suite`."""
    api = urls.repo(repo.full_name, "check-suites", item.id)
    return {
        "id": item.id,
        "node_id": node_id("CS", item.id),
        "head_branch": item.head_branch,
        "head_sha": item.head_sha,
        "status": item.status,
        "conclusion": item.conclusion,
        "url": api,
        "before": item.before,
        "after": item.head_sha,
        "pull_requests": at_commit(urls, repo, item.head_sha),
        "app": app(urls, item.app),
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "rerequestable": True,
        "runs_rerequestable": True,
        "latest_check_runs_count": sum(run.suite is item for run in repo.check_runs.values()),
        "check_runs_url": f"{api}/check-runs",
        "head_commit": simple_commit(repo.git.commit(item.head_sha)),
        "repository": minimal(urls, repo),
    }


def status(urls: Urls, repo: Repository, item: CommitStatus) -> dict[str, Any]:
    """Return `status`."""
    return {**simple_status(urls, repo, item), "creator": user(urls, item.creator)}


def simple_status(urls: Urls, repo: Repository, item: CommitStatus) -> dict[str, Any]:
    """Return `simple-commit-status`."""
    return {
        "url": urls.repo(repo.full_name, "statuses", item.sha),
        "avatar_url": urls.html("avatars", "u", item.creator.id),
        "id": item.id,
        "node_id": node_id("SC", item.id),
        "state": item.state,
        "description": item.description,
        "target_url": item.target_url,
        "context": item.context,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
    }
