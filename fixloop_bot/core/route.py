"""From a trigger and what is known about it to a ticket, a refusal, or a reason to do nothing.

Each kind of trigger has its list of gates, cheapest first; a gate names the fact that it needs. `route` asks for one
fact at a time, so nothing is looked up for what an earlier gate turns away:

    while isinstance(result := route(trigger, facts), Ask):
        facts = replace(facts, **{result.fact: look_up(result.fact)})
"""

from fixloop_bot.core.route_gates import gates
from fixloop_bot.core.tickets import to_ticket
from fixloop_bot.model.event import Trigger
from fixloop_bot.model.ticket import Ask, Fact, Routed, RouteFacts


def route(trigger: Trigger, facts: RouteFacts) -> Routed | Ask:
    """Return what the trigger comes to, or the one fact that is to be looked up next."""
    for gate in gates(trigger):
        if gate.fact and not is_known(facts, gate.fact):
            return Ask(gate.fact)
        if verdict := gate.check(trigger, facts):
            return verdict
    return to_ticket(trigger, facts)


def needs(trigger: Trigger) -> tuple[Fact, ...]:
    """Return all facts that may be asked for, in their order; an early verdict asks for fewer."""
    return tuple(dict.fromkeys(gate.fact for gate in gates(trigger) if gate.fact))


def is_known(facts: RouteFacts, fact: Fact) -> bool:
    """Return whether the fact was looked up already."""
    return getattr(facts, fact) is not None
