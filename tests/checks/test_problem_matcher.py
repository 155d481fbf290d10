"""Problem matchers of a repository: GitHub's JSON, hostile expressions, and what lines mean by them."""

import json
from typing import Any

import pytest

from fixloop_bot.checks.problem_matcher import parse_matchers, read
from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.matcher import MatcherError, ProblemMatcher
from tests.checks.reading import place

STYLISH = {
    "owner": "stylish",
    "pattern": [
        {"regexp": r"^([^\s].*)$", "file": 1},
        {
            "regexp": r"^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*)\s\s+(.*)$",
            "line": 1,
            "column": 2,
            "severity": 3,
            "message": 4,
            "code": 5,
            "loop": True,
        },
    ],
}
SIMPLE = {
    "owner": "simple",
    "severity": "warning",
    "pattern": [{"regexp": r"^PROBLEM (\S+)#(\d+) (.+)$", "file": 1, "line": 2, "message": 3}],
}
PROJECT = {
    "owner": "msbuild",
    "pattern": [
        {
            "regexp": r"^(\S+)\((\d+),(\d+)\): (error|warning) (\w+): (.*) \[(.*)\]$",
            "file": 1,
            "line": 2,
            "column": 3,
            "severity": 4,
            "code": 5,
            "message": 6,
            "fromPath": 7,
        }
    ],
}


def matchers(*given: dict[str, Any]) -> tuple[ProblemMatcher, ...]:
    found = parse_matchers(json.dumps({"problemMatcher": given}))
    assert not isinstance(found, MatcherError), found
    return found


def output(text: str) -> ToolOutput:
    return ToolOutput(text=text, exit_code=1, cwd="/p", root="/p", exists=lambda path: not path.startswith("/"))


def test_one_line_tells_place_and_message_and_the_matcher_the_level() -> None:
    (item,) = read(matchers(SIMPLE), output("ok\r\nPROBLEM src/a.x#12 bad thing\r\n")).diagnostics
    assert place(item) == ("src/a.x", 12, None, None)
    assert (item.message, item.level) == ("bad thing", Level.WARNING)


def test_a_loop_reads_line_after_line_below_one_file() -> None:
    text = (
        "a.js\n   1:0  error  Missing use strict  strict\n   5:10  warning  'b' is unused  no-unused-vars\n\n"
        "b.js\n   7:2  error  Bad  bad-rule\n\n   9:9  error  of no file  x\n"
    )
    found = read(matchers(STYLISH), output(text)).diagnostics
    assert [(*place(item), item.level) for item in found] == [
        ("a.js", 1, None, "strict", Level.ERROR),
        ("a.js", 5, 10, "no-unused-vars", Level.WARNING),
        ("b.js", 7, 2, "bad-rule", Level.ERROR),
    ]


def test_a_file_lies_beside_the_project_that_the_line_names() -> None:
    (item,) = read(matchers(PROJECT), output("A.cs(3,4): error CS1: no [/p/app/app.csproj]")).diagnostics
    assert place(item) == ("app/A.cs", 3, 4, "CS1")


def test_several_lines_must_follow_each_other() -> None:
    three = {
        "owner": "three",
        "pattern": [
            {"regexp": r"^in (\S+)$", "file": 1},
            {"regexp": r"^at (\d+)$", "line": 1},
            {"regexp": r"^says (.*)$", "message": 1},
        ],
    }
    text = "in a\nat 1\nsays x\nin b\nnoise\nat 2\nsays y\nin c\nin d\nat 4\nsays z\n"
    found = read(matchers(three), output(text)).diagnostics
    assert [(item.path, item.line, item.message) for item in found] == [("a", 1, "x"), ("d", 4, "z")]


def test_matchers_come_before_the_generic_parser_and_after_a_tools_own() -> None:
    text = "PROBLEM src/a.x#12 bad thing\nsrc/b.py:3: something\n"
    assert [item.path for item in parse("generic", output(text), matchers(SIMPLE)).diagnostics] == ["src/a.x"]
    assert [item.path for item in parse("generic", output(text)).diagnostics] == ["src/b.py"]
    ruff = "F401 [*] `os` imported but unused\n --> a.py:2:8\n" + text
    assert [item.path for item in parse("ruff", output(ruff), matchers(SIMPLE)).diagnostics] == ["a.py"]


ONE = {"regexp": "(a)", "message": 1}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("[", "is not JSON: "),
        ("[]", "has no list `problemMatcher`"),
        ({"problemMatcher": []}, "has no list `problemMatcher`"),
        ([{"pattern": [ONE]}], "problemMatcher[0]: `owner` is missing"),
        ([{"owner": "x"}], "problemMatcher[0]: `pattern` must be a list of 1 to 10 patterns"),
        ([{"owner": "x", "pattern": [{}]}], "problemMatcher[0].pattern[0]: `regexp` is missing"),
        ([{"owner": "x", "pattern": [{"regexp": "(a"}]}], "problemMatcher[0].pattern[0]: `regexp` cannot be used: "),
        ([{"owner": "x", "pattern": [{"regexp": r"(?=a)b"}]}], "problemMatcher[0].pattern[0]: `regexp` cannot be used"),
        ([{"owner": "x", "pattern": [{"regexp": "a" * 3000}]}], "problemMatcher[0].pattern[0]: `regexp` cannot be"),
        (
            [{"owner": "x", "pattern": [{"regexp": "((a{1,1000}){1,100}){1,9}", "message": 1}]}],
            "problemMatcher[0].pattern[0]: `regexp` cannot be used",
        ),
        (
            [{"owner": "x", "pattern": [{"regexp": "(a)", "message": 2}]}],
            "problemMatcher[0].pattern[0]: `message` must be a group of its regexp, which has 1",
        ),
        ([{"owner": "x", "pattern": [{"regexp": "(a)", "message": True}]}], "problemMatcher[0].pattern[0]: `message`"),
        ([{"owner": "x", "pattern": [{"regexp": "(a)", "file": 1}]}], "problemMatcher[0]: no pattern sets `message`"),
        ([{"owner": "x", "pattern": [ONE, ONE]}], "problemMatcher[0]: `message` is set by more than one pattern"),
        ([{"owner": "x", "pattern": [{**ONE, "loop": True}]}], "problemMatcher[0]: only the last of several patterns"),
        ([{"owner": "x", "severity": "bad", "pattern": [ONE]}], "problemMatcher[0]: `severity` must be error, warning"),
        ([{"owner": "x", "pattern": [ONE]}] * 21, "has more than 20 problem matchers"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_place(given: object, said: str) -> None:
    document = (
        given if isinstance(given, str) else json.dumps(given if isinstance(given, dict) else {"problemMatcher": given})
    )
    found = parse_matchers(document)
    assert isinstance(found, MatcherError)
    assert found.message.startswith(said)


def test_an_expression_that_would_backtrack_for_ever_is_read_in_linear_time() -> None:
    evil = {"owner": "x", "pattern": [{"regexp": r"^(\w+\s?)*\$(x)$", "message": 2}]}
    assert read(matchers(evil), output(("a " * 2_000 + "!\n") * 200)).diagnostics == ()


def test_a_level_that_github_does_not_know_is_no_error_where_it_says_info() -> None:
    text = "a.js\n   1:1  info  Just so  rule\n"
    (item,) = read(matchers(STYLISH), output(text)).diagnostics
    assert item.level is Level.NOTE
