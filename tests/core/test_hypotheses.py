"""Another hypothesis, or the same one in other words."""

from dataclasses import replace

import pytest

from fixloop_bot.core.hypotheses import Idea, change_id, repeated, same_hypothesis, same_tree
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.attempt import Attempt, FailureMode, Verdict
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.target import TriedBefore


def idea(hypothesis: str, *files: str, change: str = "") -> Idea:
    return Idea(iteration_id="r-1", hypothesis=hypothesis, files=files, change_id=change)


INDEX = idea("The index is off by one.", "a.py", change="x")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(idea("the index: OFF by ONE!", "a.py", change="y"), True, id="the same words, put otherwise"),
        pytest.param(idea("something new entirely", "b.py", change="x"), True, id="the same change under other words"),
        pytest.param(idea("The index is off by one.", "b.py", change="y"), False, id="the same words of other files"),
        pytest.param(idea("The list is empty at first.", "a.py", change="y"), False, id="other words of the same file"),
        pytest.param(idea("The index is off by two.", "a.py", change="y"), False, id="one telling word is another"),
        pytest.param(idea("", "a.py", change="y"), False, id="nothing was said"),
        pytest.param(idea("of the and", "a.py", change="y"), False, id="nothing was said in words"),
    ],
)
def test_an_idea_is_the_same_by_its_change_or_by_its_words_and_files(other: Idea, *, same: bool) -> None:
    assert same_hypothesis(INDEX, other) is same
    assert same_hypothesis(other, INDEX) is same


def test_two_that_said_and_did_nothing_are_not_called_alike() -> None:
    assert not same_hypothesis(idea(""), idea(""))


PATCH = b"""\
diff --git a/a.py b/a.py
index 1111111..2222222 100644
--- a/a.py
+++ b/a.py
@@ -6,3 +6,3 @@ def last(pages):
 one
-    return pages[-2]
+    return pages[-1]
"""


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(PATCH.replace(b"@@ -6,3 +6,3 @@ def last(pages):", b"@@ -90,3 +91,3 @@ class A:"), True,
                     id="further down in the file"),
        pytest.param(PATCH.replace(b"1111111..2222222", b"3333333..4444444"), True, id="in another version of it"),
        pytest.param(PATCH.replace(b"pages[-1]", b"pages[0]"), False, id="another line"),
        pytest.param(PATCH.replace(b"+    return", b"+        return"), False, id="another indentation"),
        pytest.param(PATCH.replace(b"a.py", b"b.py"), False, id="another file"),
    ],
)  # fmt: skip
def test_a_change_is_known_again_wherever_it_is_made(other: bytes, *, same: bool) -> None:
    assert (change_id(PATCH) == change_id(other)) is same


def test_no_change_has_no_id_and_bytes_of_any_kind_have_one() -> None:
    assert change_id(b"") == change_id(b"\n") == ""
    assert len(change_id(bytes(range(256)))) == 64


def attempt(number: int, hypothesis: str, *, layer: Layer = Layer.TEST, **more: object) -> Attempt:
    made = Attempt(
        iteration=number,
        layer=layer,
        mode=FailureMode.DETERMINISTIC_FAIL,
        model=ModelAlias.SONNET,
        hypothesis=hypothesis,
        changed=("a.py",),
        verdict=Verdict.SAME,
        hash_after="A",
    )
    return replace(made, **more)  # type: ignore[arg-type]


BEFORE = TriedBefore(
    iteration_id="old-2", layer=Layer.TEST, hypothesis="A race", repair_action="", verdict="same", files=("a.py",)
)
STATE = LoopState(
    run_id="r",
    earlier_tried=(BEFORE,),
    attempts=(
        attempt(1, "off by one", change_id="x", tree="t1"),
        attempt(2, "rename them all", score_after=0.5, change_id="y", tree="t2", verdict=Verdict.PROGRESS),
        attempt(3, "unused import", layer=Layer.LINT, tree="t3"),
        attempt(4, "a skipped check", tree="t4", verdict=Verdict.REFUSED),
    ),
)


@pytest.mark.parametrize(
    ("new", "repeats"),
    [
        pytest.param(attempt(5, "Off by one"), "r-1", id="of this run"),
        pytest.param(attempt(5, "a race"), "old-2", id="of an earlier run"),
        pytest.param(attempt(5, "quite new", change_id="x"), "r-1", id="by its change"),
        pytest.param(attempt(5, "rename them all"), "", id="what helped may be done again"),
        pytest.param(attempt(5, "unused import"), "", id="of another layer"),
        pytest.param(attempt(5, "quite new"), "", id="of none"),
    ],
)
def test_only_what_failed_on_the_layer_is_repeated(new: Attempt, repeats: str) -> None:
    assert repeated(STATE, new) == repeats


@pytest.mark.parametrize(
    ("tree", "found"),
    [
        pytest.param("t1", 1, id="it was verified"),
        pytest.param("t4", None, id="it was refused and never verified"),
        pytest.param("t9", None, id="it is new"),
        pytest.param("", None, id="it is not known"),
    ],
)
def test_what_a_tree_came_to_is_known_only_where_it_was_verified(tree: str, found: int | None) -> None:
    known = same_tree(STATE, attempt(5, "new", tree=tree))
    assert (known.iteration if known else None) == found
