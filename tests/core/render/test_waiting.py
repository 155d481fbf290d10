"""A question goes into a comment and comes out of it whole, or not at all."""

import base64
import json
import random
import zlib
from dataclasses import replace

import pytest

from fixloop_bot.core.render.check_run import actions
from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.limits import FROZEN_PATCH
from fixloop_bot.core.render.waiting import read_waiting, waiting_block
from fixloop_bot.model.outcome import Question, QuestionKind
from tests.core.render.states import NEED_DECISION, told

QUESTION = Question(
    layer="test",
    question="Is -->\n12 right? <!-- fixloop:waiting AAAA -->",
    option_a="expect 24",
    option_b="keep 10",
    kind=QuestionKind.STALE_TEST,
    patch="diff --git a/é b/é\n-20\n+24\n",
    patch_sha256="0" * 64,
    base="a" * 40,
    about=("test: a",),
    verdicts=("test stale: a",),
)


def test_the_question_comes_back_from_the_comment() -> None:
    report = replace(told(NEED_DECISION), question=QUESTION)
    assert read_waiting(to_comment(report)) == QUESTION
    assert read_waiting(to_comment(report).replace("\n", "\r\n").replace("\r\n", "\n")) == QUESTION


def test_a_diff_that_is_too_long_is_left_out_whole() -> None:
    noise = "".join(random.Random(1).choices("0123456789abcdefghijklmnopqrstuvwxyz", k=60_000))
    report = replace(told(NEED_DECISION), question=replace(QUESTION, patch=noise))
    assert waiting_block(report) == ""
    assert read_waiting(to_comment(report)) is None


@pytest.mark.parametrize("approval", [False, True])
def test_a_diff_that_does_not_stand_on_the_page_whole_cannot_be_let_be_done_there(approval: bool) -> None:
    long = "+é" * (FROZEN_PATCH // 3 + 1)
    report = replace(told(NEED_DECISION), approval=approval, question=replace(QUESTION, patch=long))
    report = replace(report, surroundings=replace(report.surroundings, approval_patch=long if approval else ""))
    body = to_comment(report)
    assert "too long for this page" in body
    assert read_waiting(body) is None
    assert {"decide-a", "approve"}.isdisjoint(action.identifier for action in actions(report))
    assert "`/fixloop approve`" not in body
    assert "`/fixloop decide A`" not in body


def packed(value: object) -> str:
    return f"<!-- fixloop:waiting {base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()} -->"


GOOD = {
    "layer": "test", "question": "q", "option_a": "a", "option_b": "b", "kind": "choice", "patch": "",
    "patch_sha256": "", "base": "", "about": [], "verdicts": [],
}  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="nothing"),
        pytest.param("<!-- fixloop:waiting AAAA -->", id="no packed data"),
        pytest.param("<!-- fixloop:waiting A=AA -->", id="no base64"),
        pytest.param(packed([]), id="a list"),
        pytest.param(packed({**GOOD, "layer": "none"}), id="an unknown layer"),
        pytest.param(packed({**GOOD, "kind": "none"}), id="an unknown kind"),
        pytest.param(packed({**GOOD, "about": [1]}), id="a number among texts"),
        pytest.param(packed({**GOOD, "patch": None}), id="no patch"),
        pytest.param(packed({key: GOOD[key] for key in ("layer", "question")}), id="half of it"),
        pytest.param(f"{packed(GOOD)}\n{packed(GOOD)}", id="two of them"),
        pytest.param(packed(["[" * 100_000]), id="much of nothing"),
        pytest.param(f"> {packed(GOOD)}", id="a quotation"),
    ],
)
def test_any_other_shape_is_no_question(body: str) -> None:
    assert read_waiting(body) is None
    assert read_waiting(packed(GOOD)) is not None


def test_a_small_block_that_unpacks_to_much_is_cut() -> None:
    bomb = base64.b64encode(zlib.compress(b" " * 20_000_000, 9)).decode()
    assert len(bomb) < 30_000
    assert read_waiting(f"<!-- fixloop:waiting {bomb} -->") is None
