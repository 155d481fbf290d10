"""The checks and workflow runs of a repository."""

from collections.abc import Sequence

from tests.fakes.github.state.accounts import Account, App
from tests.fakes.github.state.ci import CheckRun, CheckSuite, CommitStatus, Job, WorkflowRun
from tests.fakes.github.state.source import Source

_STEPS = (("Set up job", "success"), ("Check out", "success"))


class CiBoard(Source):
    """Check suites and runs, statuses, workflow runs; each method is also what a test calls."""

    def __init__(self, **source: object) -> None:
        super().__init__(**source)  # type: ignore[arg-type]
        self.suites: dict[int, CheckSuite] = {}
        self.check_runs: dict[int, CheckRun] = {}
        self.statuses: dict[int, CommitStatus] = {}
        self.runs: dict[int, WorkflowRun] = {}
        self.ci_workflow: str | None = None
        """A workflow file that a push starts (the run stays queued); None: pushes start nothing."""

    @property
    def jobs(self) -> dict[int, tuple[WorkflowRun, Job]]:
        """Return every job by id, with its run."""
        return {job.id: (run, job) for run in self.runs.values() for job in run.jobs}

    def suite(self, app: App, sha: str, branch: str | None = None, *, fresh: bool = False) -> CheckSuite:
        """Return the App's check suite on a commit, made where there was none (or `fresh`)."""
        for suite in self.suites.values():
            if suite.app is app and suite.head_sha == sha and not fresh:
                return suite
        made = CheckSuite(
            id=self.world.next_id(),
            app=app,
            head_sha=sha,
            head_branch=branch or self.branch_at(sha),
            created_at=self.world.now(),
        )
        self.suites[made.id] = made
        return made

    def branch_at(self, sha: str) -> str | None:
        """Return a branch whose tip the commit is, or None."""
        for name, tip in self.git.refs().items():
            if tip == sha:
                return name.removeprefix("refs/heads/")
        return None

    def check_run(
        self, name: str, sha: str, *, app: App, status: str = "queued", suite: CheckSuite | None = None
    ) -> CheckRun:
        """Start a check run."""
        made = CheckRun(
            id=self.world.next_id(),
            suite=suite or self.suite(app, sha),
            name=name,
            head_sha=sha,
            status=status,
            started_at=self.world.now(),
        )
        self.check_runs[made.id] = made
        self.settle(made.suite)
        return made

    def conclude(self, run: CheckRun, conclusion: str) -> CheckRun:
        """Complete a check run."""
        run.status, run.conclusion, run.completed_at = "completed", conclusion, self.world.now()
        self.settle(run.suite)
        return run

    def settle(self, suite: CheckSuite) -> None:
        """Make a suite's status and conclusion follow from its runs (the worst one counts)."""
        runs = [run for run in self.check_runs.values() if run.suite is suite]
        if any(run.status != "completed" for run in runs):
            suite.status, suite.conclusion = "in_progress", None
            return
        conclusions = {run.conclusion for run in runs}
        ranking = ("action_required", "failure", "timed_out", "cancelled", "success", "neutral", "skipped")
        suite.status = "completed"
        suite.conclusion = next((word for word in ranking if word in conclusions), "neutral")

    def set_status(
        self,
        sha: str,
        state: str,
        *,
        context: str = "default",
        description: str | None = None,
        target_url: str | None = None,
        creator: str | Account = "mona",
    ) -> CommitStatus:
        """Put a status of the older kind on a commit."""
        made = CommitStatus(
            id=self.world.next_id(),
            sha=sha,
            context=context,
            state=state,
            description=description,
            target_url=target_url,
            creator=self.world.account(creator),
            created_at=self.world.now(),
        )
        self.statuses[made.id] = made
        return made

    def workflow_run(
        self,
        sha: str,
        jobs: Sequence[tuple[str, str, str]] = (),
        *,
        name: str = "CI",
        path: str = ".github/workflows/ci.yml",
        event: str = "pull_request",
        branch: str | None = None,
        actor: str | Account = "mona",
        head_repository: str | None = None,
        status: str = "completed",
    ) -> WorkflowRun:
        """Record a workflow run with its jobs, each (name, conclusion, log), and their check suite and runs."""
        now = self.world.now()
        suite = self.suite(self.world.actions_app, sha, branch, fresh=True)
        made = WorkflowRun(
            id=self.world.next_id(),
            number=len(self.runs) + 1,
            name=name,
            path=path,
            event=event,
            head_sha=sha,
            head_branch=branch or suite.head_branch,
            head_repository=head_repository or self.full_name,
            suite=suite,
            actor=self.world.account(actor),
            status=status,
            conclusion=None,
            created_at=now,
            updated_at=now,
        )
        self.runs[made.id] = made
        for job in jobs:
            self._add_job(made, *job)
        if status == "completed":
            self.settle(suite)
            made.conclusion = suite.conclusion if jobs else "success"
        return made

    def _add_job(self, run: WorkflowRun, name: str, conclusion: str, log: str) -> None:
        done = run.status == "completed"
        check = self.check_run(name, run.head_sha, app=self.world.actions_app, status=run.status, suite=run.suite)
        if done:
            self.conclude(check, conclusion)
        run.jobs.append(
            Job(
                id=check.id,
                name=name,
                log=log,
                status=run.status,
                conclusion=conclusion if done else None,
                steps=(*_STEPS, (f"Run {name}", conclusion)),
                started_at=run.created_at,
                completed_at=run.created_at if done else None,
            )
        )
