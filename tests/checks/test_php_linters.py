"""php -l, phpstan, psalm, phpcs, php-cs-fixer and pint, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import TOOLS, recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place

UNCAUGHT = """\
PHP Fatal error:  Uncaught Error: Class "Nope" not found in /p/tests/BTest.php:2
Stack trace:
#0 /usr/share/php/PHPUnit/Util/FileLoader.php(66): include_once()
#1 {main}

Next PHPUnit\\TextUI\\RuntimeException: Class "Nope" not found in /usr/share/php/PHPUnit/TextUI/Command.php:99
  thrown in /usr/share/php/PHPUnit/TextUI/Command.php on line 99
PHP Fatal error:  Uncaught App\\Failed: first
second in /p/src/a.php:7
Stack trace:
#0 {main}
  thrown in /p/src/a.php on line 7
"""


def test_an_uncaught_exception_is_one_error_where_it_was_thrown() -> None:
    found = parsed("php-lint", UNCAUGHT, files=("tests/BTest.php", "src/a.php")).diagnostics
    assert [place(item) for item in found] == [
        ("tests/BTest.php", 2, None, "Error"),
        ("src/a.php", 7, None, "Failed"),
    ]
    assert [item.message for item in found] == ['Class "Nope" not found', "first\nsecond"]


def test_what_is_logged_and_shown_is_one_error() -> None:
    text = "PHP Parse error:  syntax error in a.php on line 3\n\nParse error: syntax error in a.php on line 3\n"
    (found,) = parsed("php-lint", text).diagnostics
    assert (place(found), found.kind) == (("a.php", 3, None, "ParseError"), DiagnosticKind.SYNTAX_ERROR)


def test_a_warning_is_no_error_and_code_that_is_no_file_has_no_path() -> None:
    text = (
        "PHP Warning:  Undefined variable $x in a.php on line 3\n"
        'PHP Fatal error:  Uncaught Error: Class "Foo" not found in Command line code:1\nStack trace:\n#0 {main}\n'
    )
    (found,) = parsed("php-lint", text, files=("a.php",)).diagnostics
    assert place(found) == (None, 1, None, "Error")


PHPSTAN = """\
Note: Using configuration file /p/phpstan.neon.
 ------ --------------------------------------------------------------
  Line   src/App.php (in context of class App\\App)
 ------ --------------------------------------------------------------
  5      Method App\\App::add() should return int but returns
         string.
         \U0001faaa  return.type
         \U0001f4a1 Maybe it is the wrong way round.
  :12    Undefined variable: $x
 ------ --------------------------------------------------------------

 ------ ------------------
  Line   src/Bad.php
 ------ ------------------
  3      Syntax error, unexpected '}' on line 3
         \U0001faaa  phpstan.parse
 ------ ------------------

 [ERROR] Found 3 errors
"""


def test_phpstans_tables_are_read_row_by_row() -> None:
    first, second, third = parsed("phpstan", PHPSTAN).diagnostics
    assert (place(first), first.kind) == (("src/App.php", 5, None, "return.type"), DiagnosticKind.TYPE_ERROR)
    assert first.message == "Method App\\App::add() should return int but returns string."
    assert place(second) == ("src/App.php", 12, None, None)
    assert (place(third), third.kind) == (("src/Bad.php", 3, None, "phpstan.parse"), DiagnosticKind.SYNTAX_ERROR)


def test_phpstan_prints_raw_lines_or_json_below_its_notes() -> None:
    raw = "/p/src/App.php:5:Method returns string. [identifier=return.type]\n/p/src/App.php:?:No class.\n"
    assert [place(item) for item in parsed("phpstan", raw).diagnostics] == [
        ("src/App.php", 5, None, "return.type"),
        ("src/App.php", None, None, None),
    ]
    report = (
        "Note: Using configuration file /p/phpstan.neon.\n"
        '{"totals":{"errors":1,"file_errors":1},"files":{"/p/src/App.php (in context of class X)":{"errors":1,'
        '"messages":[{"message":"No.","line":5,"ignorable":true,"identifier":"a.b"}]}},"errors":["Unmatched"]}\n'
    )
    found = parsed("phpstan", report).diagnostics
    assert [place(item) for item in found] == [("src/App.php", 5, None, "a.b"), (None, None, None, None)]


def test_psalm_tells_errors_from_remarks() -> None:
    text = (
        "ERROR: UndefinedVariable - src/a.php:5:12 - Cannot find $x (see https://psalm.dev/024)\n        return $x;\n\n"
        "INFO: MissingReturnType - src/a.php:3:10 - No type\n"
    )
    error, info = parsed("psalm", text).diagnostics
    assert (place(error), error.message) == (("src/a.php", 5, 12, "UndefinedVariable"), "Cannot find $x")
    assert info.level is Level.NOTE
    report = (
        '[{"severity":"error","line_from":5,"type":"UndefinedVariable","message":"m","file_name":"src/a.php",'
        '"column_from":12}]'
    )
    assert [place(item) for item in parsed("psalm", report).diagnostics] == [place(error)]


PHPCS = """\

