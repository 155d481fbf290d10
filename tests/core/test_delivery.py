"""Where repaired commits go, as tables, and what the forge's refusals mean."""

from dataclasses import replace

import pytest

from fixloop_bot.core.delivery import classify_refusal, classify_trouble, learn, leave_out, plan_delivery
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

LINT = FixCommit(sha="1" * 40, paths=("app.py",))
CI = FixCommit(sha="2" * 40, paths=(".github/workflows/ci.yml",))
TEST = FixCommit(sha="3" * 40, paths=("shop/cart.py", "docs/.github/workflows/x.yml"))
DONE = TerminalState.SUCCEEDED
FACTS = DeliveryFacts(commits=(LINT, TEST), branch="feature", terminal=DONE, pull_request=7)
BOTH = (LINT, TEST)
MIXED = (LINT, CI, TEST)
NO_WORKFLOWS = "the token may not change workflow files"


def offered(reason: str, commits: tuple[FixCommit, ...] = BOTH) -> OfferPatch:
    return OfferPatch(reason, commits, suggest=True)


@pytest.mark.parametrize(
    ("facts", "plan"),
    [
        pytest.param(FACTS, PushToHead(BOTH), id="a done run is pushed"),
        pytest.param(replace(FACTS, commits=()), DeliverNothing(), id="no commit, nothing to do"),
        pytest.param(replace(FACTS, commits=(), pushable=False), DeliverNothing(), id="no commit, no patch either"),
        pytest.param(
            replace(FACTS, terminal=TerminalState.FAILED_BUDGET),
            PushToHead(BOTH),
            id="clean layers of a blocked run are pushed",
        ),
        pytest.param(replace(FACTS, terminal=None), PushToHead(BOTH), id="clean layers of a waiting run are pushed"),
        pytest.param(
            replace(FACTS, terminal=TerminalState.FAILED_SAFETY),
            offered("the run was stopped for safety; look at the change before you take it"),
            id="nothing is pushed after a stop for safety",
        ),
        pytest.param(
            replace(FACTS, terminal=TerminalState.ABORTED_BY_HUMAN),
            offered("the run was stopped by a person"),
            id="nothing is pushed after a person said stop",
        ),
        pytest.param(replace(FACTS, policy="done"), PushToHead(BOTH), id="push: done, and it is done"),
        pytest.param(
            replace(FACTS, policy="done", terminal=TerminalState.FAILED_BUDGET),
            offered("`push: done` in .fixloop.yml, and not every check passes yet"),
            id="push: done, and it is blocked",
        ),
        pytest.param(
            replace(FACTS, policy="done", terminal=None),
            offered("`push: done` in .fixloop.yml, and not every check passes yet"),
            id="push: done, and it waits",
        ),
        pytest.param(
            replace(FACTS, policy="propose"),
            offered("`push: propose` in .fixloop.yml"),
            id="push: propose never pushes",
        ),
        pytest.param(
            replace(FACTS, protected=True),
            OpenPullRequest("fixloop/feature", "feature", BOTH),
            id="a protected branch gets a pull request",
        ),
        pytest.param(
            replace(FACTS, protected=True, policy="propose"),
            offered("`push: propose` in .fixloop.yml"),
            id="push: propose opens no pull request",
        ),
        pytest.param(replace(FACTS, from_fork=True), PushToHead(BOTH), id="a fork that maintainers may push to"),
        pytest.param(
            replace(FACTS, from_fork=True, pushable=False),
            offered("fixloop may not push to this fork"),
            id="a fork that they may not push to",
        ),
        pytest.param(
            replace(FACTS, from_fork=True, protected=True),
            offered("the fork's branch is protected"),
            id="no branch of fixloop's own in somebody's fork",
        ),
        pytest.param(
            replace(FACTS, pushable=False, pull_request=None),
            OfferPatch("fixloop may not push to this branch", BOTH, suggest=False),
            id="without a pull request there is no place for suggestions",
        ),
        pytest.param(
            replace(FACTS, commits=MIXED), PushToHead((LINT,), (CI, TEST)), id="what follows a workflow is left out"
        ),
        pytest.param(
            replace(FACTS, commits=MIXED, may_change_workflows=True), PushToHead(MIXED), id="a token for workflows"
        ),
        pytest.param(
            replace(FACTS, commits=(CI, TEST)), offered(NO_WORKFLOWS, (CI, TEST)), id="a workflow first leaves nothing"
        ),
        pytest.param(
            replace(FACTS, commits=MIXED, policy="done"),
            offered(NO_WORKFLOWS, MIXED),
            id="push: done pushes the whole or nothing",
        ),
        pytest.param(
            replace(FACTS, commits=MIXED, protected=True),
            OpenPullRequest("fixloop/feature", "feature", (LINT,), (CI, TEST)),
            id="a pull request leaves workflows out too",
        ),
        pytest.param(replace(FACTS, moved=True), RebaseFirst(BOTH), id="a head that moved is followed"),
        pytest.param(replace(FACTS, moved=True, protected=True), RebaseFirst(BOTH), id="also for a pull request"),
        pytest.param(
            replace(FACTS, moved=True, rebases_left=0),
            offered("the branch kept moving while the repair was verified"),
            id="but not for ever",
        ),
        pytest.param(
            replace(FACTS, moved=True, policy="propose"),
            offered("`push: propose` in .fixloop.yml"),
            id="nothing is rebased for a patch",
        ),
    ],
)
def test_commits_go_where_they_may(facts: DeliveryFacts, plan: DeliveryPlan) -> None:
    assert plan_delivery(facts) == plan


