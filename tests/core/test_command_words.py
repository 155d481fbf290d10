"""The words of a command, and the one helpful reply to what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.command_words import MAX_DECISION_CHARACTERS, MAX_LINE_CHARACTERS, USAGE, parse_words
from fixloop_bot.model.comment_command import (
    ApproveCommand,
    CommandError,
    CommentCommand,
    DecideCommand,
    DenyCommand,
    HelpCommand,
    RevertCommand,
    RunCommand,
    RunOptions,
    StatusCommand,
    StopCommand,
)
from fixloop_bot.model.layer import Layer

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("rest", "command"),
    [
        ("", RunCommand()),
        (" run", RunCommand()),
        (" --skip-compile", RunCommand(RunOptions(skip_compile=True))),
        (" run --max-retries 5", RunCommand(RunOptions(max_retries=5))),
        (" run --max-retries=5", RunCommand(RunOptions(max_retries=5))),
        (" run --max-retries 0", RunCommand(RunOptions(max_retries=1))),
        (" run --max-retries 99", RunCommand(RunOptions(max_retries=10))),
        (" run --max-cost-usd 1.50", RunCommand(RunOptions(max_cost_usd=1.5))),
        (" run --MAX-COST-USD=2", RunCommand(RunOptions(max_cost_usd=2.0))),
        (
            " run --max-cost-usd 0.01 --skip-compile --max-retries 1",
            RunCommand(RunOptions(max_retries=1, skip_compile=True, max_cost_usd=0.01)),
        ),
        (" status", StatusCommand()),
        (" stop", StopCommand()),
        (" STOP", StopCommand()),
        (" approve", ApproveCommand()),
        (" deny", DenyCommand()),
        (" help", HelpCommand()),
        (" decide A", DecideCommand("A")),
        (" decide b  keep the  old name ", DecideCommand("B", "keep the old name")),
        (" decide A --max-retries is wrong", DecideCommand("A", "--max-retries is wrong")),
        (" decide A größer <!-- unseen", DecideCommand("A", "größer")),
        (" decide A a\u202eb\u200bc\x1b[31m", DecideCommand("A", "abc[31m")),
        (" revert test", RevertCommand(Layer.TEST)),
        (" revert LINT", RevertCommand(Layer.LINT)),
        (" revert 0123ABC", RevertCommand("0123abc")),
        (f" revert {SHA}", RevertCommand(SHA)),
    ],
    ids=[
        "nothing means run",
        "run",
        "an option alone means run",
        "retries",
        "retries with an equals sign",
        "too few retries are clamped",
        "too many retries are clamped",
        "dollars and cents",
        "dollars in capital letters",
        "all options",
        "status",
        "stop",
        "stop in capital letters",
        "approve",
        "deny",
        "help",
        "decide",
        "decide with words",
        "options in a decision are words",
        "a decision in any language, without its hidden part",
        "a decision without invisible characters",
        "revert a layer",
        "revert a layer in capital letters",
        "revert a short commit id",
        "revert a commit id",
    ],
)
def test_a_command(rest: str, command: CommentCommand) -> None:
    assert parse_words(rest) == command


@pytest.mark.parametrize(
    ("rest", "problem", "word", "suggestion", "usage"),
    [
        (" stauts", "unknown command", "stauts", "status", "help"),
        (" rnu", "unknown command", "rnu", "run", "help"),
        (" please", "unknown command", "please", "", "help"),
        (" --max-retry 3", "unknown option", "--max-retry", "--max-retries", "run"),
        (" run --max-cost 3", "unknown option", "--max-cost", "--max-cost-usd", "run"),
        (" run \u2014skip-compile", "unknown option", "\\u2014skip-compile", "--skip-compile", "run"),
        (" run -skip-compile", "unknown option", "-skip-compile", "--skip-compile", "run"),
        (" run --model opus", "unknown option", "--model", "", "run"),
        (" run now", "unexpected word", "now", "", "run"),
        (" run --skip-compile=no", "the option takes no value", "--skip-compile=no", "--skip-compile", "run"),
        (" run --max-retries", "--max-retries needs a whole number", "", "--max-retries 3", "run"),
        (" run --max-retries two", "--max-retries needs a whole number", "two", "--max-retries 3", "run"),
        (" run --max-retries -1", "--max-retries needs a whole number", "-1", "--max-retries 3", "run"),
        (" run --max-retries 1.5", "--max-retries needs a whole number", "1.5", "--max-retries 3", "run"),
        (" run --max-retries ٣", "--max-retries needs a whole number", "\\u0663", "--max-retries 3", "run"),
        (" run --max-retries 3 --max-retries 4", "given twice", "--max-retries", "", "run"),
        (" run --max-cost-usd 0", "--max-cost-usd needs US dollars", "0", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd $5", "--max-cost-usd needs US dollars", "$5", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd 1,50", "--max-cost-usd needs US dollars", "1,50", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd 1e2", "--max-cost-usd needs US dollars", "1e2", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd nan", "--max-cost-usd needs US dollars", "nan", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd 0.001", "--max-cost-usd needs US dollars", "0.001", "--max-cost-usd 1.50", "run"),
        (" run --max-cost-usd 1001", "--max-cost-usd needs US dollars", "1001", "--max-cost-usd 1.50", "run"),
        (" stop now", "unexpected word", "now", "", "stop"),
        (" approve all", "unexpected word", "all", "", "approve"),
        (" decide", "decide needs A or B", "", "/fixloop decide A", "decide"),
        (" decide C", "decide needs A or B", "C", "/fixloop decide A", "decide"),
        (f" decide A {'x' * (MAX_DECISION_CHARACTERS + 1)}", "the text is longer", "", "", "decide"),
        (" revert", "revert needs a layer", "", "", "revert"),
        (" revert lnit", "revert needs a layer", "lnit", "lint", "revert"),
        (" revert abc123", "revert needs a layer", "abc123", "", "revert"),
        (" revert HEAD~1", "revert needs a layer", "HEAD~1", "", "revert"),
        (" revert test all", "unexpected word", "all", "", "revert"),
        (" status" + " " * MAX_LINE_CHARACTERS + "x", "the line is longer", "", "", "status"),
    ],
    ids=[
        "a typo in status",
        "a typo in run",
        "a word that is like none",
        "an option that is nearly one, without run",
        "an option that is nearly one",
        "a long dash, as phones write it",
        "one dash",
        "an option of something else",
        "a word too many",
        "a value that is not asked for",
        "no value",
        "a number in words",
        "a negative number",
        "a broken number",
        "a digit of another script",
        "an option twice",
        "no money",
        "a currency sign",
        "a decimal comma",
        "an exponent",
        "not a number",
        "less than a cent",
        "more than anybody means",
        "stop with a word",
        "approve with a word",
        "decide without option",
        "decide with a third option",
        "a decision that is an essay",
        "revert of nothing",
        "a typo in a layer",
        "a commit id that is too short",
        "a revision that is no id",
        "revert of two things",
        "a line without end",
    ],
)
def test_what_is_wrong_is_named_with_what_would_do(
    rest: str, problem: str, word: str, suggestion: str, usage: str
) -> None:
    error = parse_words(rest)
    assert isinstance(error, CommandError)
    assert problem in error.problem
    assert (error.word, error.suggestion, error.usage) == (word, suggestion, USAGE[usage])


@given(st.text())
def test_no_words_raise_and_an_error_is_short_printable_ascii(rest: str) -> None:
    found = parse_words(rest)
    if isinstance(found, CommandError):
        for text in (found.line, found.word, found.suggestion):
            assert text.isascii()
            assert text.isprintable() or not text
            assert len(text) <= 1300
