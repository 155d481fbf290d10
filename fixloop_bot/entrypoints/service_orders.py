"""The jobs that follow from a job: a run of a branch, a sweep of a repository."""

import hashlib
from dataclasses import replace

from fixloop_bot.adapters.codec import encode, to_json_value
from fixloop_bot.model.event import RepositoryRef
from fixloop_bot.model.ticket import RunTicket, SweepTicket
from fixloop_bot.ports.jobs import SWEEP_ONE, JobKind, JobOrder


def to_run_order(ticket: RunTicket, event: JobOrder) -> JobOrder:
    """Return the job of a ticket. Its id follows from the event's: an event that is judged again adds no second run."""
    return replace(
        event,
        job_id=f"{event.job_id}-run",
        kind=JobKind.RUN,
        branch=branch_key(event.repository, ticket.head_repository, ticket.branch),
        head=ticket.head_sha,
        body=encode(to_json_value(ticket)).encode(),
    )


def branch_key(repository: str, head: RepositoryRef | None, branch: str) -> str:
    """Return the name under which a branch is worked on: `head/repository:branch`.

    With the repository that asks before it where that is another one: whoever opens a pull request from a branch of
    somebody else's has no say in what is done there.
    """
    if head is None or head.full_name == repository:
        return f"{repository}:{branch}"
    return f"{repository}<{head.full_name}:{branch}"


def to_swept_order(ticket: RunTicket, sweep: JobOrder) -> JobOrder:
    """Return the job of a sweep's choice; a sweep that is worked on again adds no second run of a branch."""
    made = to_run_order(ticket, sweep)
    name = hashlib.sha256(made.branch.encode()).hexdigest()[:10]
    return replace(made, job_id=f"{sweep.job_id}-{name}-run")


def to_sweep_order(ticket: SweepTicket, order: JobOrder, job_id: str) -> JobOrder:
    """Return the job of one repository's sweep; `order` is what asked for it."""
    body = encode(to_json_value(ticket)).encode()
    return replace(order, job_id=job_id, kind=JobKind.EVENT, event=SWEEP_ONE, body=body)