FILE: /p/src/App.php
----------------------------------------------------------------------
FOUND 1 ERROR AND 1 WARNING AFFECTING 2 LINES
----------------------------------------------------------------------
  9 | WARNING | [ ] Line exceeds 120 characters; contains 172
    |         |     characters
 12 | ERROR   | Opening brace should be on a new line
    |         | (Squiz.Functions.MultiLineFunctionDeclaration.BraceOnSameLine)
----------------------------------------------------------------------
"""


@pytest.mark.parametrize(("code", "level"), [(1, Level.ERROR), (0, Level.WARNING)])
def test_warnings_of_phpcs_are_errors_where_they_fail_the_run(code: int, level: Level) -> None:
    warning, error = parsed("phpcs", PHPCS, code=code).diagnostics
    assert (place(warning), warning.level) == (("src/App.php", 9, None, None), level)
    assert warning.message == "Line exceeds 120 characters; contains 172 characters"
    assert place(error) == ("src/App.php", 12, None, "Squiz.Functions.MultiLineFunctionDeclaration.BraceOnSameLine")


PINT = """\

  \u2a2f\u2a2f.

  \u2500\u2500\u2500\u2500\u2500\u2500 Laravel
    FAIL   ............................................ 3 files, 2 style issues
  \u2a2f app/Models/User.php                braces_position, no_unused_imports
  \u2a2f routes/web.php                     single_quote

"""


def test_pint_lists_files_and_what_it_would_fix() -> None:
    found = parsed("php-cs-fixer", PINT).diagnostics
    assert [place(item) for item in found] == [
        ("app/Models/User.php", None, None, "format"),
        ("routes/web.php", None, None, "format"),
    ]
    assert found[1].message == "is not formatted: single_quote"


def test_php_cs_fixer_tells_files_it_cannot_parse() -> None:
    text = (
        "   1) src/App.php (braces, no_trailing_whitespace)\n"
        "Found 1 of 2 files that can be fixed in 0.030 seconds, 19.51 MB memory used\n\n"
        "Files that were not fixed due to errors reported during linting before fixing:\n   1) /p/src/bad.php\n"
    )
    style, broken = parsed("php-cs-fixer", text).diagnostics
    assert place(style) == ("src/App.php", None, None, "format")
    assert (place(broken), broken.kind) == (("src/bad.php", None, None, "syntax"), DiagnosticKind.SYNTAX_ERROR)


def test_a_numbered_list_of_another_tool_is_no_list_of_files() -> None:
    assert parsed("php-cs-fixer", "   1) first\n   2) second\n").diagnostics == ()


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("php -l src/a.php", "php-lint"),
        ('find src -name "*.php" | while read f; do php -l "$f" || exit 1; done', "php-lint"),
        ("vendor/bin/phpunit --testdox", "phpunit"),
        ("php -d memory_limit=-1 vendor/bin/phpunit", "phpunit"),
        ("XDEBUG_MODE=off php bin/phpunit", "phpunit"),
        ("./vendor/bin/pest --parallel", "pest"),
        ("php artisan test", "pest"),
        ("vendor/bin/phpstan analyse -l 5 src", "phpstan"),
        ("psalm --no-cache", "psalm"),
        ("phpcs -s", "phpcs"),
        ("phpcbf", "generic"),
        ("php-cs-fixer fix --dry-run", "php-cs-fixer"),
        ("vendor/bin/pint --test", "php-cs-fixer"),
        ("composer install", "generic"),
        ("php script.php", "generic"),
    ],
)
def test_a_command_line_names_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("phpcs", ("--report-full", "--report-json=/a b/r")),
        ("phpunit", ("--log-junit", "/a b/r")),
        ("pest", ("--log-junit", "/a b/r")),
    ],
)
def test_a_composed_command_is_asked_for_a_report_beside_its_text(tool: str, asked: tuple[str, ...]) -> None:
    ask = TOOLS[tool].report_argv
    assert ask is not None
    assert ask((tool, "x"), "/a b/r") == (tool, "x", *asked)


HOSTILE = {
    "places": ("PHP Parse error:  " + " in x" * 790 + "\n") * 250,
    "stacks": ("PHP Fatal error:  Uncaught A: " + " in x:1" * 550 + "\nStack trace:\n") * 250,
    "rows": " ------ ---\n  Line   a.php\n ------ ---\n" + ("  5      a\n" + "         b\n" * 100) * 400,
    "sources": "FILE: a\n" + (" 1 | ERROR | [x] " + "a (b.c" * 650 + "\n" + "   |       | x\n" * 60) * 400,
    "fixers": "Found 1 of 2 files \n" + "".join(f"   {n}) " + "a (b" * 970 + "\n" for n in range(1, 250)),
    "entries": "PHPUnit 9\nThere was 1 error:\n" + "".join(f"{n}) A::b\n in /a\n" for n in range(1, 20_000)),
}


@pytest.mark.parametrize("tool", ["php-lint", "phpunit", "pest", "phpstan", "psalm", "phpcs", "php-cs-fixer"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_read_to_its_end(tool: str, text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parsed(tool, text).diagnostics) <= 5_000