@pytest.mark.parametrize("refusal", list(Refusal))
@pytest.mark.parametrize(
    "facts", [FACTS, replace(FACTS, commits=MIXED, may_change_workflows=True)], ids=["plain", "ci"]
)
def test_refusals_lead_to_a_patch_in_the_end_and_never_to_the_same_push_twice(
    facts: DeliveryFacts, refusal: Refusal
) -> None:
    plans: list[DeliveryPlan] = [plan_delivery(facts)]
    while not isinstance(plans[-1], OfferPatch):
        facts = learn(facts, refusal)
        plans.append(plan_delivery(facts))
        assert plans[-1] not in plans[:-1]
    assert len(plans) <= 3
    assert plans[-1].commits == facts.commits


@pytest.mark.parametrize(
    ("refusal", "plan"),
    [
        (Refusal.PROTECTED_BRANCH, OpenPullRequest("fixloop/feature", "feature", BOTH)),
        (Refusal.REPOSITORY_RULE, OpenPullRequest("fixloop/feature", "feature", BOTH)),
        (Refusal.NO_PERMISSION, offered("fixloop may not push to this branch")),
        (Refusal.HOOK_DECLINED, offered("fixloop may not push to this branch")),
    ],
)
def test_what_a_refusal_says_is_believed(refusal: Refusal, plan: DeliveryPlan) -> None:
    assert plan_delivery(learn(FACTS, refusal)) == plan


def test_only_a_prefix_is_kept_since_only_that_was_verified() -> None:
    assert leave_out(MIXED) == ((LINT,), (CI, TEST))
    assert leave_out(BOTH) == (BOTH, ())
    assert leave_out(()) == ((), ())


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        (
            "remote: error: GH006: Protected branch update failed for refs/heads/main.\n"
            "remote: error: 6 of 6 required status checks are expected.\n"
            "!\tabc:refs/heads/main\t[remote rejected] (protected branch hook declined)\nDone",
            Refusal.PROTECTED_BRANCH,
        ),
        (
            "remote: error: GH013: Repository rule violations found for refs/heads/main.\n"
            "remote: - Changes must be made through a pull request.\n"
            "!\tabc:refs/heads/main\t[remote rejected] (push declined due to repository rule violations)",
            Refusal.REPOSITORY_RULE,
        ),
        (
            "!\tabc:refs/heads/x\t[remote rejected] (refusing to allow a GitHub App to create or update workflow "
            "`.github/workflows/ci.yml` without `workflows` permission)",
            Refusal.WORKFLOW_PERMISSION,
        ),
        (
            "!\tabc:refs/heads/x\t[remote rejected] (refusing to allow an OAuth App to create or update workflow "
            "`.github/workflows/ci.yml` without `workflow` scope)",
            Refusal.WORKFLOW_PERMISSION,
        ),
        (
            "remote: Permission to octo/shop.git denied to github-actions[bot].\n"
            "fatal: unable to access 'https://github.com/octo/shop.git/': The requested URL returned error: 403",
            Refusal.NO_PERMISSION,
        ),
        (
            "remote: This repository was archived so it is read-only.\n"
            "fatal: unable to access 'https://github.com/octo/shop.git/': The requested URL returned error: 403",
            Refusal.NO_PERMISSION,
        ),
        ("remote: Repository not found.\nfatal: repository 'https://x/y/z/' not found", Refusal.NOT_FOUND),
        ("!\tabc:refs/heads/x\t[rejected] (stale info)", Refusal.NOT_FAST_FORWARD),
        ("!\tabc:refs/heads/x\t[remote rejected] (pre-receive hook declined)", Refusal.HOOK_DECLINED),
        ("fatal: unable to access 'https://github.com/ssl/ssl/': Could not resolve host: github.com", Refusal.NETWORK),
        ("fatal: the remote end hung up unexpectedly", Refusal.NETWORK),
        ("The requested URL returned error: 503", Refusal.NETWORK),
        ("something new", Refusal.OTHER),
        ("", Refusal.OTHER),
        ("!\tabc:refs/heads/read-only/gh006/certificate\t[remote rejected] (x)", Refusal.OTHER),
    ],
)
def test_what_git_says_is_understood(said: str, refusal: Refusal) -> None:
    assert classify_refusal(said) is refusal


@pytest.mark.parametrize(
    ("said", "trouble"),
    [
        (
            "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
            RemoteTrouble.NO_PERMISSION,
        ),
        ("fatal: couldn't find remote ref refs/heads/x", RemoteTrouble.GONE),
        ("fatal: unable to access 'https://x/': The requested URL returned error: 301", RemoteTrouble.REDIRECTED),
        ("fatal: repository 'https://github.com/openssl/openssl/' not found", RemoteTrouble.NOT_FOUND),
        ("fatal: unable to access 'x': SSL certificate problem: self-signed certificate", RemoteTrouble.NETWORK),
        ("no end after 600 s", RemoteTrouble.TIMEOUT),
        ("error: object abc: hasDotgit: contains '.git'\nfatal: fsck error in packed object", RemoteTrouble.UNUSABLE),
        ("error: invalid path '.git/hooks/x'", RemoteTrouble.UNUSABLE),
        ("fatal: write error: No space left on device", RemoteTrouble.DISK),
        ("fatal: transport 'ext' not allowed", RemoteTrouble.BAD_ADDRESS),
        ("", RemoteTrouble.OTHER),
    ],
)
def test_what_a_fetch_says_is_understood(said: str, trouble: RemoteTrouble) -> None:
    assert classify_trouble(said) is trouble
