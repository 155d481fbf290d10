"""The logs of failed jobs: their ends, from the store that GitHub points at."""

from collections.abc import Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Final

import requests
from github.WorkflowJob import WorkflowJob

from fixloop_bot.adapters.github.others_checks import ACTIONS, FAILED
from fixloop_bot.adapters.github.session import MOST_LISTED, Session
from fixloop_bot.model.forge import JobLog
from fixloop_bot.model.ticket import Absent

MOST_JOBS: Final = 10
KEPT: Final = 1_000_000
"""Bytes of a log, its end."""
_MOST_READ: Final = 256_000_000
"""Bytes; a log that is longer is given up on where it stands."""
_MOST_S: Final = 60.0
_CHUNK: Final = 65_536


class JobLogs:
    """The part of `Forge` that is about logs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def failed_job_logs(self, run_ids: Sequence[int]) -> tuple[JobLog, ...]:
        """See `ForgeSurvey`."""
        jobs = [job for run_id in dict.fromkeys(run_ids) for job in self._failed(run_id)]
        logs = (self._log(job) for job in jobs[:MOST_JOBS])
        return tuple(log for log in logs if log is not None)

    def _failed(self, run_id: int) -> list[WorkflowJob]:
        jobs = self._session.repo.get_workflow_run(run_id)
        found = self._session.find(
            ACTIONS, lambda: [one for one in islice(jobs.jobs("latest"), MOST_LISTED) if one.conclusion in FAILED]
        )
        return [] if isinstance(found, Absent) else found

    def _log(self, job: WorkflowJob) -> JobLog | None:
        address = self._session.find(ACTIONS, job.logs_url)
        if isinstance(address, Absent):
            return None
        end = self._session.ask(ACTIONS, lambda: _end(address, self._session.access.patience.timeout_s))
        if end is None:
            return None
        text, cut = end
        return JobLog(name=job.name, conclusion=job.conclusion or "", text=text, cut=cut)


def _end(address: str, timeout_s: int) -> tuple[str, bool] | None:
    """Return a log's end and whether something is missing before it, None if the store has it no more.

    The address is signed and good by itself; GitHub's credential must not go there, nor anything from a .netrc file.
    """
    with requests.Session() as plain:
        plain.auth = _without_credential
        with plain.get(address, stream=True, timeout=timeout_s) as answer:
            if not answer.ok:
                return None
            end, cut = _tail(answer.iter_content(_CHUNK))
    return end.decode("utf-8-sig" if not cut else "utf-8", "replace"), cut


def _tail(chunks: Iterator[bytes]) -> tuple[bytes, bool]:
    """Return the last bytes and whether there were more; bounded in memory, bytes and time."""
    kept, read, until = bytearray(), 0, monotonic() + _MOST_S
    for chunk in chunks:
        kept += chunk
        read += len(chunk)
        if len(kept) > 2 * KEPT:
            del kept[:-KEPT]
        if read > _MOST_READ or monotonic() > until:
            break
    return bytes(kept[-KEPT:]), read > KEPT


def _without_credential(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request
