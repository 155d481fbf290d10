"""From triggers and facts to tickets: who is obeyed, what is ignored and why, and what has to be looked up for it."""

from dataclasses import replace

import pytest

from fixloop_bot.core.events import parse_event
from fixloop_bot.core.route import needs, route
from fixloop_bot.core.targets import aim
from fixloop_bot.model.comment_command import (
    ApproveCommand,
    CommentCommand,
    DecideCommand,
    DenyCommand,
    HelpCommand,
    RevertCommand,
    RunOptions,
    StatusCommand,
    StopCommand,
)
from fixloop_bot.model.config import TriggersConfig
from fixloop_bot.model.event import (
    Actor,
    Button,
    DispatchTrigger,
    Ignored,
    PullRequest,
    RepositoryRef,
    ScheduleTrigger,
    Target,
    Trigger,
)
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.ticket import (
    Absent,
    Ask,
    CommandTicket,
    Fact,
    Identity,
    Ledger,
    Permission,
    Refused,
    Routed,
    RouteFacts,
    RunTicket,
    SweepTicket,
)
from tests.core.github_events import (
    ALICE,
    BOT,
    FORK,
    HEAD,
    NOON_S,
    REPOSITORY,
    Payload,
    button_event,
    check_suite_event,
    comment_event,
    dispatch_event,
    pull_request,
    pull_request_event,
    workflow_run_event,
)

SHOP = RepositoryRef(full_name="octo/shop", id=10, default_branch="main")
EVES = RepositoryRef(full_name="eve/shop", id=20, default_branch="main")
PERSON = Actor(login="alice", id=1)
OURS = PullRequest(
    number=7,
    head_sha=HEAD,
    head_branch="feature",
    head_repository=SHOP,
    base_branch="main",
    base_repository_id=10,
    author=PERSON,
)
FORKED = replace(OURS, head_repository=EVES)
OWN_MESSAGE = "fix-loop: test clean (iteration 1)\n\nFixloop-Run: r1\nFixloop-Layer: test\n"
IDENTITY = Identity(actor_ids=frozenset({99}), app_id=77, workflow_path=".github/workflows/fixloop.yml")
ALL = RouteFacts(
    identity=IDENTITY,
    pull_request=OURS,
    branch_head=HEAD,
    config=TriggersConfig(),
    permission=Permission.WRITE,
    head_message="Sell fruit",
    head_pushed_at=NOON_S - 60,
    ledger=Ledger(),
)


def trigger(name: str, payload: Payload) -> Trigger:
    parsed = parse_event(name, payload)
    assert not isinstance(parsed, Ignored), parsed.reason
    return parsed


OPENED = trigger("pull_request", pull_request_event())
FORK_OPENED = trigger("pull_request", pull_request_event(pull_request=pull_request(head=FORK)))
FAILED = trigger("workflow_run", workflow_run_event())
SUITE_FAILED = trigger("check_suite", check_suite_event())
DECIDE_A = trigger("check_run", button_event())
TARGETED = trigger("workflow_dispatch", dispatch_event({"pull-request": "7"}))
OF_BRANCH = trigger("workflow_dispatch", dispatch_event({"branch": "release/1"}))
SCHEDULED = trigger("schedule", {"schedule": "0 5 * * *", "repository": {"id": 10, "full_name": "octo/shop"}})


def comment(body: str = "/fixloop", *, user: Payload = ALICE) -> Trigger:
    return trigger("issue_comment", comment_event(body, user=user))


def walk(given: Trigger, known: RouteFacts) -> tuple[Routed, tuple[Fact, ...]]:
    """Do as the edge does: look up what is asked for, one by one; return the end and what was asked."""
    facts, asked = RouteFacts(identity=known.identity), list[Fact]()
    while isinstance(result := route(given, facts), Ask):
        assert result.fact not in asked, "asked twice"
        asked.append(result.fact)
        facts = replace(facts, **{result.fact: getattr(known, result.fact)})
    return result, tuple(asked)


