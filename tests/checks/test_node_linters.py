"""tsc, eslint and prettier, beyond what the recordings hold."""

from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place


def test_tsc_elaborations_belong_to_the_message() -> None:
    text = (
        "src/a.ts(1,7): error TS2322: Type 'A' is no 'B'.\n  Types of 'x' differ.\n"
        "src/b.ts(2,1): error TS1005: ';' expected.\n"
    )
    first, second = parsed("tsc", text).diagnostics
    assert first.message == "Type 'A' is no 'B'.\n  Types of 'x' differ."
    assert (place(second), second.kind) == (("src/b.ts", 2, 1, "TS1005"), DiagnosticKind.SYNTAX_ERROR)


def test_tsc_says_what_has_no_place() -> None:
    (found,) = parsed("tsc", "error TS5023: Unknown compiler option '--nope'.\n").diagnostics
    assert (place(found), found.kind) == ((None, None, None, "TS5023"), DiagnosticKind.BUILD_ERROR)


def test_eslint_warnings_are_warnings_and_a_parse_error_has_no_rule() -> None:
    text = (
        "/p/a b.js\n  1:7  warning  'x' is  never used  no-unused-vars\n  2:1  error  Parsing error: Unexpected token\n"
    )
    warning, error = parsed("eslint", text).diagnostics
    assert (place(warning), warning.level) == (("a b.js", 1, 7, "no-unused-vars"), Level.WARNING)
    assert warning.message == "'x' is  never used"
    assert (place(error), error.kind) == (("a b.js", 2, 1, None), DiagnosticKind.SYNTAX_ERROR)


def test_prettier_names_files_to_format_and_files_it_cannot_read() -> None:
    text = (
        "Checking formatting...\n[warn] p.js\n[error] q.js: SyntaxError: Unexpected token (1:8)\n"
        "[error] > 1 | const  = 1\n[warn] Code style issues found in the above file. Run Prettier to fix.\n"
    )
    assert [place(item) for item in parsed("prettier", text).diagnostics] == [
        ("p.js", None, None, "format"),
        ("q.js", 1, 8, "SyntaxError"),
    ]
