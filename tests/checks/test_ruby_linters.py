"""ruby -c and rubocop, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import TOOLS, recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place

PRISM = """\
ruby: lib/a.rb:1: syntax errors found (SyntaxError)
> 1 | def f(
    |       ^ unexpected end-of-input; expected a `)` to close the parameters
  2 |   x
> 3 | end end
    |     ^~~ unexpected 'end', ignoring it
lib/b.rb:7: syntax error found (SyntaxError)
"""


def test_each_fault_that_the_newer_parser_points_at_is_an_error_at_its_own_line() -> None:
    found = parsed("ruby-syntax", PRISM).diagnostics
    assert [place(item) for item in found] == [
        ("lib/a.rb", 1, None, "SyntaxError"),
        ("lib/a.rb", 3, None, "SyntaxError"),
        ("lib/b.rb", 7, None, "SyntaxError"),
    ]
    assert found[1].message == "unexpected 'end', ignoring it"


def test_a_warning_is_no_syntax_error() -> None:
    text = "lib/a.rb:3: warning: assigned but unused variable - x\nlib/a.rb: Syntax OK\n"
    assert parsed("ruby-syntax", text, code=0).diagnostics == ()


NOT_LOADED = """\
test/x_test.rb:1:in `require_relative': /p/lib/b.rb:4: syntax error, unexpected `end', expecting ']' (SyntaxError)
  end
  ^~~
\tfrom test/x_test.rb:1:in `<main>'
"""
THROWN = """\
<internal:/usr/lib/ruby/core_ext/kernel_require.rb>:85:in `require': cannot load such file -- nope (LoadError)
\tfrom <internal:/usr/lib/ruby/core_ext/kernel_require.rb>:85:in `require'
\tfrom /p/vendor/bundle/ruby/3.1.0/gems/x/lib/x.rb:1:in `<main>'
\tfrom test/z_test.rb:1:in `<main>'
"""
WITH_SOURCE = """\
test/w_test.rb:2:in '<class:A>': undefined local variable or method 'foo' for class A (NameError)

 foo
 ^^^
\tfrom test/w_test.rb:1:in '<main>'
"""


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        pytest.param(
            NOT_LOADED, ("lib/b.rb", 4, None, "SyntaxError"), DiagnosticKind.SYNTAX_ERROR, id="a syntax error elsewhere"
        ),
        pytest.param(
            THROWN,
            ("test/z_test.rb", 1, None, "LoadError"),
            DiagnosticKind.BUILD_ERROR,
            id="the repository's own frame",
        ),
        pytest.param(
            WITH_SOURCE, ("test/w_test.rb", 2, None, "NameError"), DiagnosticKind.BUILD_ERROR, id="an excerpt between"
        ),
    ],
)
def test_a_script_that_ends_with_an_exception_is_one_error(
    text: str, expected: tuple[str, int, None, str], kind: DiagnosticKind
) -> None:
    (found,) = parsed("ruby-syntax", text).diagnostics
    assert (place(found), found.kind) == (expected, kind)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "bundler: failed to load command: rspec (/usr/bin/rspec)\n"
            "/usr/share/gems/bundler/resolver.rb:271:in `verify!': Could not find gem 'x'. (Bundler::GemNotFound)\n"
            "\tfrom /p/bin/rspec:3:in `<main>'\n",
            id="a gem that is not installed",
        ),
        pytest.param(
            "/usr/share/gems/rubocop/feature_loader.rb:46:in `load': cannot load such file -- rubocop-x (LoadError)\n"
            "\tfrom /usr/bin/rubocop:25:in `<main>'\n",
            id="a tool that lacks its own part",
        ),
    ],
)
def test_what_another_program_ends_with_is_no_fault_of_the_code(text: str) -> None:
    assert parsed("ruby-syntax", text, files=("bin/rspec", "lib/a.rb")).diagnostics == ()


RUBOCOP = """\
Inspecting 2 files
CW

Offenses:

lib/a.rb:1:1: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings.
x = "a"
    ^^^
lib/a.rb:2:1: W: [Corrected] Lint/UselessAssignment: Useless assignment to variable - x.
lib/a.rb:3:1: I: RSpec/Rails/HaveHttpStatus: Prefer :ok.
lib/b.rb:3:1: E: Lint/Syntax: unexpected token kEND
(Using Ruby 2.6 parser; configure using TargetRubyVersion parameter, under AllCops)
"""


