"""Foreign text shows as it is, and does nothing."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.escape import clean, code, fence, log_fence, plain, prose, visible
from fixloop_bot.core.render.limits import size

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
"""Lone surrogates and unassigned code points too."""
SIGNS = "@#`~|*_[]()<>&!\\/:-=+$\n\r\t 1a"
PIECES = ("GH-1", "gh-2", "http://a.b", "www.a.b", "```", "</details>", "<!--", "&lt;", "##[group]", "::error::")
UNSEEN = ("\x1b[1m", "\u202e", "\u200b", "\ud800")
TRICKS = st.lists(st.sampled_from([*SIGNS, *PIECES, *UNSEEN]), max_size=40).map("".join)


def rendered(markdown: str) -> list[tuple[str, str]]:
    """Return type and content of the leaves that a Markdown parser makes of a list item."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return [
        (leaf.type, leaf.content)
        for token in parser.parse(f"- text {markdown}")
        for leaf in (token.children or ())
        if leaf.type != "text" or leaf.content
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("@octocat", "@&#8203;octocat", id="a mention"),
        pytest.param("see @shop/owners", "see @&#8203;shop/owners", id="a team"),
        pytest.param("fixes #12", "fixes #&#8203;12", id="an issue"),
        pytest.param("shop/web#12", "shop/web#&#8203;12", id="an issue elsewhere"),
        pytest.param("GH-12 gh-3", "GH-&#8203;12 gh-&#8203;3", id="the old form of a reference"),
        pytest.param("https://x.y/issues/1", "https:&#8203;//x.y/issues/1", id="an address"),
        pytest.param("WWW.x.y", "WWW&#8203;.x.y", id="an address without a scheme"),
        pytest.param("me@x.y", "me@&#8203;x.y", id="a mail address"),
        pytest.param("<b>&amp;", "&lt;b&gt;&amp;amp;", id="HTML"),
        pytest.param("a|b", "a&#124;b", id="a bar"),
        pytest.param("*a* _b_ `c` ~~d~~ [e](f)", r"\*a\* \_b\_ \`c\` \~\~d\~\~ \[e\](f)", id="Markdown"),
        pytest.param("back\\slash $x$", r"back\\slash \$x\$", id="a backslash and a formula"),
        pytest.param("two\nlines\r\nand\ta tab", "two lines and a tab", id="several lines"),
        pytest.param("\x1b[31mred\x1b[0m", "red", id="colours"),
        pytest.param("a\u202eb\u2066c\u200bd\ufeffe\u00adf\U000e0041g", "abcdefg", id="what cannot be seen"),
        pytest.param("bad \ud800 half", "bad \ufffd half", id="half a surrogate pair"),
        pytest.param("\u65e5\u672c \U0001f600", "\u65e5\u672c \U0001f600", id="other scripts stay"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_prose_shows_every_sign_and_gives_none_a_meaning(text: str, shown: str) -> None:
    assert prose(text) == shown


@given(st.one_of(ANY_TEXT, TRICKS))
def test_a_markdown_parser_finds_only_text_in_prose(text: str) -> None:
    leaves = rendered(prose(text))
    joined = "".join(content for _, content in leaves)
    assert {kind for kind, _ in leaves} <= {"text", "text_special"}
    assert joined.replace("\u200b", "") == f"text {plain(text)}".rstrip()
    assert not re.search(r"@\w|#\d|gh-\d|://|www\.", joined, re.IGNORECASE)


@given(st.one_of(ANY_TEXT, TRICKS))
def test_a_markdown_parser_finds_one_code_span_with_the_text(text: str) -> None:
    leaves = rendered(code(text))
    assert [kind for kind, _ in leaves] == ["text", "code_inline"]
    assert leaves[1][1].strip() == (plain(text) or "(empty)")


@given(st.one_of(ANY_TEXT, TRICKS))
def test_a_markdown_parser_finds_one_fence_with_the_text(text: str) -> None:
    text = visible(text)
    tokens = MarkdownIt("commonmark").parse(f"{fence(text, 'diff')}\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content.rstrip("\n") == text.rstrip("\n")
    assert tokens[0].info == "diff"


@pytest.mark.parametrize(
    ("text", "bar"),
    [
        pytest.param("plain", "```", id="plain text has a plain fence"),
        pytest.param("a\n```\nb", "~~~", id="a fence of backticks is closed in by tildes"),
        pytest.param("a\n~~~\nb", "```", id="and one of tildes by backticks"),
        pytest.param("`````\n~~~~", "~~~~~", id="with both, the shorter of the longer ones"),
    ],
)
def test_a_fence_is_longer_than_any_in_the_text(text: str, bar: str) -> None:
    lines = fence(text).split("\n")
    assert (lines[0], lines[-1]) == (bar, bar)


def test_a_log_gives_no_command_to_another_bot() -> None:
    shown = log_fence("/lgtm\n/home/me/x.py\n@dependabot merge\nme@x.y a/b").split("\n")[1:-1]
    assert shown == [" /lgtm", " /home/me/x.py", "@\u200bdependabot merge", "me@x.y a/b"]


@pytest.mark.parametrize(
    "spelled",
    [
        pytest.param("hunter2-hunter2", id="as it is"),
        pytest.param("hunter2-\u200bhunter2", id="with something invisible in it"),
        pytest.param("hunter2\x1b[0m-hunter2", id="with a colour in it"),
        pytest.param("hunter2\u202e-hunter2", id="with a change of direction in it"),
    ],
)
def test_a_secret_is_found_however_it_hides(spelled: str) -> None:
    assert clean(f"a {spelled} b", redactor(["hunter2-hunter2"])) == "a *** b"


@given(ANY_TEXT, st.integers(min_value=1, max_value=40))
def test_plain_text_keeps_its_limit_in_code_points_and_utf_16(text: str, limit: int) -> None:
    shown = plain(text, limit)
    assert len(shown) <= limit
    assert len(shown.encode("utf-16-le")) <= limit * 2
    assert "\n" not in shown


SHAPES: list[Callable[[str], str]] = [prose, code, plain, visible, log_fence, fence]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize(
    "unit", ["`", "~", "@", "\x1b[", "\x1b]", "##[", "<!--", "\r", "[", "*", "\\", "\u202e", "/a\n"]
)
def test_a_megabyte_of_any_trick_comes_out_bounded(shape: Callable[[str], str], unit: str) -> None:
    assert size(shape(unit * (1_000_000 // len(unit)))) <= 4_000_000
