"""What a person does next about a run of the service: on its pull request, as its worktree is nobody's to type in."""

from collections.abc import Iterator

from fixloop_bot.core.standing import status_of
from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.outcome import QuestionKind, Status

_LONGEST = 300
"""Characters of an option."""


def service_steps(run: RunFacts) -> tuple[str, ...]:
    """Return what can be done, a line each; commands are comments on the pull request."""
    return tuple(_steps(run))


def _steps(run: RunFacts) -> Iterator[str]:
    match status_of(run):
        case Status.NEED_DECISION:
            yield from _answers(run)
        case Status.BLOCKED:
            yield "/fixloop   (runs again)"
        case Status.DONE:
            yield "/fixloop revert LAYER   (takes back what was done on one layer)"
        case _ if run.followed_by:
            return
        case _:
            yield "/fixloop status   (tells how it stands)"
            yield "/fixloop stop   (ends it)"


def _answers(run: RunFacts) -> Iterator[str]:
    end = run.standing.end if run.standing else None
    question = end.question if end else None
    if question is None:
        return
    if question.kind is QuestionKind.APPROVAL:
        yield "/fixloop approve   (does exactly the diff that is shown)"
        yield "/fixloop deny   (refuses it)"
        return
    for choice, option in (("A", question.option_a), ("B", question.option_b)):
        yield f"/fixloop decide {choice}   ({one_line(option, limit=_LONGEST)})"
