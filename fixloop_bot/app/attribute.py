"""Whose failure it is: the failing checks run again, on the head and on the merge base, before money is spent."""

from dataclasses import replace

from fixloop_bot.app.look import again, layer_at
from fixloop_bot.core.as_typed import command_line
from fixloop_bot.core.attribute import RUNS, attributed, attribution_words, weigh
from fixloop_bot.core.twice import compare_runs, learned
from fixloop_bot.model.command import Plan
from fixloop_bot.model.layer import LayerResult
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports
from fixloop_bot.ports.project import NoFreshCheckoutError


def attribute(state: LoopState, ports: Ports) -> LoopState:
    """Return the state that knows what of its failure is flaky, and what fails on the merge base too."""
    if state.failure is None:
        raise ValueError("nothing fails")
    first = state.failure.result
    ports.model.prepare()  # its library takes seconds to load: as long as the checks run again, nobody waits for it
    plan = failing_checks(ports.plan, first)
    narrow = replace(ports, plan=replace(plan, self_contained=frozenset()))  # what fails beside others alone shows here
    runs = [first, *_again(state, narrow, first, most=1)]
    twice = compare_runs(*runs) if len(runs) > 1 else None
    if twice and not twice.steady:
        runs += _again(state, narrow, first, most=RUNS - len(runs))
    state = learned(state, first.name, twice.noise) if twice else state
    at_base = _at_base(state, narrow, first)
    found = weigh(state, runs, at_base)
    state = attributed(state, found)
    for words in attribution_words(replace(state, attributions=(found,)))[:20]:
        ports.progress.note(words)
    return state


def failing_checks(plan: Plan, result: LayerResult) -> Plan:
    """Return the plan with those checks of the layer alone that did not pass; as it is where none is known by name."""
    bad = {(item.project, item.command) for item in result.evidence if item.exit_code != 0}
    checks = tuple(
        one for one in plan.checks if one.layer is result.name and (one.project, command_line(one.command)) in bad
    )
    return replace(plan, checks=checks) if checks else plan


def _again(state: LoopState, ports: Ports, first: LayerResult, *, most: int) -> list[LayerResult]:
    """Return the results of more runs on the same tree."""
    looked = (again(state, ports, first.name) for _ in range(most))
    return [result for result in looked if result is not None]


def _at_base(state: LoopState, ports: Ports, first: LayerResult) -> LayerResult | None:
    if not state.base_commit or state.base_commit == state.head:
        return None
    try:
        return layer_at(state, ports, state.base_commit, first.name)
    except NoFreshCheckoutError as error:  # what the base needs may not be what this branch installs
        ports.progress.note(f"nothing is known of the merge base: {error}")
        return None
