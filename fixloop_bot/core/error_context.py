"""What failed jobs and checks said, as one text for the first diagnosis."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.model.forge import FailedCheck, JobLog

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z ?", re.ASCII)
"""Before every line of a job's log (GitHub Actions)."""
_NOISE = ("##[group]", "##[endgroup]", "##[debug]", "##[command]")
_ERROR = "##[error]"


def join_context(logs: Sequence[JobLog], checks: Sequence[FailedCheck]) -> str:
    """Return the texts, each under its job's or check's name; empty where there are none."""
    parts = [f"{log.name}\n{job_text(log.text)}" for log in logs]
    parts += [f"{check.name}\n{check.title}\n{check.summary}\n{check.text}".rstrip() for check in checks]
    return "\n\n".join(parts)


def job_text(log: str) -> str:
    """Return a job's log as its commands printed it: without time stamps and the runner's own marks."""
    return "\n".join(_lines(log))


def _lines(log: str) -> Iterator[str]:
    for line in log.removeprefix("\ufeff").split("\n"):
        plain = _STAMP.sub("", line.rstrip("\r"), count=1)
        if not plain.startswith(_NOISE):
            yield plain.removeprefix(_ERROR)
