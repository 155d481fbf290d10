"""What a pull request's text can do to the prompt: nothing but stand in it as data."""

import itertools
import json
import re

import pytest

from fixloop_bot.core.prompt import first_message
from fixloop_bot.core.redact import redactor
from fixloop_bot.model.context import FixContext, Snippet, Tried
from fixloop_bot.model.layer import Layer
from tests.injections import INJECTIONS, MARK

NAME = r'(?:[\w./@+#-]+|"(?:[^"\\\x00-\x1f]|\\.)*")'
OUTSIDE = [
    re.compile(rf"(?:Story {NAME}, )?iteration 2 of 3(?:, branch {NAME})?\."),
    re.compile(r"The test check fails:"),
    re.compile(rf"{NAME}:\d+-\d+(?: \(read-only\))?"),
    re.compile(r"Tried without success:"),
    re.compile(r"A person decided; do it:"),
]
"""Every line that may stand outside a fence."""


def message(text: str) -> str:
    """Return an opening message with the text wherever somebody else's may stand, as it is sent."""
    context = FixContext(
        iteration=2,
        max_retries=3,
        story_id=text,
        branch=text,
        layer=Layer.TEST,
        diagnosis=text,
        snippets=(
            Snippet(path=text, start_line=1, text=f"first\n{text}\nlast", protected=True),
            Snippet(path=f"a/{text}", start_line=7, text=text),
        ),
        tried=(Tried(iteration=1, hypothesis=text, repair_action=text, effect=text),),
        decision=text,
    )
    return redactor(["a-known-secret"])(first_message(context))


def parted(sent: str) -> tuple[list[str], list[str]]:
    """Return the lines outside and inside the fences, as whoever reads Markdown sees them."""
    outside: list[str] = []
    inside: list[str] = []
    fence = ""
    for line in sent.split("\n"):
        if fence and line == fence:
            fence = ""
        elif fence:
            inside.append(line)
        elif re.fullmatch("`{3,}", line):
            fence = line
        else:
            outside.append(line)
    assert not fence, "the last fence is never closed"
    return outside, inside


@pytest.mark.parametrize("name", INJECTIONS)
def test_a_foreign_text_stands_in_a_fence_or_in_quotes(name: str) -> None:
    outside, inside = parted(message(INJECTIONS[name]))
    strange = [line for line in outside if not any(form.fullmatch(line) for form in OUTSIDE)]
    assert strange == []
    assert any(MARK in line or "***" in line for line in inside)
    assert len(outside) == 6, "one headline, one check, two files, what was tried, the decision"


@pytest.mark.parametrize("name", INJECTIONS)
def test_a_name_shows_what_is_in_it_and_stays_on_its_line(name: str) -> None:
    headline = message(INJECTIONS[name]).split("\n", 1)[0]
    assert headline.isprintable()
    assert len(headline) < 2_000


@pytest.mark.parametrize("name", INJECTIONS)
def test_the_fence_is_longer_than_any_run_of_backticks_in_it(name: str) -> None:
    sent = message(INJECTIONS[name])
    _outside, inside = parted(sent)
    longest = max((len(run) for line in inside for run in re.findall("`+", line)), default=0)
    fences = {line for line in sent.split("\n") if re.fullmatch("`{3,}", line) and line not in inside}
    assert {len(fence) > longest for fence in fences} == {True}


def test_two_texts_together_do_no_more_than_each_alone() -> None:
    halves = [INJECTIONS["half a private key"], INJECTIONS["the other half"], INJECTIONS["a closed fence"]]
    for one, other in itertools.permutations(halves, 2):
        context = FixContext(
            iteration=2,
            max_retries=3,
            story_id=one,
            branch="x",
            layer=Layer.TEST,
            diagnosis=one,
            snippets=(Snippet(path=other, start_line=1, text=one), Snippet(path=one, start_line=1, text=other)),
        )
        outside, _inside = parted(redactor([])(first_message(context)))
        assert len(outside) == 4, json.dumps(outside)
