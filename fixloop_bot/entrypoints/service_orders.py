"""The jobs that follow from a job: a run of a branch, a sweep of a repository."""

import hashlib
from dataclasses import replace

from fixloop_bot.adapters.codec import encode, to_json_value
from fixloop_bot.model.ticket import RunTicket, SweepTicket
from fixloop_bot.ports.jobs import SWEEP_ONE, JobKind, JobOrder


def to_run_order(ticket: RunTicket, event: JobOrder) -> JobOrder:
    """Return the job of a ticket. Its id follows from the event's: an event that is judged again adds no second run."""
    where = ticket.head_repository.full_name if ticket.head_repository else event.repository
    return replace(
        event,
        job_id=f"{event.job_id}-run",
        kind=JobKind.RUN,
        branch=f"{where}:{ticket.branch}",
        head=ticket.head_sha,
        body=encode(to_json_value(ticket)).encode(),
    )


def to_swept_order(ticket: RunTicket, sweep: JobOrder) -> JobOrder:
    """Return the job of a sweep's choice; a sweep that is worked on again adds no second run of a branch."""
    made = to_run_order(ticket, sweep)
    name = hashlib.sha256(made.branch.encode()).hexdigest()[:10]
    return replace(made, job_id=f"{sweep.job_id}-{name}-run")


def to_sweep_order(ticket: SweepTicket, order: JobOrder, job_id: str) -> JobOrder:
    """Return the job of one repository's sweep; `order` is what asked for it."""
    body = encode(to_json_value(ticket)).encode()
    return replace(order, job_id=job_id, kind=JobKind.EVENT, event=SWEEP_ONE, body=body)