def test_an_opened_pull_request_runs() -> None:
    ticket, _ = walk(OPENED, ALL)
    assert ticket == RunTicket(
        origin=OPENED.origin,
        pull_request=7,
        branch="feature",
        head_sha=HEAD,
        head_repository=SHOP,
        base_branch="main",
        reason="the pull request was opened",
        automatic=True,
        author=PERSON,
        actor=PERSON,
    )


def test_a_failed_workflow_runs_with_its_log_as_context() -> None:
    ticket, _ = walk(FAILED, ALL)
    assert isinstance(ticket, RunTicket)
    assert (ticket.workflow_run_ids, ticket.check_suite_ids) == ((501,), ())
    assert ticket.reason == "workflow CI failed on aaaaaaa"
    assert ticket.automatic


def test_another_apps_failed_check_suite_runs_with_its_output_as_context() -> None:
    ticket, _ = walk(SUITE_FAILED, ALL)
    assert isinstance(ticket, RunTicket)
    assert (ticket.workflow_run_ids, ticket.check_suite_ids) == ((), (601,))


def test_a_command_runs_with_its_options() -> None:
    ticket, _ = walk(comment("/fixloop run --max-retries 2 --skip-compile --max-cost-usd 0.50"), ALL)
    assert isinstance(ticket, RunTicket)
    assert ticket.options == RunOptions(max_retries=2, skip_compile=True, max_cost_usd=0.5)
    assert (ticket.reason, ticket.automatic, ticket.comment_id) == ("alice asked for it", False, 301)
    assert ticket.origin.installation_id == 5


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("/fixloop status", StatusCommand()),
        ("/fixloop stop", StopCommand()),
        ("/fixloop decide A as before", DecideCommand("A", "as before")),
        ("/fixloop approve", ApproveCommand()),
        ("/fixloop deny", DenyCommand()),
        ("/fixloop revert test", RevertCommand(Layer.TEST)),
        ("/fixloop help", HelpCommand()),
        ("/fixloop stop\n/fixloop run", StopCommand()),
    ],
    ids=["status", "stop", "decide", "approve", "deny", "revert", "help", "the first of several"],
)
def test_another_command_becomes_a_ticket(body: str, command: CommentCommand) -> None:
    ticket, _ = walk(comment(body), ALL)
    assert isinstance(ticket, CommandTicket)
    assert (ticket.command, ticket.pull_request, ticket.comment_id) == (command, OURS, 301)


@pytest.mark.parametrize(
    ("button", "command"),
    [
        (Button.DECIDE_A, DecideCommand("A")),
        (Button.DECIDE_B, DecideCommand("B")),
        (Button.APPROVE, ApproveCommand()),
        (Button.DENY, DenyCommand()),
        (Button.STOP, StopCommand()),
    ],
)
def test_a_button_is_a_command_for_its_run(button: Button, command: CommentCommand) -> None:
    ticket, _ = walk(trigger("check_run", button_event(str(button))), ALL)
    assert isinstance(ticket, CommandTicket)
    assert (ticket.command, ticket.check_run_id, ticket.external_id) == (command, 401, "20261130T120000-0a1b2c3d")


def test_the_run_button_runs() -> None:
    ticket, _ = walk(trigger("check_run", button_event("run")), ALL)
    assert isinstance(ticket, RunTicket)
    assert not ticket.automatic


def test_a_dispatch_without_target_and_a_schedule_sweep_and_look_nothing_up() -> None:
    for given in (trigger("workflow_dispatch", dispatch_event()), SCHEDULED):
        ticket, asked = walk(given, RouteFacts())
        assert isinstance(ticket, SweepTicket)
        assert asked == ()


def test_a_dispatch_with_a_target_runs_there() -> None:
    ticket, _ = walk(TARGETED, ALL)
    assert isinstance(ticket, RunTicket)
    assert (ticket.pull_request, ticket.automatic) == (7, False)
    ticket, _ = walk(OF_BRANCH, ALL)
    assert isinstance(ticket, RunTicket)
    assert (ticket.pull_request, ticket.branch, ticket.base_branch) == (None, "release/1", "release/1")
    assert (ticket.head_sha, ticket.head_repository) == (HEAD, SHOP)


