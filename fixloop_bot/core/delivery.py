"""Where repaired commits go, and what git's refusals mean."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fixloop_bot.core.branch_names import proposal_branch
from fixloop_bot.model.delivery import (
    DeliverNothing,
    DeliveryFacts,
    DeliveryPlan,
    FixCommit,
    OfferPatch,
    OpenPullRequest,
    PushToHead,
    RebaseFirst,
    Refusal,
    RemoteTrouble,
)
from fixloop_bot.model.outcome import TerminalState

WORKFLOWS: Final = ".github/workflows/"
"""Where GitHub looks for workflows; a token needs a permission of its own for what lies here."""


def plan_delivery(facts: DeliveryFacts) -> DeliveryPlan:
    """Return where the commits go; asks for nothing that is known to be refused."""
    if not facts.commits:
        return DeliverNothing()
    why_not = _why_not_pushed(facts)
    if why_not:
        return _offer(facts, why_not)
    pushable, left_out = (facts.commits, ()) if facts.may_change_workflows else leave_out(facts.commits)
    if not pushable or (left_out and facts.policy == "done"):
        return _offer(facts, "the token may not change workflow files")
    if facts.moved:
        if facts.rebases_left <= 0:
            return _offer(facts, "the branch kept moving while the repair was verified")
        return RebaseFirst(facts.commits)
    if facts.protected:
        own = proposal_branch(facts.branch, facts.head_sha if facts.proposed_before else "")
        return OpenPullRequest(own, facts.branch, pushable, left_out)
    return PushToHead(pushable, left_out)


def learn(facts: DeliveryFacts, refusal: Refusal) -> DeliveryFacts:
    """Return the facts after a refused push. Planning again never orders the same push twice, so it comes to an end."""
    match refusal:
        case Refusal.PROTECTED_BRANCH | Refusal.REPOSITORY_RULE if not facts.protected:
            return replace(facts, protected=True)
        case Refusal.WORKFLOW_PERMISSION if facts.may_change_workflows:
            return replace(facts, may_change_workflows=False)
        case _:
            return replace(facts, pushable=False)


def touches_workflows(commit: FixCommit) -> bool:
    """Return whether GitHub would ask for the permission to change workflows."""
    return any(path.startswith(WORKFLOWS) for path in commit.paths)


def leave_out(commits: Sequence[FixCommit]) -> tuple[tuple[FixCommit, ...], tuple[FixCommit, ...]]:
    """Return the commits before the first that touches a workflow, and the rest.

    Only a prefix was verified as it stands; taking one commit out of the middle would push what nobody checked.
    """
    end = next((number for number, commit in enumerate(commits) if touches_workflows(commit)), len(commits))
    return tuple(commits[:end]), tuple(commits[end:])


def classify_refusal(said: str) -> Refusal:
    """Return what a failed push means, from what git and the forge said (in English; GitHub's own sentences)."""
    text = said.lower()
    return next((kind for kind, signs in _REFUSALS if any(sign in text for sign in signs)), Refusal.OTHER)


def classify_trouble(said: str) -> RemoteTrouble:
    """Return what a failed fetch means, from what git said in English (`LC_ALL=C`)."""
    text = said.lower()
    return next((kind for kind, signs in _TROUBLES if any(sign in text for sign in signs)), RemoteTrouble.OTHER)


_DENIED = (
    "returned error: 401",
    "returned error: 403",
    "authentication failed",
    "could not read username",
    "could not read password",
)
_ABSENT = ("returned error: 404", "repository not found", "not found", "does not appear to be a git repository")
_NETWORK = (
    "could not resolve host",
    "couldn't connect",
    "failed to connect",
    "connection refused",
    "connection reset",
    "connection timed out",
    "operation timed out",
    "operation too slow",
    "timed out",
    "no end after",
    "empty reply from server",
    "hung up unexpectedly",
    "early eof",
    "unexpected disconnect",
    "tls connection was",
    "ssl certificate problem",
    "ssl connect",
    "ssl_connect: ",
    "certificate verif",
    "gnutls_handshake() failed: ",
    "returned error: 5",
    "returned error: 429",
)
_REFUSALS: Final = (
    (Refusal.WORKFLOW_PERMISSION, ("refusing to allow", "without `workflow` scope", "without `workflows` permission")),
    (Refusal.REPOSITORY_RULE, ("gh013: ", "repository rule violations")),
    (Refusal.PROTECTED_BRANCH, ("gh006: ", "protected branch", "protected ref")),
    (Refusal.NO_PERMISSION, (*_DENIED, "permission to", "was archived", "it is read-only", "write access")),
    (Refusal.NOT_FOUND, _ABSENT),
    (Refusal.NOT_FAST_FORWARD, ("[rejected] (",)),
    (Refusal.HOOK_DECLINED, ("hook declined", "push declined")),
    (Refusal.NETWORK, _NETWORK),
)
_TROUBLES: Final = (
    (RemoteTrouble.DISK, ("no space left", "disk quota exceeded", "read-only file system", "file too large")),
    (RemoteTrouble.TIMEOUT, ("no end after",)),
    (RemoteTrouble.NO_PERMISSION, _DENIED),
    (RemoteTrouble.GONE, ("couldn't find remote ref", "not our ref", "no such remote ref")),
    (RemoteTrouble.REDIRECTED, tuple(f"returned error: {code}" for code in (301, 302, 303, 307, 308))),
    (RemoteTrouble.BAD_ADDRESS, ("transport '",)),
    (RemoteTrouble.NETWORK, _NETWORK),
    (RemoteTrouble.NOT_FOUND, _ABSENT),
    (RemoteTrouble.UNUSABLE, ("fsck error", "invalid path", "in packed objects", "invalid object")),
)
"""The first sign found decides, so what is more special stands first. Each has a blank or colon, as no name of a ref or
repository has that a message may quote."""


def _why_not_pushed(facts: DeliveryFacts) -> str:
    """Return why nothing may be pushed, empty where it may."""
    if facts.terminal is TerminalState.FAILED_SAFETY:
        return "the run was stopped for safety; look at the change before you take it"
    if facts.terminal is TerminalState.ABORTED_BY_HUMAN:
        return "the run was stopped by a person"
    if facts.policy == "propose":
        return "`push: propose` in .fixloop.yml"
    if facts.policy == "done" and facts.terminal is not TerminalState.SUCCEEDED:
        return "`push: done` in .fixloop.yml, and not every check passes yet"
    if not facts.pushable:
        return "fixloop may not push to this fork" if facts.from_fork else "fixloop may not push to this branch"
    if facts.protected and facts.from_fork:
        return "the fork's branch is protected"
    return ""


def _offer(facts: DeliveryFacts, reason: str) -> OfferPatch:
    return OfferPatch(reason, facts.commits, suggest=facts.pull_request is not None)
