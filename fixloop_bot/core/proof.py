"""A claimed termination gate against what is found now; whatever differs is named."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fixloop_bot.core.evidence import command_key, counts_of
from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.layer import LayerResult, LayerStatus, Validation
from fixloop_bot.model.proof import Claim, Ended, Proof, Verdict

SHOWN = 5
"""Differences that the line tells; JSON has all."""
LINE_LIMIT = 2_000
VERDICT_WORDS = {Verdict.HOLDS: "HOLDS", Verdict.BROKEN: "DOES NOT HOLD", Verdict.UNCHECKED: "CANNOT BE CHECKED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What git says of a claim's commits."""

    tree: str
    on_person_head: bool
    """Whether the commit is the person's head or comes after it."""
    has_attempt: bool
    """Whether the attempt's commit is part of it."""
    runs: tuple[str, ...] = ()
    """The run that each commit above the person's head names in its trailer."""
    protected: tuple[str, ...] = ()
    """Protected files that differ from the person's head, a clause each."""


def other_history(claim: Claim, found: History) -> tuple[str, ...]:
    """Return how the commits differ from what is claimed of them, a clause each."""
    if not found.on_person_head:
        return (f"the commit does not come after the person's head {claim.person_head}",)
    others = sum(run != claim.run_id for run in found.runs)
    return (
        *([f"the commit's tree is {found.tree}, recorded {claim.tree}"] if found.tree != claim.tree else []),
        *([f"the attempt's commit {claim.attempt_commit} is no part of it"] if not found.has_attempt else []),
        *([f"{others} commits above the person's head are not this run's"] if others else []),
        *found.protected,
    )


def other_commands(claim: Claim, planned: Iterable[str]) -> tuple[str, ...]:
    """Return how the recorded commands differ from those that the commit's own plan has, a clause each.

    `planned` are `command_key`s. A command that is only recorded is no command of this repository.
    """
    known = frozenset(planned)
    foreign = [f"the commit has no such check: {key}" for key in sorted(claim.commands) if key not in known]
    return (*foreign, *(f"the record lacks a check: {key}" for key in sorted(known) if key not in claim.commands))


def other_results(claim: Claim, validation: Validation) -> tuple[str, ...]:
    """Return how a validation of all layers differs from what is claimed, a clause each."""
    return tuple(_other_results(claim, validation))


def lacking(validation: Validation) -> tuple[str, ...]:
    """Return what the environment lacked, so that the validation proves nothing either way."""
    found = validation.failing
    if found is None or not (found.missing or found.environmental):
        return ()
    what = found.missing or (found.reason or "the failure is the environment's",)
    return tuple(f"{found.name}: {one}" for one in what)


def ended_now(validation: Validation, redact: Callable[[str], str]) -> Mapping[str, Ended]:
    """Return how each command ended, by its key as a record spells it."""
    return {
        redact(command_key(result.name, one.project, one.command)): Ended(one.exit_code, one.output_sha256)
        for result in validation.layers
        for one in result.evidence
    }


def proof_line(proof: Proof) -> str:
    """Return the verdict in one line."""
    head, claim = VERDICT_WORDS[proof.verdict], proof.claim
    if proof.verdict is Verdict.HOLDS and claim:
        tests = "".join(f", {counts.executed} tests" for counts in proof.tests.values())
        text = (
            f"run {claim.run_id}, commit {claim.commit}: all layers pass again "
            f"({len(proof.commands)} commands{tests}); protected files are as on {claim.person_head}{_but_for(claim)}."
        )
    else:
        more = f"; and {len(proof.why) - SHOWN} more" if len(proof.why) > SHOWN else ""
        where = f"run {claim.run_id}, commit {claim.commit}: " if claim else ""
        text = where + "; ".join(one_line(why, limit=300) for why in proof.why[:SHOWN]) + more
    return one_line(f"{head}: {text}", limit=LINE_LIMIT)


def _but_for(claim: Claim) -> str:
    """Return what the record says was allowed: whoever reads the verdict has to know of it."""
    paths = ", ".join(sorted(claim.allowed)[:SHOWN])
    return f", but for what the record says was allowed: {paths}" if paths else ""


def proof_json(proof: Proof) -> dict[str, Any]:
    """Return the verdict with all that led to it."""
    claim = proof.claim
    return {
        "verdict": str(proof.verdict),
        "line": proof_line(proof),
        "run_id": claim.run_id if claim else None,
        "commit": claim.commit if claim else None,
        "tree": claim.tree if claim else None,
        "person_head": claim.person_head if claim else None,
        "allowed": sorted(claim.allowed) if claim else [],
        "why": list(proof.why),
        "commands": [_command(key, claim.commands, proof.commands) for key in _keys(proof)] if claim else [],
        "tests": {layer: str(counts) for layer, counts in proof.tests.items()},
    }


def _other_results(claim: Claim, validation: Validation) -> Iterator[str]:
    for result in validation.layers:
        yield from _bad(claim, result)
        counts, recorded = counts_of(result.tests) if result.tests else None, claim.tests.get(str(result.name))
        if counts != recorded:
            yield f"{result.name}: {counts or 'no count of tests'}; recorded: {recorded or 'none'}"
    if validation.overall is LayerStatus.SKIP:
        yield "every layer is skipped"


def _bad(claim: Claim, result: LayerResult) -> Sequence[str]:
    if result.status in (LayerStatus.PASS, LayerStatus.SKIP):
        return ()
    ended = [
        f"{command_key(result.name, one.project, one.command)}: exit {one.exit_code}, recorded 0"
        for one in result.evidence
        if one.exit_code != 0
    ]
    return ended or [f"{result.name}: {result.reason or result.status}, recorded a pass of {claim.commit[:12]}"]


def _keys(proof: Proof) -> Sequence[str]:
    recorded = proof.claim.commands if proof.claim else {}
    return sorted({*recorded, *proof.commands})


def _command(key: str, recorded: Mapping[str, Ended], now: Mapping[str, Ended]) -> dict[str, Any]:
    then, found = recorded.get(key), now.get(key)
    return {
        "command": key,
        "recorded_exit_code": then.exit_code if then else None,
        "ran": found is not None,
        "exit_code": found.exit_code if found else None,
        "same_output": bool(then and found and then.output_sha256 == found.output_sha256),
    }
