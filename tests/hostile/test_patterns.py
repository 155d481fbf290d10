"""No pattern in the package can be made slow by what it reads."""

import re

import pytest

from tests.hostile.ambiguity import faults
from tests.hostile.usage import Used, used_patterns

USED = tuple(used_patterns())
PATTERNS = tuple({(used.pattern, used.search): used for used in USED}.values())


@pytest.mark.parametrize("used", PATTERNS, ids=lambda used: used.name)
def test_a_pattern_takes_time_in_proportion_to_what_it_reads(used: Used) -> None:
    assert faults(used.pattern, search=used.search) == []


def test_the_patterns_of_parsers_tables_and_calls_are_all_looked_at() -> None:
    names = {used.name for used in USED}
    assert len(PATTERNS) > 500
    assert "fixloop_bot.checks.tap._POINT" in names
    assert "fixloop_bot.core.normalise._EVERYWHERE[0][0]" in names
    assert "make.commands[0]" in names
    assert any(name.startswith("fixloop_bot.checks.bats, line ") for name in names)


EXPONENTIAL = {
    "a loop in a loop": r"^(?:a+)+$",
    "a loop of what may be nothing": r"^(?:a*b?)*c",
    "two alternatives for one character": r"^(?:\w|[a-f]\d?)*!",
    "a list whose separator may be missing": r"^(?:\w+,?)+$",
    "a loop in a loop that ends somewhere": r"^(?:\w+\s?){0,40}:",
    "options with and without a word": r"^make(?: -j \w+| -\S+| \d+)*$",
    "two alternatives of several characters": r"^(?:ab|a|b)*!",
}
QUADRATIC = {
    "a search for a run with something after it": r"\w+:",
    "blanks before the end": r"\s+$",
    "anything, then blanks before the end": r"^(.*?)\s*$",
    "two runs of the same": r"^\d+\d+!",
    "two runs with a character of both between them": r"^[\w.]+\.[\w.]+:",
    "one mark until another": r"\((.*)\)x",
    "blank lines before a word": r"(?m)^\s*task",
    "an opening without its end": r"use \(([^)]*)\)",
    "a long bounded run": r"[^:]{1,1024}:\d",
    "in one of two alternatives": r"^x|\S+ y",
    "a group told again": r"^(a+)\1!",
    "with the end asserted in a group": r"^(\s*\S*?\s*(?:$))",
}
LINEAR = {
    "anchored at the start of the text": r"^\w+:",
    "anchored at the start of each line": r"(?m)^[ \t]*task",
    "held by what may not stand before": r"(?<!\w)\w+:",
    "held by a word boundary": r"\b\w+:",
    "runs that share no character": r"^\s*\w+\s*:\s*\d+$",
    "a run that keeps what it has": r"^a++a*!",
    "a group that keeps what it has": r"^(?>.*: )\w+ \w+$",
    "a loop whose rounds keep what they took": r"^make(?: -j \w+| -\S+| \d+)*+$",
    "what follows cannot fail": r"^\s*(.*)$",
    "what follows is nothing": r"\s+",
    "a list with its separators": r"^\w+(?:,\w+)*$",
    "a short bounded run": r"[\w-]{0,40}-seed",
    "a last word after the last blank": r"^(\S(?:.*\S)?)?\s*$",
}


@pytest.mark.parametrize("source", EXPONENTIAL.values(), ids=list(EXPONENTIAL))
def test_an_exponential_pattern_is_found(source: str) -> None:
    assert all(fault.startswith("exponential") for fault in faults(re.compile(source)))
    assert faults(re.compile(source), search=False)


@pytest.mark.parametrize("source", QUADRATIC.values(), ids=list(QUADRATIC))
def test_a_quadratic_pattern_is_found(source: str) -> None:
    assert all(fault.startswith("quadratic") for fault in faults(re.compile(source)))
    assert faults(re.compile(source))


@pytest.mark.parametrize("source", LINEAR.values(), ids=list(LINEAR))
def test_a_linear_pattern_is_let_pass(source: str) -> None:
    assert faults(re.compile(source)) == []
