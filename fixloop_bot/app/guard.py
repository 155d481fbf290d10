"""The guard at work: every change is judged by its text before its checks are believed."""

from collections.abc import Sequence
from dataclasses import replace

from fixloop_bot.app.settle import keep_patch, settle
from fixloop_bot.core.approved import not_approved
from fixloop_bot.core.guard.expectations import expectations
from fixloop_bot.core.guard.judge_change import described, judge_change, worst
from fixloop_bot.core.judge import judge_no_change
from fixloop_bot.model.attempt import Failure, Verdict
from fixloop_bot.model.guard import Author, Change, Finding, Severity
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.ports import Ports

DECISIVE = (Severity.CRITICAL, Severity.HIGH)


def guard_attempt(state: LoopState, ports: Ports) -> LoopState:
    """Return the state with the findings on the pending attempt's commit; what is decisive is settled already.

    High undoes the attempt; critical ends the run as well. The attempt is gone from `pending` then.
    """
    attempt = state.pending
    if attempt is None or attempt.commit is None:
        return state
    base = attempt.base or state.start_commit
    found = _findings(base, attempt.commit, Author.AGENT, state, ports, failure=state.failure)
    state = replace(state, pending=replace(attempt, guard=found))
    if worst(found) not in DECISIVE:
        return state
    why = f"the guard: {described(found)}"
    state = settle(judge_no_change(state, why, verdict=Verdict.REFUSED), ports)
    if worst(found) is Severity.CRITICAL:
        state = replace(state, violations=violations(found), phase=Phase.DECIDE)
    return state


def guard_fixers(layer: Layer, commit: str, state: LoopState, ports: Ports) -> bool:
    """Return whether the fixers' commit on `state.head` may stay; one that may not is salvaged and undone."""
    found = _findings(state.head, commit, Author.FIXER, state, ports)
    if worst(found) not in DECISIVE:
        return True
    why = f"the guard undid the {layer} fixers' work: {described(found)}"
    patch = ports.worktree.patch(state.head)
    keep_patch(state, ports, patch, base=state.head, name=f"{state.run_id}-fixers-{commit[:8]}", why=why)
    ports.worktree.reset(state.head)
    ports.progress.note(why)
    return False


def guard_run(state: LoopState, ports: Ports) -> tuple[Finding, ...]:
    """Return what is decisive in the whole run's commits, each judged as what it is: the agent's or the fixers'."""
    parts, base = [], state.start_commit
    for fix in state.fix_commits:
        parts.append((base, fix.commit, Author.RUN if fix.iteration or fix.decided else Author.FIXER))
        base = fix.commit
    if base != state.head:
        parts.append((base, state.head, Author.RUN))
    found = (each for part in parts for each in _findings(*part, state, ports))
    return tuple(each for each in found if each.severity in DECISIVE)


def violations(found: Sequence[Finding]) -> tuple[str, ...]:
    """Return the findings that end a run, a clause each."""
    return tuple(dict.fromkeys(f"{each.path or 'the change'} {each.message} [{each.rule_id}]" for each in found[:20]))


def _findings(
    base: str, commit: str, author: Author, state: LoopState, ports: Ports, *, failure: Failure | None = None
) -> tuple[Finding, ...]:
    """Return what is found in the change, but in files that are exactly as a person approved them."""
    files, left_out = ports.worktree.file_changes(base, commit)
    change = Change(files=not_approved(files, state.approved), author=author, left_out=left_out)
    if failure is not None:
        result = failure.result
        change = replace(
            change,
            expectations=expectations(result, ports.project.read),
            affected=(*result.affected_files, *(item.path for item in result.diagnostics if item.path)),
            error_count=max(result.error_count, 1),
        )
    return judge_change(change, ports.protection)
