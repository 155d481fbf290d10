"""The one comment, whole, for every way in which a run can stand."""

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.limits import COMMENT, size
from fixloop_bot.core.render.marker import read_marker
from fixloop_bot.model.report import (
    GuardFinding,
    PatchOffered,
    PullRequestOpened,
    Pushed,
    Report,
    Suggested,
    Surroundings,
)
from fixloop_bot.model.state import Phase
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import AROUND, BLOCKED_EVERYWHERE, EVERYWHERE, SECRET
from tests.core.render.states import (
    DONE,
    ENVIRONMENT,
    FIRST,
    GUARDED,
    HERE,
    LINKS,
    MANY,
    MAX_RETRIES,
    NEED_DECISION,
    NOTHING_TO_FIX,
    OUT_OF_MONEY,
    RUNNING,
    told,
)

PATCH = """\
diff --git a/shop/prices.py b/shop/prices.py
index 1111111..2222222 100644
--- a/shop/prices.py
+++ b/shop/prices.py
@@ -1,2 +1,2 @@
 def total(prices):
-    return -sum(prices)
+    return sum(prices)
"""
FORK = PatchOffered(patch=PATCH, reason="the fork takes no pushes", url="https://github.com/shop/web/actions/runs/7")
FINDING = GuardFinding(
    rule_id="protected-file", severity="critical", path="tests/test_prices.py", line=9, message="a test was changed"
)
LOW = "the budget of the pull request shop/web#7 is nearly used up: $8.40 of $10.00"
APPROVAL = replace(NEED_DECISION, phase=Phase.APPROVAL_WAIT)
REPORTS: dict[str, Report] = {
    "first_look": told(FIRST),
    "running": told(RUNNING),
    "done_three_layers": told(DONE, Surroundings(links=LINKS, delivery=Pushed("fix/totals"), ci_started=True)),
    "done_nothing_to_fix": told(NOTHING_TO_FIX),
    "need_decision": told(NEED_DECISION, replace(HERE, delivery=Pushed("fix/totals"), ci_started=False)),
    "need_approval": told(APPROVAL, replace(HERE, approval_patch=PATCH)),
    "need_approval_of_nothing": told(APPROVAL),
    "need_approval_of_hidden_signs": told(APPROVAL, replace(HERE, approval_patch=PATCH.replace("sum", "s\u200bum"))),
    "blocked_max_retries": told(MAX_RETRIES, replace(HERE, guard=(FINDING,), sandbox="user, network, Landlock")),
    "blocked_by_a_budget": told(OUT_OF_MONEY, replace(HERE, budgets=(LOW,))),
    "blocked_by_the_guard": told(GUARDED),
    "blocked_environment": told(ENVIRONMENT),
    "fault": told(RUNNING, replace(HERE, fault="OSError: No space left on device")),
    "cancelled": told(RUNNING, replace(HERE, cancelled=True)),
    "fork_patch": told(DONE, replace(HERE, delivery=FORK)),
    "pull_request": told(DONE, replace(HERE, delivery=PullRequestOpened(8, "https://github.com/shop/web/pull/8"))),
    "suggested": told(DONE, replace(HERE, delivery=Suggested(2, PATCH))),
    "hostile": told(EVERYWHERE, AROUND),
    "hostile_blocked": told(BLOCKED_EVERYWHERE, AROUND),
    "two_hundred_attempts": told(MANY),
}


@pytest.mark.parametrize("name", REPORTS)
def test_the_whole_comment_is_as_recorded(name: str) -> None:
    assert_recorded(f"comment_{name}.md", to_comment(REPORTS[name]))


@pytest.mark.parametrize("name", REPORTS)
def test_marker_and_status_come_first_and_the_size_is_right(name: str) -> None:
    comment = to_comment(REPORTS[name])
    first, _, heading, *_ = comment.split("\n")
    assert read_marker(comment) is not None
    assert first.startswith("<!-- fixloop:report v=1 ")
    assert re.match(rf"### \S+ {REPORTS[name].status}: ", heading)
    assert size(comment) <= COMMENT


HOSTILE_NAMES = ["hostile", "hostile_blocked"]
OUR_HTML = {"<details>", "</details>", "<br>", "<sub>", "</sub>"}


def _parsed(markdown: str) -> list[Token]:
    """Return all tokens, as a parser that knows nothing of fixloop sees them."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(markdown)
    return [leaf for token in tokens for leaf in (token, *(token.children or ()))]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_foreign_text_makes_no_markup_of_its_own(name: str) -> None:
    tokens = _parsed(to_comment(REPORTS[name]))
    kinds = {token.type for token in tokens}
    headings = [token for token in tokens if token.type == "heading_open"]
    inline = {token.content for token in tokens if token.type == "html_inline"}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]

    assert len(headings) == 1
    assert kinds.isdisjoint({"image", "em_open", "s_open", "blockquote_open", "hr"})
    assert inline <= OUR_HTML
    assert all(
        re.fullmatch(r"(<!-- fixloop:[^<>]*-->|<details><summary>[^<>]*</summary>|</details>)", b) for b in blocks
    )
    assert sum("<details>" in block for block in blocks) == sum("</details>" in block for block in blocks)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_links_lead_only_where_fixloop_means_them_to(name: str) -> None:
    links = [str(t.attrs["href"]) for t in _parsed(to_comment(REPORTS[name])) if t.type == "link_open"]
    assert links
    assert all(link.startswith("https://github.com/shop/web/") for link in links)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_mention_reference_or_address_is_left_outside_code(name: str) -> None:
    text = "\n".join(token.content for token in _parsed(to_comment(REPORTS[name])) if token.type == "text")
    assert "octocat" in text
    assert not re.search(r"@\w|#\d|GH-\d|://|www\.", text, re.IGNORECASE)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_line_is_a_command_to_another_bot(name: str) -> None:
    lines = [line for line in to_comment(REPORTS[name]).split("\n") if not line.startswith("+")]
    assert not [line for line in lines if re.match(r"/[a-z]", line) or re.search(r"(?<!\w)@dependabot", line)]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_secret_and_nothing_invisible_is_left(name: str) -> None:
    comment = to_comment(REPORTS[name])
    assert SECRET not in comment
    assert "***" in comment
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", comment)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_every_row_of_a_table_has_its_columns_and_no_more(name: str) -> None:
    tokens = _parsed(to_comment(REPORTS[name]))
    cells = [token.type for token in tokens if token.type in ("tr_open", "th_open", "td_open")]
    rows = " ".join(cells).split("tr_open")[1:]
    assert [len(row.split()) for row in rows] == [5, 5, 6, 6, 6, 6]


def test_a_long_story_sheds_records_and_old_attempts_but_not_how_to_go_on() -> None:
    comment = to_comment(REPORTS["two_hundred_attempts"])
    assert "| 200 |" in comment
    assert "/fixloop --max-retries N" in comment
    assert "earlier attempts are not shown" in comment


@pytest.mark.parametrize("limit", [60_000, 20_000, 6_000, 3_000])
def test_any_smaller_limit_is_kept_too(limit: int) -> None:
    comment = to_comment(REPORTS["two_hundred_attempts"], limit=limit)
    assert size(comment) <= limit
    assert read_marker(comment)
    assert "BLOCKED: max-retries" in comment
