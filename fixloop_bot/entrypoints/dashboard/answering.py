"""An answer that is given with a form."""

from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.entrypoints.answer import TEXT_LIMIT
from fixloop_bot.entrypoints.dashboard.pages import found_run
from fixloop_bot.entrypoints.dashboard.sources import Sources, question_of
from fixloop_bot.entrypoints.dashboard.tokens import Tokens
from fixloop_bot.model.answer import Answer, Choice
from fixloop_bot.model.outcome import Question, QuestionKind

LONGEST = 64_000
"""Bytes of a form."""


@dataclass(frozen=True, slots=True)
class Who:
    """Who asks, and from which browser."""

    user: str
    """Empty: it is not known."""
    session: str


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, the first of each name. Raises HTTPException for what is too long or no form."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > LONGEST:
            raise HTTPException(413, "The answer is too long.")
    try:
        fields = parse_qs(content.decode("ascii"), max_num_fields=20, keep_blank_values=True)
    except ValueError:
        raise HTTPException(400, "This is no form.") from None
    return {name: values[0] for name, values in fields.items()}


def take_answer(request: Request, form: dict[str, str], who: Who, sources: Sources, tokens: Tokens) -> str:
    """Hand the answer on and return what became of it. Raises HTTPException for one that cannot be taken."""
    one = found_run(request, sources, fresh=True)
    question = question_of(one.run)
    if question is None:
        raise HTTPException(409, "The run does not wait for an answer now.")
    if one.source.answers is None:
        raise HTTPException(409, "Answers are not taken here: type the command that the page shows.")
    if not tokens.holds(form.get("token", ""), session=who.session, run_id=one.run.run_id, question=question):
        raise HTTPException(403, "This form is not of this question, this browser and this dashboard. Load it again.")
    text = form.get("text", "").replace("\0", "").strip()[:TEXT_LIMIT]
    answer = Answer(choice=_choice(form.get("choice", ""), question), text=text, by=who.user, at=SystemClock().iso())
    return one.source.answers.take(one.run.run_id, answer)


def choices(question: Question) -> tuple[Choice, ...]:
    """Return the answers that a question takes."""
    approval = question.kind is QuestionKind.APPROVAL
    return (Choice.APPROVE, Choice.DENY) if approval else (Choice.A, Choice.B)


def _choice(word: str, question: Question) -> Choice:
    for choice in choices(question):
        if word == choice:
            return choice
    raise HTTPException(400, f"Choose one of: {', '.join(choices(question))}.")