def test_a_job_of_a_scheduled_sweep_runs_at_its_target_and_is_nobodys_command() -> None:
    assert isinstance(SCHEDULED, ScheduleTrigger)
    job = aim(SCHEDULED, Target(pull_request=7))
    ticket, _ = walk(job, ALL)
    assert isinstance(ticket, RunTicket)
    assert ticket.automatic
    assert isinstance(walk(job, replace(ALL, pull_request=FORKED))[0], Ignored)


def test_a_deleted_fork_can_still_be_looked_at() -> None:
    ticket, _ = walk(comment(), replace(ALL, pull_request=replace(OURS, head_repository=None)))
    assert isinstance(ticket, RunTicket)
    assert ticket.from_fork
    assert ticket.head_repository is None


OWN_SUITE = trigger("check_suite", check_suite_event(app={"id": 77, "slug": "fixloop"}))
OWN_WORKFLOW = trigger("workflow_run", workflow_run_event(path=".github/workflows/fixloop.yml"))
OWN_HEAD = trigger("workflow_run", workflow_run_event(head_commit={"message": OWN_MESSAGE}))
OWN_PUSH = trigger("pull_request", pull_request_event("synchronize", sender=BOT))
OWN_PROPOSAL = trigger(
    "pull_request",
    pull_request_event(
        pull_request=pull_request() | {"head": {"sha": HEAD, "ref": "fixloop/main", "repo": REPOSITORY}},
    ),
)


@pytest.mark.parametrize(
    ("given", "facts", "reason", "asked"),
    [
        (OWN_PUSH, ALL, "fixloop's own doing (as fixloop[bot])", ()),
        (OWN_SUITE, ALL, "the failing check is fixloop's own", ()),
        (OWN_WORKFLOW, ALL, "is the one that fixloop runs in", ()),
        (OWN_HEAD, ALL, "head commit is fixloop's own", ()),
        (OWN_PROPOSAL, ALL, "fixloop's own proposal", ()),
        (OPENED, replace(ALL, head_message=OWN_MESSAGE), "head commit is fixloop's own", ("config", "head_message")),
        (
            SUITE_FAILED,
            replace(ALL, head_message=OWN_MESSAGE),
            "head commit is fixloop's own",
            ("pull_request", "config", "head_message"),
        ),
        (
            OPENED,
            replace(ALL, ledger=Ledger(runs_of_head=1)),
            "already had its automatic run",
            ("config", "head_message", "ledger"),
        ),
        (
            FAILED,
            replace(ALL, ledger=Ledger(runs_of_day=10)),
            "10 automatic runs in 24 hours",
            ("pull_request", "config", "ledger"),
        ),
        (FAILED, replace(ALL, pull_request=Absent()), "no open pull request has commit aaaaaaa", ("pull_request",)),
        (FAILED, replace(ALL, pull_request=replace(OURS, draft=True)), "draft", ("pull_request",)),
        (FAILED, replace(ALL, pull_request=replace(OURS, is_open=False)), "closed", ("pull_request",)),
        (
            FAILED,
            replace(ALL, pull_request=replace(OURS, head_sha="c" * 40)),
            "the head is ccccccc by now",
            ("pull_request",),
        ),
        (
            OPENED,
            replace(ALL, config=TriggersConfig(pull_request=False)),
            "`triggers.pull-request` is off",
            ("config",),
        ),
        (
            FAILED,
            replace(ALL, config=TriggersConfig(ci_failure=False)),
            "`triggers.ci-failure` is off",
            ("pull_request", "config"),
        ),
        (FORK_OPENED, ALL, "only at a command", ("config",)),
        (FORK_OPENED, replace(ALL, config=TriggersConfig(forks="never")), "`triggers.forks` is `never`", ("config",)),
        (FAILED, replace(ALL, pull_request=FORKED), "only at a command", ("pull_request", "config")),
        (comment(user={**BOT, "type": "User"}), ALL, "fixloop's own doing", ()),
        (
            comment(),
            replace(ALL, config=TriggersConfig(commands=False)),
            "`triggers.commands` is off",
            ("permission", "pull_request", "config"),
        ),
        (comment(), replace(ALL, pull_request=Absent()), "no such pull request", ("permission", "pull_request")),
        (trigger("check_run", button_event(app={"id": 1})), ALL, "another app's", ()),
        (TARGETED, replace(ALL, pull_request=Absent()), "no such pull request", ("pull_request",)),
        (TARGETED, replace(ALL, pull_request=replace(OURS, is_open=False)), "closed", ("pull_request",)),
        (
            TARGETED,
            replace(ALL, pull_request=FORKED, config=TriggersConfig(forks="never")),
            "`never`",
            ("pull_request", "config"),
        ),
        (OF_BRANCH, replace(ALL, branch_head=Absent()), "no such branch", ("branch_head",)),
    ],
    ids=[
        "fixloop's own push",
        "fixloop's own failing check",
        "fixloop's own failing workflow",
        "a failure on fixloop's commit, told by the payload",
        "fixloop's own pull request",
        "a pull request whose head is fixloop's commit",
        "a failing suite on fixloop's commit, looked up",
        "a head that was tried",
        "a pull request that had too many runs",
        "a failure without pull request",
        "a failure in a draft",
        "a failure in a closed pull request",
        "a failure of an earlier head",
        "pull requests switched off",
        "failures switched off",
        "a fork that nobody asked for",
        "a fork where none may run",
        "a fork's failure",
        "fixloop's comment without its marker",
        "commands switched off",
        "a comment on what is gone",
        "another app's button",
        "a dispatch at no pull request",
        "a dispatch at a closed pull request",
        "a dispatch at a fork where none may run",
        "a dispatch at no branch",
    ],
)
def test_what_starts_nothing_says_why_and_asks_for_no_more_than_that(
    given: Trigger, facts: RouteFacts, reason: str, asked: tuple[str, ...]
) -> None:
    result, looked_up = walk(given, facts)
    assert isinstance(result, Ignored)
    assert reason in result.reason
    assert looked_up == asked


LATE = replace(ALL, head_pushed_at=NOON_S + 5)
UNKNOWN = replace(ALL, head_pushed_at=Absent())


@pytest.mark.parametrize(
    ("given", "facts", "reason", "reply"),
    [
        (comment(), replace(ALL, permission=Permission.TRIAGE), "need write permission", False),
        (comment("/fixloop oops"), replace(ALL, permission=Permission.NONE), "need write permission", False),
        (
            comment(),
            replace(ALL, config=TriggersConfig(min_permission="maintain")),
            "need maintain permission on this repository; this is write",
            False,
        ),
        (DECIDE_A, replace(ALL, permission=Permission.READ), "need write permission", False),
        (comment("/fixloop stauts"), ALL, "unknown command", True),
        (
            comment(),
            replace(ALL, pull_request=FORKED, config=TriggersConfig(forks="never")),
            "`triggers.forks` is `never`",
            True,
        ),
        (comment(), replace(ALL, pull_request=replace(OURS, is_open=False)), "closed", True),
        (comment(), LATE, "pushed after this comment", True),
        (comment(), replace(ALL, head_pushed_at=NOON_S + 0.9), "pushed after this comment", True),
        (comment("/fixloop decide A"), LATE, "pushed after this comment", True),
        (comment("/fixloop approve"), LATE, "pushed after this comment", True),
        (comment("/fixloop revert test"), LATE, "pushed after this comment", True),
        (comment(), replace(UNKNOWN, pull_request=FORKED), "does not guess", True),
        (
            DECIDE_A,
            replace(ALL, pull_request=replace(OURS, head_sha="c" * 40)),
            "belongs to commit aaaaaaa, but the head is ccccccc",
            True,
        ),
    ],
    ids=[
        "too little permission",
        "a stranger's typo is not answered",
        "less than the configured permission",
        "a button pressed with too little permission",
        "a typo",
        "a fork where none may run",
        "a closed pull request",
        "run, then a push",
        "a push within the comment's second",
        "decide, then a push",
        "approve, then a push",
        "revert, then a push",
        "a fork's push of unknown time",
        "a button of an earlier head",
    ],
)
def test_a_person_is_refused_with_a_reason(given: Trigger, facts: RouteFacts, reason: str, *, reply: bool) -> None:
    result, _ = walk(given, facts)
    assert isinstance(result, Refused)
    assert reason in result.reason
    assert (result.reply, result.number, result.actor.login) == (reply, 7, "alice")


