"""Bringing repaired commits to people: pushed, proposed, suggested or offered as a patch, and never by force."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from fixloop_bot.core.delivery import learn, plan_delivery
from fixloop_bot.core.render.escape import prose
from fixloop_bot.core.render.suggestion import to_suggestions
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.delivery import (
    DeliverNothing,
    DeliveryFacts,
    DeliveryPlan,
    FixCommit,
    HeadMoved,
    Landed,
    OfferPatch,
    OpenPullRequest,
    PushOrder,
    PushRefused,
    PushToHead,
    RebaseConflict,
    RebaseFirst,
)
from fixloop_bot.model.event import PullRequest
from fixloop_bot.model.forge import Proposal, PushAllowed
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.report import (
    Delivery,
    NothingDelivered,
    PatchOffered,
    PullRequestOpened,
    Pushed,
    Suggested,
)
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import Absent, RunTicket
from fixloop_bot.ports import Progress
from fixloop_bot.ports.forge import Forge
from fixloop_bot.ports.workshop import Workshop

STEPS = 12
"""Plans that one delivery makes at most: each refusal and each moved head leads to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """One delivery under way: what it is about, and whom it asks."""

    ticket: RunTicket
    state: LoopState
    config: RepoConfig
    forge: Forge
    workshop: Workshop
    progress: Progress
    redact: Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What became of the commits, and the state with the commits as they stand now."""

    delivery: Delivery
    state: LoopState
    left_out: tuple[FixCommit, ...] = ()
    """What needs a person: the token may not push it."""


def deliver(errand: Errand) -> Delivered:
    """Plan, act, and plan again with what was learned, until something stands where people see it."""
    facts, base = _facts(errand), errand.ticket.head_sha
    for _ in range(STEPS):
        plan = _planned(errand, facts)
        match plan:
            case DeliverNothing():
                return Delivered(delivery=NothingDelivered(), state=errand.state)
            case OfferPatch():
                return _offered(errand, plan, base)
            case RebaseFirst():
                errand, facts, base, stuck = _rebased(errand, facts, base)
                if stuck:
                    return _offered(errand, OfferPatch(stuck, facts.commits), base)
            case PushToHead() | OpenPullRequest():
                outcome = _push(errand, plan, base)
                if isinstance(outcome, Landed):
                    return _landed(errand, plan)
                facts = _learned(errand, facts, outcome)
    return _offered(errand, OfferPatch("the push was refused again and again", facts.commits), base)


def _facts(errand: Errand) -> DeliveryFacts:
    ticket, forge = errand.ticket, errand.forge
    commits = errand.workshop.commits(errand.state)
    if not commits:
        return DeliveryFacts(commits=(), branch=ticket.branch)
    own = not ticket.from_fork
    default = own and ticket.branch == forge.repository().default_branch
    end = errand.state.end
    return DeliveryFacts(
        commits=commits,
        branch=ticket.branch,
        head_sha=ticket.head_sha,
        policy=errand.config.push,
        terminal=end.terminal if end else None,
        pull_request=ticket.pull_request,
        from_fork=ticket.from_fork,
        protected=default or (own and forge.is_protected(ticket.branch) is True),
        pushable=_pushable(errand),
        may_change_workflows=forge.may_change_workflows() is not False,
    )


def _pushable(errand: Errand) -> bool:
    if errand.ticket.pull_request is None:
        return True
    pull = errand.forge.pull_request(errand.ticket.pull_request)
    return isinstance(pull, PullRequest) and isinstance(errand.forge.push_access(pull), PushAllowed)


def _planned(errand: Errand, facts: DeliveryFacts) -> DeliveryPlan:
    """Return the plan; a proposal takes another branch where an older one has its own."""
    plan = plan_delivery(facts)
    if isinstance(plan, OpenPullRequest) and not isinstance(errand.forge.branch_head(plan.branch), Absent):
        return plan_delivery(replace(facts, proposed_before=True))
    return plan


def _push(errand: Errand, plan: PushToHead | OpenPullRequest, base: str) -> Landed | HeadMoved | PushRefused:
    own_branch = isinstance(plan, OpenPullRequest)
    branch = plan.branch if isinstance(plan, OpenPullRequest) else errand.ticket.branch
    old = errand.forge.branch_head(branch) if own_branch else base
    order = PushOrder(
        commit=plan.commits[-1].sha,
        onto=base,
        branch=branch,
        expected_old=None if isinstance(old, Absent) else old,
    )
    return errand.workshop.push(order)


def _learned(errand: Errand, facts: DeliveryFacts, outcome: HeadMoved | PushRefused) -> DeliveryFacts:
    if isinstance(outcome, HeadMoved):
        errand.progress.note("somebody pushed to the branch meanwhile")
        return replace(facts, moved=True, pushable=facts.pushable and outcome.new_sha is not None)
    errand.progress.note(f"the push was refused: {outcome.detail}")
    return learn(facts, outcome.kind)


def _rebased(errand: Errand, facts: DeliveryFacts, base: str) -> tuple[Errand, DeliveryFacts, str, str]:
    """Return errand, facts and base on the moved head, and why it cannot be followed (empty: it can)."""
    head = _present_head(errand)
    if isinstance(head, Absent):
        return errand, facts, base, "the branch is gone"
    moved = errand.workshop.rebase(facts.commits, head)
    if isinstance(moved, RebaseConflict):
        return errand, facts, base, _unfit(moved)
    if not moved:
        return errand, replace(facts, commits=()), head, ""
    state = _with_commits(errand.state, moved)
    done = state.end is not None and state.end.status is Status.DONE
    top = None if done else _top_layer(state)
    if not errand.workshop.still_clean(moved[-1].sha, errand.config, up_to=top, progress=errand.progress):
        return errand, facts, base, "somebody pushed meanwhile, and on the new head the checks do not pass"
    left = facts.rebases_left - 1
    return replace(errand, state=state), replace(facts, commits=moved, moved=False, rebases_left=left), head, ""


def _unfit(conflict: RebaseConflict) -> str:
    if not conflict.paths:
        return "somebody pushed meanwhile, and the new head could not be fetched"
    return f"somebody pushed meanwhile, and {', '.join(conflict.paths[:3])} no longer fits"


def _present_head(errand: Errand) -> str | Absent:
    ticket = errand.ticket
    if ticket.pull_request is None:
        return errand.forge.branch_head(ticket.branch)
    pull = errand.forge.pull_request(ticket.pull_request)
    return pull.head_sha if isinstance(pull, PullRequest) else pull


def _with_commits(state: LoopState, moved: tuple[FixCommit, ...]) -> LoopState:
    """Return the state with the commits as they are called after the rebase; those already there are gone."""
    kept = state.fix_commits[len(state.fix_commits) - len(moved) :]
    named = tuple(replace(old, commit=new.sha) for old, new in zip(kept, moved, strict=True))
    return replace(state, fix_commits=named, head=moved[-1].sha, clean_commit=moved[-1].sha)


def _top_layer(state: LoopState) -> Layer:
    return max((fix.layer for fix in state.fix_commits), key=lambda layer: layer.rank)


def _landed(errand: Errand, plan: PushToHead | OpenPullRequest) -> Delivered:
    state, rest = _as_landed(errand, plan)
    if isinstance(plan, PushToHead):
        return Delivered(delivery=Pushed(errand.ticket.branch, rest), state=state, left_out=plan.left_out)
    proposal = errand.forge.propose(
        branch=plan.branch,
        base=plan.into,
        title=f"fixloop: repair {plan.into}",
        body=f"Verified repairs for `{plan.into}`, one commit for each layer. See the check run on its head.",
    )
    if isinstance(proposal, Proposal):
        opened = PullRequestOpened(proposal.number, proposal.url, rest)
        return Delivered(delivery=opened, state=state, left_out=plan.left_out)
    return Delivered(delivery=Pushed(plan.branch, rest), state=state, left_out=plan.left_out)


def _as_landed(errand: Errand, plan: PushToHead | OpenPullRequest) -> tuple[LoopState, str]:
    """Return the state with what was pushed alone, and the patch of the rest."""
    state = errand.state
    if not plan.left_out:
        return state, ""
    pushed = {commit.sha for commit in plan.commits}
    kept = tuple(fix for fix in state.fix_commits if fix.commit in pushed)
    rest = errand.redact(errand.workshop.patch(plan.commits[-1].sha, plan.left_out[-1].sha))
    return replace(state, fix_commits=kept), rest


def offer(errand: Errand, reason: str) -> Delivered:
    """Show the commits as a patch alone, for when GitHub cannot be asked how to do better."""
    commits = errand.workshop.commits(errand.state)
    if not commits:
        return Delivered(delivery=NothingDelivered(), state=errand.state)
    return _offered(errand, OfferPatch(reason, commits), errand.ticket.head_sha)


def _offered(errand: Errand, plan: OfferPatch, base: str) -> Delivered:
    """Show the change: as suggestions where hunks fit the pull request's diff, the rest as a patch."""
    patch = errand.redact(errand.workshop.patch(errand.ticket.head_sha, plan.commits[-1].sha))
    number = errand.ticket.pull_request
    whole = Delivered(delivery=PatchOffered(patch, plan.reason), state=errand.state)
    if number is None or not plan.suggest or base != errand.ticket.head_sha:
        return whole
    fitting = to_suggestions(patch, errand.forge.commentable_lines(number), redact=errand.redact)
    if not fitting.items:
        return whole
    body = f"Not pushed: {prose(plan.reason)}. These changes are verified together."
    missed = errand.forge.suggest(number, fitting.items, head_sha=errand.ticket.head_sha, body=body)
    if missed is not None:
        return whole
    return Delivered(delivery=Suggested(len(fitting.items), fitting.rest), state=errand.state)
