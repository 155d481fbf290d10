"""What everybody else's checks say about a commit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from github.CheckRun import CheckRun as GitHubCheckRun
from github.CheckSuite import CheckSuite
from github.CommitStatus import CommitStatus
from github.PaginatedList import PaginatedList

from fixloop_bot.adapters.github.access import AppAccess
from fixloop_bot.adapters.github.session import MOST_LISTED, Session
from fixloop_bot.model.event import CHECK_RUN_NAME, PullRequest
from fixloop_bot.model.forge import FailedCheck, Standing, parse_external_id
from fixloop_bot.model.sweep import Checks
from fixloop_bot.model.ticket import Absent

READ: Final = "checks: read"
ACTIONS: Final = "actions: read"
STATUSES: Final = "statuses: read"
FAILED: Final = frozenset({"failure", "timed_out", "startup_failure", "error"})
_PENDING: Final = frozenset({"queued", "in_progress", "waiting", "requested", "pending", "action_required"})
_MOST_OUTPUTS: Final = 10


@dataclass(frozen=True, slots=True)
class _OnCommit:
    """The newest check runs on a commit."""

    own: tuple[GitHubCheckRun, ...]
    others: tuple[GitHubCheckRun, ...]


class OthersChecks:
    """The part of `Forge` that is about CI."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def standing(self, sha: str) -> Standing:
        """See `ForgeSurvey`."""
        on_commit = self._on_commit(sha)
        words = [one.conclusion or one.status for one in on_commit.others] + self._statuses(sha)
        times = [at for suite in self._suites(sha) if (at := _time(suite.created_at)) is not None]
        return Standing(
            checks=_together(words),
            active_at=min(times, default=None),
            running=any(_goes_on(one) for one in on_commit.own),
            tried=any(not _goes_on(one) for one in on_commit.own),
        )

    def ci_started(self, sha: str) -> bool:
        """See `ForgeSurvey`."""
        return bool(self._on_commit(sha).others or self._statuses(sha) or self._workflow_runs(sha)[1])

    def head_pushed_at(self, pull_request: PullRequest) -> float | Absent:
        """See `ForgeFacts`.

        GitHub makes check suites when a head arrives, for each App and each workflow run of its own. The newest one on
        this branch counts: a branch that was moved away and back gets new ones, and a time too late asks the person to
        comment again, while one too early would bind the command to a commit that nobody saw.
        """
        branches = (None, "", pull_request.head_branch)
        suites = [one for one in self._suites(pull_request.head_sha) if one.head_branch in branches]
        times = [at for suite in suites if (at := _time(suite.created_at)) is not None]
        return max(times, default=Absent())

    def failed_checks(self, head_sha: str, check_suite_ids: Sequence[int]) -> tuple[FailedCheck, ...]:
        """See `ForgeSurvey`."""
        failed = [one for one in self._on_commit(head_sha).others if one.conclusion in FAILED]
        wanted = [one for one in failed if one.check_suite.id in set(check_suite_ids)]
        return self._session.ask(READ, lambda: tuple(_failed(one) for one in wanted[:_MOST_OUTPUTS]))

    def _on_commit(self, sha: str) -> _OnCommit:
        own_suites, _ = self._workflow_runs(sha) if self._session.access.workflow_path else (frozenset[int](), 0)
        listed = self._session.repo.get_commit(sha).get_check_runs(filter="latest")
        runs = self._session.ask(READ, lambda: [*islice(listed, MOST_LISTED)])
        own = [one for one in runs if one.name == CHECK_RUN_NAME and parse_external_id(one.external_id or "")]
        others = [one for one in runs if one not in own and one.check_suite.id not in own_suites]
        return _OnCommit(tuple(own), tuple(others))

    def _workflow_runs(self, sha: str) -> tuple[frozenset[int], int]:
        """Return the check suites of fixloop's own workflow on a commit, and how many runs others have."""
        found = self._session.get(ACTIONS, "/actions/runs", head_sha=sha, per_page="100")["workflow_runs"]
        path = self._session.access.workflow_path
        own = [one for one in found if path and one["path"].partition("@")[0] == path]
        return frozenset(one["check_suite_id"] for one in own), len(found) - len(own)

    def _statuses(self, sha: str) -> list[str]:
        """Return the state of each status of the older kind: the newest of a context counts, and comes first."""
        path = f"{self._session.path}/commits/{sha}/statuses"
        listed = PaginatedList(CommitStatus, self._session.github.requester, path, None)
        newest: dict[str, str] = {}
        for one in self._session.ask(STATUSES, lambda: [*islice(listed, MOST_LISTED)]):
            newest.setdefault(one.context, one.state)
        return [*newest.values()]

    def _suites(self, sha: str) -> list[CheckSuite]:
        """Return the check suites of others."""
        credential = self._session.access.credential
        own_app = credential.app_id if isinstance(credential, AppAccess) else None
        listed = self._session.repo.get_commit(sha).get_check_suites()
        found = self._session.ask(READ, lambda: [*islice(listed, MOST_LISTED)])
        return [one for one in found if one.app.id != own_app]


def _goes_on(own: GitHubCheckRun) -> bool:
    return own.status != "completed" or own.conclusion == "action_required"


def _time(at: datetime | None) -> float | None:
    return at.timestamp() if at is not None else None


def _together(words: Sequence[str]) -> Checks:
    """Return what conclusions and states say together."""
    if any(word in FAILED for word in words):
        return Checks.FAILING
    if any(word in _PENDING for word in words):
        return Checks.PENDING
    return Checks.PASSING if words else Checks.NONE


def _failed(one: GitHubCheckRun) -> FailedCheck:
    output = one.output
    return FailedCheck(
        name=one.name,
        conclusion=one.conclusion,
        title=output.title or "",
        summary=output.summary or "",
        text=output.text or "",
    )