def test_a_typo_goes_with_what_would_have_worked() -> None:
    result, _ = walk(comment("/fixloop stauts"), ALL)
    assert isinstance(result, Refused)
    assert result.error is not None
    assert (result.error.suggestion, result.comment_id) == ("status", 301)


@pytest.mark.parametrize("word", ["stop", "deny", "status", "help"])
def test_what_spends_nothing_is_obeyed_whatever_was_pushed(word: str) -> None:
    ticket, asked = walk(comment(f"/fixloop {word}"), replace(LATE, pull_request=replace(OURS, is_open=False)))
    assert isinstance(ticket, CommandTicket)
    assert Fact.HEAD_PUSHED_AT not in asked


def test_stop_works_from_an_old_check_run() -> None:
    moved = replace(ALL, pull_request=replace(OURS, head_sha="c" * 40))
    assert isinstance(walk(trigger("check_run", button_event("stop")), moved)[0], CommandTicket)


def test_in_the_repository_itself_an_unknown_push_time_holds_nobody_up() -> None:
    assert isinstance(walk(comment(), UNKNOWN)[0], RunTicket)


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        (comment(), replace(ALL, pull_request=FORKED)),
        (comment(), replace(ALL, head_message=OWN_MESSAGE)),
        (comment(), replace(ALL, ledger=Ledger(runs_of_head=3, runs_of_day=30))),
        (comment(), replace(ALL, permission=Permission.ADMIN, config=TriggersConfig(min_permission="maintain"))),
        (FORK_OPENED, replace(ALL, config=TriggersConfig(forks="always"))),
        (FAILED, replace(ALL, pull_request=FORKED, config=TriggersConfig(forks="always"))),
        (FAILED, replace(ALL, identity=Identity())),
        (TARGETED, replace(ALL, pull_request=FORKED)),
        (TARGETED, replace(ALL, pull_request=replace(OURS, draft=True))),
    ],
    ids=[
        "a command on a fork",
        "a command on fixloop's own commit",
        "a command after automatic runs",
        "more permission than needed",
        "forks switched on",
        "a fork's failure, switched on",
        "an unknown identity hides nobody else",
        "a dispatch at a fork",
        "a dispatch at a draft",
    ],
)
def test_what_somebody_asked_for_or_switched_on_runs(given: Trigger, facts: RouteFacts) -> None:
    assert isinstance(walk(given, facts)[0], RunTicket)


def test_needs_lists_what_may_be_asked_cheapest_first() -> None:
    assert needs(SCHEDULED) == ()
    assert needs(OPENED) == (Fact.CONFIG, Fact.HEAD_MESSAGE, Fact.LEDGER)
    assert needs(FAILED) == (Fact.PULL_REQUEST, Fact.CONFIG, Fact.LEDGER)
    assert needs(comment("/fixloop status")) == (Fact.PERMISSION, Fact.PULL_REQUEST, Fact.CONFIG)
    assert needs(comment()) == (Fact.PERMISSION, Fact.PULL_REQUEST, Fact.CONFIG, Fact.HEAD_PUSHED_AT)


@pytest.mark.parametrize(
    "given",
    [OPENED, FAILED, SUITE_FAILED, comment(), DECIDE_A, TARGETED, OF_BRANCH, SCHEDULED],
    ids=lambda one: type(one).__name__,
)
def test_a_trigger_that_passes_asks_for_exactly_what_it_needs(given: Trigger) -> None:
    result, asked = walk(given, ALL)
    assert isinstance(result, RunTicket | CommandTicket | SweepTicket)
    assert asked == needs(given)


def test_aiming_a_dispatch_keeps_its_origin() -> None:
    assert isinstance(OF_BRANCH, DispatchTrigger)
    assert aim(OF_BRANCH, Target(pull_request=3)) == replace(OF_BRANCH, target=Target(pull_request=3))