def test_conventions_are_errors_corrected_offenses_are_none() -> None:
    convention, info, syntax = parsed("rubocop", RUBOCOP).diagnostics
    assert (place(convention), convention.level) == (("lib/a.rb", 1, 1, "Style/StringLiterals"), Level.ERROR)
    assert (place(info), info.level) == (("lib/a.rb", 3, 1, "RSpec/Rails/HaveHttpStatus"), Level.NOTE)
    assert (syntax.kind, syntax.message) == (DiagnosticKind.SYNTAX_ERROR, "unexpected token kEND")


def test_what_a_fail_level_lets_pass_is_a_warning_in_a_report_too() -> None:
    report = (
        '{"metadata":{},"files":[{"path":"a.rb","offenses":[{"severity":"convention","message":"`x`: no",'
        '"cop_name":"Style/X","corrected":false,"location":{"line":2,"column":3}},{"severity":"warning","message":"y",'
        '"cop_name":"Lint/Y","corrected":true,"location":{"line":2,"column":3}}]}],"summary":{}}'
    )
    for code, level in ((0, Level.WARNING), (1, Level.ERROR)):
        (found,) = parsed("rubocop", "", report=report, code=code).diagnostics
        assert (place(found), found.level) == (("a.rb", 2, 3, "Style/X"), level)


def test_standardrb_prints_its_own_form() -> None:
    text = (
        "standard: Use Ruby Standard Style (https://github.com/standardrb/standard)\n"
        "  lib/a.rb:1:5: Style/StringLiterals: Prefer double-quoted strings.\n"
    )
    assert [place(item) for item in parsed("rubocop", text).diagnostics] == [("lib/a.rb", 1, 5, "Style/StringLiterals")]


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("ruby -c lib/a.rb", "ruby-syntax"),
        ("ruby --disable-gems -wc lib/a.rb", "ruby-syntax"),
        ("bundle exec rubocop --parallel", "rubocop"),
        ("bin/rubocop", "rubocop"),
        ("standardrb", "rubocop"),
        ("bundle exec rake rubocop", "rubocop"),
        ("bundle exec rspec", "rspec"),
        ("bundle exec rake spec", "rspec"),
        ("bundle exec rake rubocop spec", "rspec"),
        ("bin/rails test", "minitest"),
        ("rake test", "minitest"),
        ("ruby -Ilib:test test/a_test.rb", "minitest"),
        ("bundle install", "generic"),
        ("ruby script.rb", "generic"),
    ],
)
def test_a_command_line_names_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool


@pytest.mark.parametrize("tool", ["rubocop", "rspec"])
def test_a_composed_command_keeps_its_text_beside_the_report(tool: str) -> None:
    ask = TOOLS[tool].report_argv
    assert ask is not None
    assert ask((tool,), "/a b/r") == (tool, "--format", "progress", "--format", "json", "--out", "/a b/r")


HOSTILE = {
    "brackets": ("  1) Failure:\n" + "A#b [" * 780 + "\n") * 250,
    "rules": ("=" * 70 + "\nFailure: " + "(A" * 1_900 + "\n") * 250,
    "frames": ("a.rb:1:in `x': " + " (A" * 1_300 + "\n" + "\tfrom a.rb:1:in `x'\n" * 3) * 300,
    "quotes": ("a.rb:1:in `" + "x': " * 970 + " (A)\n") * 250,
    "names": ("a" * 3_900 + ".rb:1: syntax error\n") * 250,
    "pointed": ("a.rb:1: syntax errors found\n> 1 | x\n    | ^ bad\n") * 10_000,
    "cops": ("a:1:1: W: " + "A/" * 1_900 + ": x\n") * 250,
    "again": "1 example, 1 failure\n" + ("rspec " + "a[1:" * 970 + " # x\n") * 250,
    "outside": "An error occurred while loading ./a.rb.\n" * 20_000,
}


@pytest.mark.parametrize("tool", ["ruby-syntax", "rubocop", "rspec", "minitest"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_read_to_its_end(tool: str, text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parsed(tool, text).diagnostics) <= 5_000
