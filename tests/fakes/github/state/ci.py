"""Check suites, check runs, statuses, workflow runs and their jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.fakes.github.state.accounts import Account, App


@dataclass(slots=True, kw_only=True, eq=False)
class CheckSuite:
    """All check runs of one App on one commit."""

    id: int
    app: App
    head_sha: str
    head_branch: str | None
    created_at: datetime
    status: str = "queued"
    conclusion: str | None = None
    before: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class CheckRun:
    """A check run; annotations of later requests are added to those of earlier ones."""

    id: int
    suite: CheckSuite
    name: str
    head_sha: str
    status: str
    started_at: datetime
    conclusion: str | None = None
    completed_at: datetime | None = None
    external_id: str | None = None
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Mapping[str, Any]] = field(default_factory=list)
    actions: list[Mapping[str, str]] = field(default_factory=list)
    """The buttons: the newest request's replace those before."""

    @property
    def app(self) -> App:
        """Return the App that owns it."""
        return self.suite.app


@dataclass(slots=True, kw_only=True, eq=False)
class CommitStatus:
    """A status of the older kind."""

    id: int
    sha: str
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: Account
    created_at: datetime


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """One job of a workflow run, with its log as the runner wrote it."""

    id: int
    name: str
    log: str
    status: str
    conclusion: str | None
    steps: tuple[tuple[str, str], ...]
    """Name and conclusion of each step."""
    started_at: datetime
    completed_at: datetime | None
    attempt: int = 1


@dataclass(slots=True, kw_only=True, eq=False)
class WorkflowRun:
    """One run of a workflow on one commit."""

    id: int
    number: int
    name: str
    path: str
    event: str
    head_sha: str
    head_branch: str | None
    head_repository: str
    suite: CheckSuite
    actor: Account
    status: str
    conclusion: str | None
    created_at: datetime
    updated_at: datetime
    attempt: int = 1
    jobs: list[Job] = field(default_factory=list)
