"""The short answers to comments: help, status, and one word on a mistyped command."""

from collections.abc import Callable

from fixloop_bot.core.render.escape import clean, code, prose
from fixloop_bot.core.render.going_on import how_to_go_on, question_section
from fixloop_bot.core.render.headline import headline
from fixloop_bot.core.render.limits import COMMENT, Section, fit
from fixloop_bot.core.render.link import link
from fixloop_bot.model.comment_command import CommandError
from fixloop_bot.model.report import Report

COMMANDS: tuple[tuple[str, str], ...] = (
    ("/fixloop", "repairs this pull request's head"),
    ("/fixloop run --max-retries N --max-cost-usd X --skip-compile", "the same within your own bounds"),
    ("/fixloop status", "tells how the run stands"),
    ("/fixloop stop", "ends the run; verified commits stay"),
    ("/fixloop decide A", "or `B`, with a remark behind it if you like: answers fixloop's question"),
    ("/fixloop approve", "or `deny`: answers for the diff that is shown"),
    ("/fixloop revert LAYER", "or a commit id: takes fixloop's commit back"),
    ("/fixloop help", "shows this list"),
)


def help_reply() -> str:
    """Return the list of commands."""
    lines = [f"- {code(command)} {about}" for command, about in COMMANDS]
    rule = "A command stands alone at the start of a line. It takes write permission."
    return "\n".join((f"{rule}\n", *lines)) + "\n"


def mistyped_reply(error: CommandError, *, redact: Callable[[str], str]) -> str:
    """Return the one answer to a command that fixloop does not understand: what is wrong, how it is written."""
    word = f" {_shown(error.word, redact)}" if error.word else ""
    meant = f" Did you mean {_shown(error.suggestion, redact)}?" if error.suggestion else ""
    usage = f" Usage: {_shown(error.usage, redact)}." if error.usage != COMMANDS[-1][0] else ""
    wrong = f"I do not understand {_shown(error.line, redact)}: {prose(error.problem)}{word}."
    return f"{wrong}{meant}{usage} Nothing was started.\n\n{help_reply()}"


def _shown(text: str, redact: Callable[[str], str]) -> str:
    return code(clean(text, redact), 200)


def status_reply(report: Report | None) -> str:
    """Return how the run stands; None: there was none on this pull request."""
    if report is None:
        return "There is no run on this pull request. `/fixloop` starts one.\n"
    links = report.surroundings.links
    more = link("The whole run", links.run) if links.run else ""
    parts = (Section(headline(report)), question_section(report), Section(how_to_go_on(report)), Section(more))
    return fit(parts, COMMENT)
