"""GitHub as fixloop's `Forge`."""

from types import TracebackType
from typing import Self

from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.github.branches import Branches
from fixloop_bot.adapters.github.check_runs import CheckRuns
from fixloop_bot.adapters.github.identity import WhoAmI
from fixloop_bot.adapters.github.job_logs import JobLogs
from fixloop_bot.adapters.github.others_checks import OthersChecks
from fixloop_bot.adapters.github.pull_requests import PullRequests
from fixloop_bot.adapters.github.session import Session
from fixloop_bot.adapters.github.threads import Threads
from fixloop_bot.model.ticket import Identity


class GitHubForge(Branches, CheckRuns, JobLogs, OthersChecks, PullRequests, Threads):
    """One repository on GitHub; a context manager that closes its connections.

    Importing this module imports PyGithub (0.4 s): do it where GitHub is spoken to.
    """

    def __init__(self, access: GitHubAccess) -> None:
        self._session = Session(access)
        self._who = WhoAmI(self._session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._session.close()

    def identity(self) -> Identity:
        """See `ForgeFacts`."""
        return self._who.identity()

    def may_change_workflows(self) -> bool | None:
        """See `ForgeSurvey`."""
        return self._who.may_change_workflows()
