"""fixloop's own pull requests, and suggestions on people's."""

from fixloop_bot.adapters.github.hunks import shown_lines
from fixloop_bot.model.forge import NothingToPropose, Proposal, TooLarge
from fixloop_bot.model.suggestion import Suggestion
from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import Scene


def test_a_repair_is_proposed_once_and_then_updated(stage: Scene, forge: Forge) -> None:
    stage.shop.commit("fixloop/main", {"app.py": "fixed\n"})
    made = forge.propose(branch="fixloop/main", base="main", title="Repair main", body="first")
    assert isinstance(made, Proposal)
    assert made.created
    again = forge.propose(branch="fixloop/main", base="main", title="Repair main again", body="second")
    assert again == Proposal(number=made.number, url=made.url, created=False)
    pull = stage.shop.pulls[made.number]
    assert (pull.title, pull.body, len(stage.shop.pulls)) == ("Repair main again", "second", 2)


def test_a_branch_without_commits_of_its_own_is_nothing_to_propose(stage: Scene, forge: Forge) -> None:
    stage.shop.git.update_ref("refs/heads/fixloop/main", stage.shop.head())
    assert forge.propose(branch="fixloop/main", base="main", title="t", body="b") == NothingToPropose()


def test_a_proposal_that_is_too_long_is_a_value(stage: Scene, forge: Forge) -> None:
    stage.shop.commit("fixloop/main", {"app.py": "fixed\n"})
    assert forge.propose(branch="fixloop/main", base="main", title="t", body="x" * 70_000) == TooLarge()


def test_suggestions_stand_in_one_review_on_the_lines_of_the_diff(stage: Scene, forge: Forge) -> None:
    assert forge.commentable_lines(1) == {"app.py": frozenset({1, 2, 3})}
    both = (
        Suggestion(path="app.py", start_line=None, line=2, body="```suggestion\nb = 2\n```"),
        Suggestion(path="app.py", start_line=2, line=3, body="```suggestion\nb = 2\nc = 3\n```"),
    )
    assert forge.suggest(1, both, head_sha=stage.head, body="fixloop suggests") is None
    (review,) = stage.shop.reviews.values()
    assert (review.state, review.commit_id) == ("COMMENTED", stage.head)
    assert [(one.start_line, one.line) for one in stage.shop.review_comments.values()] == [(None, 2), (2, 3)]


def test_a_suggestion_outside_the_diff_writes_nothing_and_tells_the_lines(stage: Scene, forge: Forge) -> None:
    outside = Suggestion(path="app.py", start_line=None, line=40, body="```suggestion\n```")
    lines = forge.suggest(1, (outside,), head_sha=stage.head, body="fixloop suggests")
    assert lines == {"app.py": frozenset({1, 2, 3})}
    assert not stage.shop.reviews


def test_a_patch_shows_added_and_unchanged_lines_and_survives_garbage() -> None:
    assert shown_lines("@@ -1,2 +5,3 @@ def f\n a\n-b\n+c\n+d\n\\ No newline at end of file") == {5, 6, 7}
    assert shown_lines("") == frozenset()
    assert shown_lines("@@ nonsense @@\n-x") == frozenset()
