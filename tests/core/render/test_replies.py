"""The short answers, whole."""

from fixloop_bot.core.command_words import parse_words
from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.replies import COMMANDS, help_reply, mistyped_reply, status_reply
from fixloop_bot.model.comment_command import CommandError
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import HOSTILE, SECRET
from tests.core.render.states import NEED_DECISION, RUNNING, told


def test_help_is_as_recorded() -> None:
    assert_recorded("reply_help.md", help_reply())


def test_help_names_every_command_of_the_product() -> None:
    first_words = {command.split()[1] if " " in command else "run" for command, _ in COMMANDS}
    assert first_words == {"run", "status", "stop", "decide", "approve", "revert", "help"}


def mistyped(comment: str) -> str:
    """Return the answer to a line that the parser refuses."""
    error = parse_words(comment.removeprefix("/fixloop"))
    assert isinstance(error, CommandError)
    return mistyped_reply(error, redact=redactor([SECRET]))


def test_a_mistyped_command_gets_one_answer_that_helps() -> None:
    replies = (mistyped("/fixloop decde A"), mistyped("/fixloop --max-retries many"))
    assert_recorded("reply_mistyped.md", "---\n".join(replies))


def test_a_hostile_command_is_answered_without_harm() -> None:
    hostile = CommandError(line=HOSTILE, problem=HOSTILE, word=HOSTILE, suggestion=HOSTILE, usage=HOSTILE)
    assert_recorded("reply_mistyped_hostile.md", mistyped_reply(hostile, redact=redactor([SECRET])))


def test_status_of_a_run_and_of_none_is_as_recorded() -> None:
    replies = (status_reply(None), status_reply(told(RUNNING)), status_reply(told(NEED_DECISION)))
    assert_recorded("reply_status.md", "---\n".join(replies))


def test_no_reply_starts_a_line_with_a_command() -> None:
    for reply in (help_reply(), mistyped("/fixloop /fixloop"), status_reply(told(RUNNING))):
        assert not [line for line in reply.split("\n") if line.lstrip().startswith("/fixloop")]
