"""Looking at a commit in a fresh checkout: what `setup` installs there is all that its checks have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.app.set_up import set_up
from fixloop_bot.app.validate import validate
from fixloop_bot.core.leftovers import leftovers
from fixloop_bot.core.protect import Protection
from fixloop_bot.core.relocated import relocated
from fixloop_bot.model.command import Plan
from fixloop_bot.model.layer import Layer, Validation
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState
from fixloop_bot.ports import Clock, Ports, Progress
from fixloop_bot.ports.project import FreshCheckouts, NoFreshCheckoutError, Project

MEND = "mend the `setup` commands in .fixloop.yml, or what they need"
MEND_AFRESH = (
    "the `setup` commands in .fixloop.yml must install all that the checks need where nothing is installed yet, "
    "also the environment itself (`.venv`): mend them, or what they need"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """What is looked at in fresh checkouts, and how."""

    plan: Plan
    checkouts: FreshCheckouts
    project: Project
    """The worktree, which the results are told of."""
    protection: Protection
    progress: Progress
    clock: Clock


def apart(ports: Ports) -> Apart | None:
    """Return what the gate needs to work in fresh checkouts; None where it does not, as only `setup` makes them run."""
    if not ports.plan.setup or ports.fresh_checkouts is None:
        return None
    return Apart(
        plan=ports.plan,
        checkouts=ports.fresh_checkouts,
        project=ports.project,
        protection=ports.protection,
        progress=ports.progress,
        clock=ports.clock,
    )


def look_apart(
    commit: str,
    place: Apart,
    *,
    only: Layer | None = None,
    purpose: str,
    noise: Mapping[Layer, Sequence[str]] | None = None,
) -> Validation:
    """Set up a fresh checkout of the commit and validate it; the result speaks of it as of the worktree.

    `setup` may leave what it makes, but no change of a tracked file and no new file that would be a protected one.
    Raises `NoFreshCheckoutError`, also for a `setup` that fails there.
    """
    plan, progress = place.plan, place.progress
    progress.note(f"{purpose}: in a fresh checkout; running setup")
    with place.checkouts.open(commit) as fresh:
        if why := set_up(plan, fresh.project, fresh.runner, progress):
            raise NoFreshCheckoutError(f"in a fresh checkout, {why}")
        fresh.seal(lambda path: bool(leftovers((path,))) and place.protection.rule(path) is not None)
        seen = validate(
            plan, fresh.project, fresh.runner, progress, only=only, clock=place.clock, purpose=purpose, noise=noise
        )
        here = {fresh.project.root: place.project.root, fresh.project.scratch: place.project.scratch}
        return replace(relocated(seen, here), tree=fresh.tree, setup=plan.setup)


def without_proof(state: LoopState, why: str, *, now: float) -> LoopState:
    """Return the state of a run whose gate could not be held: the environment's fault, unless its time is over."""
    if now >= state.limits.deadline:
        return state
    return replace(state, ending=not_set_up(why, suggestion=MEND_AFRESH))


def not_set_up(why: str, *, suggestion: str = MEND) -> End:
    """Return the end of a run whose dependencies could not be installed."""
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.ENVIRONMENT,
        reason=why,
        suggestion=suggestion,
    )


def where_looked(validation: Validation) -> str:
    """Return where a gate looked, and what that means for what it does not find."""
    if not validation.setup:
        return "on the committed tree alone"
    return (
        "in a fresh checkout after `setup`; what made it pass in the worktree is in no commit, "
        "such as an old build or a changed file of an installed package"
    )
