"""Runs of the service whose question nobody has to answer any more: a later run on the branch took their place."""

from collections.abc import Sequence
from dataclasses import replace

from fixloop_bot.model.history import RunFacts


def with_followers(runs: Sequence[RunFacts]) -> tuple[RunFacts, ...]:
    """Return the runs, newest first as they are given; those that wait name the newest later run of their branch."""
    newest: dict[str, str] = {}
    found = []
    for run in runs:
        branch = run.origin.branch if run.origin else ""
        later = newest.get(branch, "")
        found.append(replace(run, followed_by=later) if later and waits(run) else run)
        if branch:
            newest.setdefault(branch, run.run_id)
    return tuple(found)


def waits(run: RunFacts) -> bool:
    """Return whether the records say that the run stands still until somebody answers."""
    end = run.standing.end if run.standing else None
    return end is not None and end.terminal is None and run.terminal is None
