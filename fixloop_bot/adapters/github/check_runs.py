"""fixloop's own check runs."""

from itertools import islice
from typing import Any, Final

from github.CheckRun import CheckRun as GitHubCheckRun

from fixloop_bot.adapters.github.session import MOST_LISTED, Session, unless_too_large
from fixloop_bot.model.check_run import Annotation, CheckRun
from fixloop_bot.model.event import CHECK_RUN_NAME, PullRequest
from fixloop_bot.model.forge import CheckRunRef, ExternalId, TooLarge, parse_external_id
from fixloop_bot.model.ticket import Ledger

READ: Final = "checks: read"
WRITE: Final = "checks: write"
DAY_S: Final = 86_400
_BATCH: Final = 50
_TEXT_LIMIT: Final = 65_535
"""Characters; GitHub's API description says so, and what is longer was seen to be dropped in silence."""
_COMMITS_OF_LEDGER: Final = 10
"""Each is a request; a pull request with more pushes in a day than this has more than enough runs on these."""


class CheckRuns:
    """The part of `Forge` that is about fixloop's own check runs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def start_check_run(
        self, check_run: CheckRun, *, automatic: bool = False, details_url: str = ""
    ) -> CheckRunRef | TooLarge:
        """See `ForgeCheckRuns`."""
        name = ExternalId(run_id=check_run.external_id, automatic=automatic).to_text()
        body = {"name": CHECK_RUN_NAME, "head_sha": check_run.head_sha, "external_id": name}
        body |= {"details_url": details_url} if details_url else {}
        return TooLarge() if _is_too_large(check_run) else unless_too_large(lambda: self._start(body, check_run))

    def update_check_run(self, ref: CheckRunRef, check_run: CheckRun) -> CheckRunRef | TooLarge:
        """See `ForgeCheckRuns`."""
        if _is_too_large(check_run):
            return TooLarge()
        return unless_too_large(lambda: self._show(ref, check_run, at_least=1))

    def is_completed(self, ref: CheckRunRef) -> bool:
        """See `ForgeCheckRuns`."""
        return self._session.ask(READ, lambda: self._session.repo.get_check_run(ref.id).status == "completed")

    def own_check_run(self, head_sha: str, run_id: str) -> CheckRunRef | None:
        """See `ForgeCheckRuns`."""
        own = [one for one in self._own(head_sha) if _external_id(one).run_id == run_id]
        return self._session.ask(READ, lambda: _to_ref(max(own, key=lambda one: one.id))) if own else None

    def ledger(self, pull_request: PullRequest, *, now: float) -> Ledger:
        """See `ForgeFacts`."""
        head, automatic = pull_request.head_sha, dict[str, list[float]]()
        for sha in dict.fromkeys((head, *self._newest_commits(pull_request.number))):
            own = [one for one in self._own(sha) if _external_id(one).automatic]
            automatic[sha] = [one.started_at.timestamp() for one in own]
        of_day = [at for starts in automatic.values() for at in starts if at > now - DAY_S]
        return Ledger(runs_of_head=len(automatic[head]), runs_of_day=len(of_day))

    def _newest_commits(self, number: int) -> list[str]:
        commits = self._session.repo.get_pull(number).get_commits()
        return self._session.ask(
            "pull-requests: read", lambda: [one.sha for one in islice(commits.reversed, _COMMITS_OF_LEDGER)]
        )

    def _own(self, sha: str) -> list[GitHubCheckRun]:
        """Return fixloop's check runs on a commit; a job of that name has another kind of external id."""
        runs = self._session.repo.get_commit(sha).get_check_runs(check_name=CHECK_RUN_NAME, filter="all")
        return self._session.ask(
            READ, lambda: [one for one in islice(runs, MOST_LISTED) if parse_external_id(one.external_id or "")]
        )

    def _start(self, body: dict[str, str], check_run: CheckRun) -> CheckRunRef:
        made = self._session.create(
            WRITE,
            "/check-runs",
            {**body, **_shown(check_run, 0)},
            find=lambda: self.own_check_run(check_run.head_sha, check_run.external_id),
        )
        if not isinstance(made, CheckRunRef):
            made = CheckRunRef(
                id=made["id"], url=made.get("html_url") or "", annotated=min(1, len(check_run.annotations))
            )
        return self._show(made, check_run, at_least=0)

    def _show(self, ref: CheckRunRef, check_run: CheckRun, *, at_least: int) -> CheckRunRef:
        """Send the batches that are not there yet, a request each, and at least that many requests."""
        last = max(len(check_run.annotations), ref.annotated + at_least)
        for batch in range(ref.annotated, last):
            self._session.send(WRITE, "PATCH", f"/check-runs/{ref.id}", _shown(check_run, batch))
        annotated = max(ref.annotated, len(check_run.annotations))
        return CheckRunRef(id=ref.id, url=ref.url, annotated=annotated)


def _is_too_large(check_run: CheckRun) -> bool:
    return max(len(check_run.summary), len(check_run.text)) > _TEXT_LIMIT


def _shown(check_run: CheckRun, batch: int) -> dict[str, Any]:
    """Return a request's body: all that is shown, and one batch of annotations, if there is such a one."""
    output: dict[str, Any] = {"title": check_run.title, "summary": check_run.summary, "text": check_run.text}
    if batch < len(check_run.annotations):
        output["annotations"] = [_annotation(one) for one in check_run.annotations[batch]]
    state: dict[str, Any] = {"status": "in_progress"}
    if check_run.conclusion is not None:
        state = {"status": "completed", "conclusion": str(check_run.conclusion)}
    actions = [
        {"label": one.label, "description": one.description, "identifier": one.identifier} for one in check_run.actions
    ]
    return {**state, "output": output, "actions": actions}


def _annotation(one: Annotation) -> dict[str, Any]:
    texts = {"title": one.title, "raw_details": one.raw_details}
    columns = {"start_column": one.start_column, "end_column": one.end_column}
    return {
        "path": one.path,
        "start_line": one.start_line,
        "end_line": one.end_line,
        "annotation_level": str(one.annotation_level),
        "message": one.message,
        **{name: text for name, text in texts.items() if text},
        **{name: column for name, column in columns.items() if column is not None},
    }


def _external_id(one: GitHubCheckRun) -> ExternalId:
    return parse_external_id(one.external_id or "") or ExternalId(run_id="")


def _to_ref(one: GitHubCheckRun) -> CheckRunRef:
    """Return what is known of a check run; half a batch counts as sent: nothing can be taken back."""
    sent = one.output.annotations_count or 0
    return CheckRunRef(id=one.id, url=one.html_url or "", annotated=-(-sent // _BATCH))
