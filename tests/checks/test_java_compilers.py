"""javac, kotlinc, ktlint and checkstyle beside what is recorded."""

import pytest

from fixloop_bot.checks.message_rule import rule_of
from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import parsed, place

RAW = """\
App.java:4:16: compiler.err.prob.found.req: (compiler.misc.inconvertible.types: java.lang.String, int)
App.java:9:2: compiler.err.premature.eof
App.java:1:1: compiler.warn.raw.class.use: List
3 errors
"""


def test_the_raw_form_names_rules_and_no_folders() -> None:
    found = parsed("javac", RAW, files=("src/main/java/App.java",)).diagnostics
    assert [(*place(item), item.level) for item in found] == [
        ("src/main/java/App.java", 4, 16, "prob.found.req", Level.ERROR),
        ("src/main/java/App.java", 9, 2, "premature.eof", Level.ERROR),
        ("src/main/java/App.java", 1, 1, "raw.class.use", Level.WARNING),
    ]
    assert [item.kind for item in found[:2]] == [DiagnosticKind.TYPE_ERROR, DiagnosticKind.SYNTAX_ERROR]


def test_a_lint_warning_bears_its_own_name() -> None:
    text = "src/A.java:3: warning: [deprecation] stop() in Thread has been deprecated\n        t.stop();\n         ^\n"
    (found,) = parsed("javac", text).diagnostics
    assert (place(found), found.level) == (("src/A.java", 3, 10, "deprecation"), Level.WARNING)


def test_details_below_the_source_line_belong_to_the_message() -> None:
    text = (
        "src/A.java:3: error: cannot find symbol\n        s.lenght();\n         ^\n  symbol:   method lenght()\n"
        "  location: variable s of type String\nsrc/B.java:1: error: not a statement\n"
    )
    first, second = parsed("javac", text).diagnostics
    assert first.message.splitlines()[1:] == ["  symbol:   method lenght()", "  location: variable s of type String"]
    assert (second.path, second.column, second.message) == ("src/B.java", None, "not a statement")


@pytest.mark.parametrize(
    "line",
    [
        "error: release version 25 not supported",
        "error: invalid source release: 25",
        "error: file not found: src/Nowhere.java",
        "error: warnings found and -Werror specified",
    ],
)
def test_what_javac_says_of_no_file(line: str) -> None:
    (found,) = parsed("javac", line).diagnostics
    assert (found.path, found.kind) == (None, DiagnosticKind.BUILD_ERROR)


@pytest.mark.parametrize(
    "line", ["error: failed to push some refs", "error: could not compile `x`", "error: expected ;"]
)
def test_errors_of_other_programs_are_none_of_javacs(line: str) -> None:
    assert parsed("javac", line).diagnostics == ()


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("incompatible types: String cannot be converted to int", "incompatible-types"),
        ("';' expected", "expected"),
        ("<identifier> expected", "expected"),
        ("package org.nowhere does not exist", "package-does-not-exist"),
        ("unreported exception java.io.IOException; must be caught or declared", "unreported-exception"),
        ("variable count is already defined in method main(String[])", "variable-is-already-defined-in-method"),
        ("Unresolved reference 'summ'.", "unresolved-reference"),
        ("Return type mismatch: expected 'Int', actual 'String'.", "return-type-mismatch"),
        ("''", None),
        ("", None),
    ],
)
def test_a_messages_constant_words_are_its_rule(message: str, rule: str | None) -> None:
    assert rule_of(message) == rule


KTLINT = [
    ("src/a.kt:3:1: Wildcard import (cannot be auto-corrected) (no-wildcard-imports)", "no-wildcard-imports"),
    ("src/a.kt:3:1: Unexpected blank line(s) before \"}\" (standard:no-blank-line-before-rbrace)",
     "standard:no-blank-line-before-rbrace"),
    ("src/a.kt:3:1: The function total is too long. [LongMethod]", "LongMethod"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "rule"), KTLINT)
def test_ktlint_and_detekt_name_the_rule_last(line: str, rule: str) -> None:
    (found,) = parsed("ktlint", line).diagnostics
    assert place(found) == ("src/a.kt", 3, 1, rule)


@pytest.mark.parametrize("line", ["src/a.kt:3:1: error: unresolved reference: x", "src/a.kt:3:1: something (Or Other)"])
def test_a_line_without_a_rule_is_no_linters(line: str) -> None:
    assert parsed("ktlint", line).diagnostics == ()


XML = """<checkstyle version="10"><file name="/p/src/A.java">
<error line="3" column="5" severity="error" message="Add braces." source="com.x.checks.blocks.NeedBracesCheck"/>
<error line="4" severity="warning" message="Too long." source="com.x.LineLengthCheck"/></file></checkstyle>"""


@pytest.mark.parametrize("as_report", [True, False], ids=["as a report", "amid the output"])
def test_checkstyles_xml(as_report: bool) -> None:
    found = parsed("checkstyle", "" if as_report else f"Starting audit\n{XML}\nDone", report=XML if as_report else None)
    assert [(*place(item), item.level) for item in found.diagnostics] == [
        ("src/A.java", 3, 5, "NeedBraces", Level.ERROR),
        ("src/A.java", 4, None, "LineLength", Level.WARNING),
    ]
    assert found.tier is Tier.STRUCTURED


@pytest.mark.parametrize(
    "report", ["<checkstyle", "<!DOCTYPE x>" + XML, "<checkstyle><file/><file name=''/></checkstyle>"]
)
def test_xml_that_says_nothing(report: str) -> None:
    assert parsed("checkstyle", "", report=report).diagnostics == ()


def test_a_file_that_checkstyle_cannot_parse_is_named_in_its_stack_trace() -> None:
    text = (
        "com.puppycrawl.tools.checkstyle.api.CheckstyleException: Exception was thrown while processing src/B.java\n"
        "\tat com.puppycrawl.tools.checkstyle.Main.main(Main.java:125)\n"
        "Caused by: java.lang.IllegalStateException: /p/src/B.java:1:10: expecting RCURLY, found 'null'\n"
        "Checkstyle ends with 1 errors.\n"
    )
    (found,) = parsed("checkstyle", text).diagnostics
    assert (place(found), found.kind) == (("src/B.java", 1, 10, "syntax"), DiagnosticKind.SYNTAX_ERROR)


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("javac -d out src/A.java", "javac"),
        ("kotlinc src -d out.jar", "kotlinc"),
        ("ktlint 'src/**/*.kt'", "ktlint"),
        ("java -jar tools/checkstyle-10.12.0-all.jar -c c.xml src", "checkstyle"),
        ("javac -d out src/*.java && java -cp out:junit4.jar org.junit.runner.JUnitCore AppTest", "junit4"),
        ("java -jar junit-platform-console-standalone-1.10.0.jar execute --scan-classpath", "junit5"),
        ("java -jar app.jar", "generic"),
    ],
)
def test_a_command_finds_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool
