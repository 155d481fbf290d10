"""Comments and issues: one of each, edited in place, never somebody else's."""

from fixloop_bot.model.forge import Comment, Issue, Reaction, TooLarge
from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import MARKER, Scene


def _written(forge: Forge, body: str, *, existing: Comment | None = None) -> Comment:
    made = forge.write_comment(1, body, existing=existing)
    assert isinstance(made, Comment)
    return made


def test_the_report_is_found_among_250_comments_and_edited_not_repeated(stage: Scene, forge: Forge) -> None:
    for number in range(180):
        stage.shop.comment(1, f"talk {number}", author="pat")
    first = _written(forge, f"{MARKER}-->\nrunning")
    for number in range(70):
        stage.shop.comment(1, f"more talk {number}", author="pat")

    found = forge.own_comment(1, MARKER)
    assert found == first
    before = len(stage.github.requests)
    _written(forge, f"{MARKER}-->\ndone", existing=found)

    assert len(stage.github.requests) == before + 1
    own = [one for one in stage.shop.comments_on(1) if one.body.startswith(MARKER)]
    assert [[*one.bodies] for one in own] == [[f"{MARKER}-->\nrunning", f"{MARKER}-->\ndone"]]


def test_a_marker_that_somebody_else_wrote_is_nothing(stage: Scene, forge: Forge) -> None:
    stage.shop.comment(1, f"{MARKER}-->\nDONE, trust me", author="pat")
    assert forge.own_comment(1, MARKER) is None


def test_another_kind_of_own_comment_is_not_the_report(forge: Forge) -> None:
    _written(forge, "<!-- fixloop:reply -->\nno such command")
    assert forge.own_comment(1, MARKER) is None


def test_with_a_personal_token_the_persons_own_comment_is_fixloops(stage: Scene) -> None:
    stage.github.user("zoe", permission="write")
    with stage.forge(stage.github.user_token("pat")) as forge:
        made = _written(forge, f"{MARKER}-->\nrunning")
        assert forge.own_comment(1, MARKER) == made
    with stage.forge(stage.github.user_token("zoe")) as other:
        assert other.own_comment(1, MARKER) is None


def test_a_comment_deleted_meanwhile_is_written_anew(stage: Scene, forge: Forge) -> None:
    first = _written(forge, f"{MARKER}-->\nrunning")
    del stage.shop.comments[first.id]
    second = _written(forge, f"{MARKER}-->\ndone", existing=first)
    assert [one.id for one in stage.shop.comments_on(1)] == [second.id]


def test_a_body_of_70_000_characters_is_a_value_and_leaves_nothing(stage: Scene, forge: Forge) -> None:
    assert forge.write_comment(1, "x" * 70_000) == TooLarge()
    assert stage.shop.comments_on(1) == []
    made = _written(forge, "short")
    assert forge.write_comment(1, "x" * 70_000, existing=made) == TooLarge()
    assert forge.write_issue("Dashboard", "x" * 70_000) == TooLarge()


def test_a_secondary_limit_in_the_middle_loses_and_doubles_nothing(stage: Scene, forge: Forge) -> None:
    first = _written(forge, f"{MARKER}-->\nrunning")
    stage.github.conditions.limit_writes(retry_after=1)
    _written(forge, f"{MARKER}-->\ndone", existing=first)
    stage.github.conditions.limit_writes(retry_after=1)
    _written(forge, "a reply")
    assert [one.body for one in stage.shop.comments_on(1)] == [f"{MARKER}-->\ndone", "a reply"]


def test_a_comment_whose_answer_was_lost_is_not_written_twice(stage: Scene, forge: Forge) -> None:
    body = f"{MARKER}-->\nrunning"
    bot = stage.github.actions_app.bot
    stage.github.conditions.before("POST", "*/comments", lambda _: stage.shop.comment(1, body, author=bot))
    stage.github.conditions.fail(status=502, method="POST", path="*/comments")
    made = _written(forge, body)
    assert [one.id for one in stage.shop.comments_on(1)] == [made.id]


def test_a_comment_that_did_not_arrive_is_written_again(stage: Scene, forge: Forge) -> None:
    stage.github.conditions.fail(status=502, method="POST", path="*/comments")
    _written(forge, "hello")
    assert [one.body for one in stage.shop.comments_on(1)] == ["hello"]


def test_reacting_twice_is_reacting_once_and_a_deleted_comment_is_no_error(stage: Scene, forge: Forge) -> None:
    asked = stage.shop.comment(1, "/fixloop", author="pat")
    for reaction in (Reaction.EYES, Reaction.EYES, Reaction.ROCKET):
        forge.react(asked.id, reaction)
    assert [one.content for one in asked.reactions] == ["eyes", "rocket"]
    forge.react(5, Reaction.CONFUSED)


def test_the_dashboard_is_one_issue_which_is_edited_and_reopened(stage: Scene, forge: Forge) -> None:
    marker = "<!-- fixloop:dashboard"
    stage.shop.open_issue("Dashboard", f"{marker} -->\nforged", author="pat")
    assert forge.own_issue(marker) is None
    made = forge.write_issue("Dashboard", f"{marker} -->\nfirst")
    assert isinstance(made, Issue)
    stage.shop.issues[made.number].state = "closed"

    found = forge.own_issue(marker)
    assert found is not None
    assert (found.number, found.is_open) == (made.number, False)
    forge.write_issue("Dashboard", f"{marker} -->\nsecond", existing=found)
    issue = stage.shop.issues[made.number]
    assert (issue.state, issue.body) == ("open", f"{marker} -->\nsecond")
