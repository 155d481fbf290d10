"""Commit messages, with the trailers by which fixloop knows its own commits."""

from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState

RUN_TRAILER = "Fixloop-Run"
LAYER_TRAILER = "Fixloop-Layer"
ITERATION_TRAILER = "Fixloop-Iteration"


def fix_message(state: LoopState, layer: Layer, iteration: int) -> str:
    """Return the message of one attempt's change; iteration 0 is the free fixers'."""
    return _message(state, f"fix-loop: {layer} fix {_numbered(iteration)}", layer, iteration)


def clean_message(state: LoopState, layer: Layer, iteration: int, *, decided: bool = False) -> str:
    """Return the message of the one commit that makes the layer clean."""
    how = "(decision)" if decided else _numbered(iteration)
    return _message(state, f"fix-loop: {layer} clean {how}", layer, iteration, decided=decided)


def decision_message(state: LoopState, layer: Layer) -> str:
    """Return the message of the commit that does exactly what a person decided."""
    return _message(state, f"fix-loop: {layer} fix (decision)", layer, 0, decided=True)


def proposal_message(state: LoopState) -> str:
    """Return the message of the commit, never checked out or pushed, that a question is about."""
    return f"fix-loop: proposed, and waiting for a decision\n\n{RUN_TRAILER}: {state.run_id}\n"


def without_message(state: LoopState) -> str:
    """Return the message of the commit, never pushed, on which the gate runs without the agent's own tests."""
    return f"fix-loop: the gate without new tests\n\n{RUN_TRAILER}: {state.run_id}\n"


def revert_message(sha: str, what: str, *, by: str) -> str:
    """Return the message of a commit that takes one of fixloop's commits back, on a person's word."""
    subject = f"fix-loop: revert {what}"[:72]
    return f"{subject}\n\nThis reverts commit {sha}, as {by} asked.\n\n{RUN_TRAILER}: revert-{sha[:12]}\n"


def _numbered(iteration: int) -> str:
    return f"(iteration {iteration})" if iteration else "(free)"


def _message(state: LoopState, subject: str, layer: Layer, iteration: int, *, decided: bool = False) -> str:
    number = str(iteration or ("decision" if decided else "free"))
    trailers = {RUN_TRAILER: state.run_id, LAYER_TRAILER: str(layer), ITERATION_TRAILER: number}
    return subject + "\n\n" + "\n".join(f"{name}: {value}" for name, value in trailers.items()) + "\n"
