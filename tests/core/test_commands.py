"""Where a line of a comment counts as a command."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.commands import MAX_COMMANDS, MAX_COMMENT_CHARACTERS, MAX_LINES, parse_commands
from fixloop_bot.model.comment_command import CommandError, HelpCommand, RunCommand, StatusCommand, StopCommand

RUN = (RunCommand(),)
NOTHING = ()


@pytest.mark.parametrize(
    "text",
    [
        "/fixloop",
        "/fixloop run",
        "/FixLoop RUN",
        "/fixloop \t run  ",
        "please\n/fixloop\nthank you",
        "please\r\n/fixloop\r\nthank you\r\n",
        "please\r/fixloop\rthank you",
        "> it fails\n\n/fixloop",
        "> it fails\n/fixloop",
        "```\nlog\n```\n/fixloop",
        "~~~\n```\n~~~\n\n/fixloop",
        "    indented code\n\n/fixloop",
        "say `this` and\n/fixloop",
        "an ` open tick\n/fixloop",
        "<!-- note -->\n\n/fixloop",
        "<details>\n\nlog\n\n</details>\n\n/fixloop",
        "1. one\n2. two\n\n/fixloop",
        "- ```\n  /fixloop stop\n  ```\n\n/fixloop",
        "/fixloop\n---\nmore",
        "`<!--` opens a comment in HTML\n\n/fixloop",
        "```\n<details>\n```\n\n/fixloop",
        "a\n\n***\n/fixloop",
    ],
    ids=[
        "alone",
        "with its word",
        "in other case",
        "with blanks",
        "between lines",
        "between lines from Windows",
        "between lines of old",
        "after a quote and a blank line",
        "right below a quote",
        "after a fence",
        "after a fence of tildes around one of ticks",
        "after indented code",
        "after inline code",
        "after a tick that closes nowhere",
        "after an HTML comment",
        "after a fold",
        "after a list",
        "after a fence in a list",
        "as a heading, by the line below it",
        "after the opening of a comment in inline code",
        "after a fold that is only code",
        "after a rule",
    ],
)
def test_a_command_counts(text: str) -> None:
    assert parse_commands(text) == RUN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "use /fixloop",
        " /fixloop",
        "\t/fixloop",
        "text\n    /fixloop",
        "text\n\n    /fixloop",
        "> /fixloop",
        ">/fixloop",
        "> > /fixloop",
        "- /fixloop",
        "1. /fixloop",
        "# /fixloop",
        "`/fixloop`",
        "`look\n/fixloop\nat it`",
        "``a ` b\n/fixloop\n``",
        "```\n/fixloop\n```",
        "```yaml\n/fixloop\n```",
        "~~~\n/fixloop\n~~~",
        "````\n```\n/fixloop\n```\n````",
        "```\n/fixloop",
        "```\nfoo\n    ```\n/fixloop\n```",
        "<!--\n/fixloop\n-->",
        "<!-- a\n\n/fixloop\n\nb -->",
        "so <!-- and\n/fixloop\n--> on",
        "<!--\n/fixloop",
        "<details>\n<summary>log</summary>\n\n/fixloop\n\n</details>",
        "<details open>\n\n<details>\n\n</details>\n\n/fixloop\n\n</details>",
        "<DETAILS>\n\n/fixloop",
        "<pre>\n/fixloop\n</pre>",
        "<div>\n/fixloop\n</div>",
        '<a title="\n/fixloop\n">',
        "\\/fixloop",
        "\\\ue000/fixloop",
        "/ fixloop",
        "//fixloop",
        "/fixloop/run",
        "/fixloop:run",
        "/fixloop, please",
        "fixloop run",
        "@fixloop run",
        "/fixl\u043e\u043ep",
        "\uff0ffixloop",
        "/\u200bfixloop",
        "\u200b/fixloop",
        "\ufeff/fixloop",
        "/fixloop\u200b",
        "/fixloop\u00a0run",
        "/fi\u00adxloop",
        "a\u2028/fixloop",
        "a\u0085/fixloop",
        "a\x0b/fixloop",
        "a\x0c/fixloop",
        "/fix it",
        "/loop",
        "/fixture",
        "\ue000" + "0\ue000",
    ],
    ids=[
        "nothing",
        "inside a line",
        "after a blank",
        "after a tab",
        "indented below text",
        "indented code",
        "a quote",
        "a quote without blank",
        "a quote in a quote",
        "a list item",
        "a numbered item",
        "a heading",
        "inline code",
        "inline code over lines",
        "inline code of two ticks over lines",
        "a fence",
        "a fence with its language",
        "a fence of tildes",
        "a fence in a longer fence",
        "a fence that never closes",
        "a fence whose closing is indented too far",
        "an HTML comment",
        "an HTML comment with paragraphs",
        "an HTML comment inside a text",
        "an HTML comment that never closes",
        "a fold",
        "a fold after a fold within a fold",
        "a fold that never closes",
        "preformatted HTML",
        "an HTML block",
        "an attribute",
        "an escaped slash",
        "behind a private character",
        "a blank after the slash",
        "two slashes",
        "a path",
        "a colon",
        "a sentence",
        "without slash",
        "a mention",
        "Cyrillic letters",
        "a wide slash",
        "a zero-width space inside",
        "a zero-width space before",
        "a byte order mark before",
        "a zero-width space after",
        "a no-break space",
        "a soft hyphen",
        "a line separator is no line",
        "a next-line control is no line",
        "a vertical tab is no line",
        "a form feed is no line",
        "another bot's command",
        "another command that is close",
        "a path that is close",
        "the parser's own mark",
    ],
)
def test_no_command(text: str) -> None:
    assert parse_commands(text) == NOTHING


def test_several_commands_keep_their_order_and_a_mistyped_one_its_place() -> None:
    first, second, third = parse_commands("/fixloop stop\n/fixloop stauts\n\n/fixloop help")
    assert (first, third) == (StopCommand(), HelpCommand())
    assert isinstance(second, CommandError)
    assert second.suggestion == "status"


@pytest.mark.parametrize("name", ["/fix-loop", "/fixlop", "/fixloops", "/Fixlooop"])
def test_a_mistyped_name_is_an_error_with_the_right_one(name: str) -> None:
    (error,) = parse_commands(f"{name} run")
    assert isinstance(error, CommandError)
    assert (error.word, error.suggestion) == (name, "/fixloop run")


def test_a_comment_on_a_command_line_hides_what_follows_it() -> None:
    assert parse_commands("/fixloop status <!--\n/fixloop run\n-->") == (StatusCommand(),)


def test_a_comment_has_a_most_of_commands_and_of_characters() -> None:
    assert parse_commands("/fixloop\n" * 1000) == RUN * MAX_COMMANDS
    assert parse_commands("x" * (MAX_COMMENT_CHARACTERS - 4) + "\n/fixloop") == NOTHING
    assert parse_commands("\n" * (MAX_LINES - 1) + "/fixloop") == RUN
    assert parse_commands("\n" * MAX_LINES + "/fixloop") == NOTHING


def test_a_command_counts_right_below_a_deep_list() -> None:
    assert parse_commands("- a\n  - b\n    - c\n      - d\n/fixloop") == RUN


LINES = st.lists(st.text(alphabet=st.characters(exclude_characters="\n\r"), max_size=20), max_size=6)


@given(st.text())
def test_no_text_raises(text: str) -> None:
    parse_commands(text)


@given(st.lists(st.sampled_from(["/fixloop", "/fix-loop", " ", "\n", "```", "`", "<!--", "-->", "> ", "-", "<details>",
                                 "</details>", "\ue000", "\ud800", "run", "--max-retries", "=", "9", "\t", "\\"]),
                max_size=30))  # fmt: skip
def test_no_mixture_of_the_parts_raises(parts: list[str]) -> None:
    assert len(parse_commands("".join(parts))) <= MAX_COMMANDS


@given(before=LINES, after=LINES)
def test_no_quoted_line_is_ever_obeyed(before: list[str], after: list[str]) -> None:
    assert parse_commands("\n".join(f"> {line}" for line in (*before, "/fixloop", *after))) == NOTHING


@given(before=LINES, after=LINES, fence=st.sampled_from(["```", "~~~~"]), text=LINES)
def test_no_line_in_a_fence_is_ever_obeyed(before: list[str], after: list[str], fence: str, text: list[str]) -> None:
    inside = [line.replace("`", "").replace("~", "") for line in (*before, "/fixloop run", *after)]
    intro = [line for line in text if line.isalnum()]
    assert parse_commands("\n".join((*intro, fence, *inside, fence))) == NOTHING


HOSTILE = {
    "lines in lists in quotes": "/fixloop\n\n" + "> - > - > - a\n/fixloop\n" * 2800,
    "open comments": "/fixloop\n" + "a <!--" * 10_000,
    "ticks of all lengths": "/fixloop\n" + " ".join("`" * length for length in range(350)),
    "nested quotes": "/fixloop\n" + ">" * 60_000,
    "nested lists": "/fixloop\n" + "- " * 30_000,
    "lazy lines": "/fixloop\n" + "> " * 20 + "a\n" + "b\n" * 30_000,
    "open tags": "/fixloop\n" + '<a b="' * 10_000,
    "folds": "/fixloop\n" + "<details>\n\n" * 5000,
    "near misses": "/fixlop\n" * 8000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_comment_of_full_length_still_gives_its_first_command(text: str) -> None:
    assert len(text) <= MAX_COMMENT_CHARACTERS
    assert parse_commands(text)
