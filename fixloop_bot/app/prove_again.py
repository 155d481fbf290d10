"""A recorded termination gate, run again: the commit's own checks, never a record's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fixloop_bot.app.set_up import set_up
from fixloop_bot.app.validate import validate
from fixloop_bot.core.as_typed import as_text, command_line
from fixloop_bot.core.evidence import command_key, counts_of
from fixloop_bot.core.proof import ended_now, lacking, other_commands, other_results
from fixloop_bot.model.command import RUNNER_LAYERS, Plan
from fixloop_bot.model.proof import Claim, Proof, Verdict
from fixloop_bot.ports import Clock, Progress
from fixloop_bot.ports.project import CommandRunner, Project


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """The recorded commit on disk, and the world to run its checks in."""

    plan: Plan
    """Of the commit itself."""
    project: Project
    runner: CommandRunner
    progress: Progress
    clock: Clock
    redact: Callable[[str], str]
    """As records are redacted: a record's commands are compared in that spelling."""


def prove_again(claim: Claim, again: Again) -> Proof:
    """Return whether the claim holds: same commands, all of them pass, the same tests.

    Where the commands differ already, nothing is run.
    """
    planned = [again.redact(key) for key in planned_keys(again.plan)]
    if differs := other_commands(claim, planned):
        return Proof(verdict=Verdict.BROKEN, claim=claim, why=differs)
    if failed := set_up(again.plan, again.project, again.runner, again.progress):
        return Proof(verdict=Verdict.UNCHECKED, claim=claim, why=(failed,))
    validation = validate(again.plan, again.project, again.runner, again.progress, clock=again.clock, purpose="verify")
    lacks, differs = lacking(validation), other_results(claim, validation)
    verdict = Verdict.UNCHECKED if lacks else Verdict.BROKEN if differs else Verdict.HOLDS
    return Proof(
        verdict=verdict,
        claim=claim,
        why=lacks or differs,
        commands=ended_now(validation, again.redact),
        tests={str(result.name): counts_of(result.tests) for result in validation.layers if result.tests},
    )


def planned_keys(plan: Plan) -> Iterator[str]:
    """Yield each check of a plan as the evidence names it."""
    if plan.runner is not None:
        for layer in RUNNER_LAYERS:
            yield command_key(layer, ".", f"{plan.runner} --project-root . --layer {layer}")
    for check in plan.checks:
        if plan.runner is not None and check.layer in RUNNER_LAYERS:
            continue
        yield command_key(check.layer, as_text(check.project), command_line(check.command))
