"""The loop: decide, act, write down."""

from typing import assert_never

from fixloop_bot.app.answer import take_answer
from fixloop_bot.app.apart import without_proof
from fixloop_bot.app.attribute import attribute
from fixloop_bot.app.change import quoted, repair_with_agent
from fixloop_bot.app.close import stop
from fixloop_bot.app.learn import learn
from fixloop_bot.app.look import detect, fix_free
from fixloop_bot.app.prove import gate, verify
from fixloop_bot.app.triage import triage
from fixloop_bot.core.decide import decide, escalated
from fixloop_bot.model.decision import (
    Attribute,
    Decision,
    Detect,
    Escalate,
    FixFree,
    Gate,
    Repair,
    Stop,
    TakeAnswer,
    Triage,
    Verify,
)
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports
from fixloop_bot.ports.project import NoFreshCheckoutError


def repair(state: LoopState, ports: Ports) -> LoopState:
    """Return the state at the run's end, or where it waits for a person."""
    while not state.ended:
        state = attempt(state, ports)
    return state


def attempt(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after one more attempt, or at the end: the unit that a durable engine checkpoints."""
    done = len(state.attempts)
    while not state.ended and len(state.attempts) == done:
        state = step(state, ports)
    return state


def step(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after one decision, already written down."""
    state = quoted(state, ports)
    before = state
    try:
        state = perform(decide(state, ports.clock.now()), state, ports)
    except NoFreshCheckoutError as error:
        ports.progress.note(str(error))
        state = without_proof(state, str(error), now=ports.clock.now())
    ports.records.save(state)
    learn(before, state, ports)
    ports.progress.state_changed(state)
    return state


def perform(decision: Decision, state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the decision is carried out."""
    match decision:
        case TakeAnswer() | Detect() | Attribute() | FixFree():
            return _free_of_charge(decision, state, ports)
        case Repair():
            return repair_with_agent(decision, state, ports)
        case Triage():
            return triage(decision, state, ports)
        case Verify():
            return verify(state, ports)
        case Escalate():
            ports.progress.note(f"escalated to {state.models.escalated}: {decision.reason}")
            return escalated(state)
        case Gate():
            return gate(state, ports)
        case Stop():
            return stop(decision, state, ports)
        case _:
            assert_never(decision)


def _free_of_charge(decision: TakeAnswer | Detect | Attribute | FixFree, state: LoopState, ports: Ports) -> LoopState:
    match decision:
        case TakeAnswer():
            return take_answer(state, ports)
        case Detect():
            return detect(state, ports)
        case Attribute():
            return attribute(state, ports)
        case FixFree():
            return fix_free(decision, state, ports)
