"""What rustc, clippy and rustfmt print under cargo, read."""

import json

import pytest

from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place

LINTS = """\
    Checking x v0.1.0 (/p)
error: unused variable: `q`
 --> m/src/lib.rs:2:33
  |
2 |     let q = 1;
  |         ^ help: if this is intentional, prefix it with an underscore: `_q`
  |
  = note: `-D unused-variables` implied by `-D warnings`
  = help: to override `-D warnings` add `#[allow(unused_variables)]`

error: unused variable: `z`
 --> m/src/lib.rs:3:9
  |
3 |     let z = 1;
  |         ^ help: if this is intentional, prefix it with an underscore: `_z`

warning: unneeded `return` statement
 --> m/src/lib.rs:4:5
  |
4 |     return a;
  |     ^^^^^^^^
  |
  = help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#needless_return
  = note: `#[warn(clippy::needless_return)]` on by default

error: could not compile `m` (lib) due to 2 previous errors; 1 warning emitted
warning: build failed, waiting for other jobs to finish...
"""


def test_a_lint_that_is_named_once_is_known_again() -> None:
    found = parsed("clippy", LINTS).diagnostics
    assert [(place(one), one.level) for one in found] == [
        (("m/src/lib.rs", 2, 33, "unused_variables"), Level.ERROR),
        (("m/src/lib.rs", 3, 9, "unused_variables"), Level.ERROR),
        (("m/src/lib.rs", 4, 5, "clippy::needless_return"), Level.WARNING),
    ]
    assert {one.kind for one in found} == {DiagnosticKind.LINT_ERROR}


@pytest.mark.parametrize(
    ("text", "rule", "kind", "message"),
    [
        pytest.param(
            "error[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n2 | fn f() -> i32 {\n  |           --- expected\n"
            '3 |     "s"\n  |     ^^^ expected `i32`, found `&str`\n  |\n  = note: expected type `i32`\n'
            "             found type `&str`\n",
            "E0308", DiagnosticKind.TYPE_ERROR,
            "mismatched types\nexpected `i32`, found `&str`\nexpected type `i32`\nfound type `&str`",
            id="the words beside the place belong to it",
        ),
        pytest.param(
            "error: expected `;`, found `}`\n --> src/a.rs:3:5\n", None, DiagnosticKind.SYNTAX_ERROR,
            "expected `;`, found `}`", id="a syntax error",
        ),
        pytest.param(
            "error: this file contains an unclosed delimiter\n --> /p/src/a.rs:3:5\n", None,
            DiagnosticKind.SYNTAX_ERROR, "this file contains an unclosed delimiter", id="with its whole path",
        ),
        pytest.param(
            "error: cannot find macro `foo` in this scope\n --> src/a.rs:3:5\n", None, DiagnosticKind.BUILD_ERROR,
            "cannot find macro `foo` in this scope", id="a fault without a code",
        ),
        pytest.param(
            "src/a.rs:3:5: error[E0425]: cannot find value `y` in this scope\n", "E0425", DiagnosticKind.TYPE_ERROR,
            "cannot find value `y` in this scope", id="the short form",
        ),
    ],
)  # fmt: skip
def test_a_message_is_read_with_its_details(text: str, rule: str | None, kind: DiagnosticKind, message: str) -> None:
    (found,) = parsed("cargo-check", text).diagnostics
    assert (found.path, found.line, found.column) == ("src/a.rs", 3, 5)
    assert (found.rule_id, found.kind, found.message) == (rule, kind, message)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("error: failed to parse manifest at `/p/m/Cargo.toml`\n\nCaused by:\n  no targets\n", "m/Cargo.toml"),
        ("error: linking with `cc` failed: exit status: 1\n  |\n  = note: undefined\n", None),
        ("error[E0463]: can't find crate for `std`\n", None),
    ],
)
def test_some_errors_have_no_place_in_the_code(text: str, path: str | None) -> None:
    (found,) = parsed("cargo-check", text).diagnostics
    assert (found.path, found.level) == (path, Level.ERROR)


@pytest.mark.parametrize(
    "line",
    [
        "error: could not compile `x` (lib) due to 2 previous errors",
        "warning: `x` (lib) generated 1 warning",
        "error: aborting due to 2 previous errors",
        "error: test failed, to rerun pass `--lib`",
        "error: something of another program",
    ],
)
def test_a_summary_is_no_error_of_its_own(line: str) -> None:
    assert parsed("cargo-check", f"{line}\n").diagnostics == ()


def test_another_tools_arrows_are_not_taken_for_rusts() -> None:
    assert parsed("cargo-check", "error[unresolved-import]: no module\n --> a.py:1:8\n").diagnostics == ()


def test_json_messages_tell_the_same_as_text() -> None:
    span = {"file_name": "src/a.rs", "line_start": 3, "column_start": 5, "is_primary": True, "label": "not found"}
    inner = {"level": "error", "message": "no value `y`", "code": {"code": "E0425"}, "spans": [span], "children": []}
    summary: dict[str, object] = {
        "level": "error",
        "message": "aborting due to 1 previous error",
        "code": None,
        "spans": [],
    }
    messages = [{"reason": "compiler-message", "message": one} for one in (inner, summary)]
    text = "\n".join(json.dumps(one) for one in [*messages, {"reason": "build-finished", "success": False}])
    (found,) = parsed("cargo-check", f"    Checking x\n{text}\n").diagnostics
    assert (place(found), found.message) == (("src/a.rs", 3, 5, "E0425"), "no value `y`\nnot found")


@pytest.mark.parametrize("line", ["Diff in /p/src/lib.rs:34:", "Diff in /p/src/lib.rs at line 34:"])
def test_rustfmt_is_read_by_file_in_its_old_form_and_in_its_new_one(line: str) -> None:
    found = parsed("rustfmt", f"{line}\n-  a\n+    a\n{line}\n").diagnostics
    assert [(one.path, one.rule_id) for one in found] == [("src/lib.rs", "format")]


HOSTILE = {
    "marks": "error: a\n --> a.rs:1:1\n" + ("  |" + "^" * 3_900 + "\n") * 60,
    "quotes": ("error: " + "`" * 3_900 + "\n") * 60,
    "heads": "error: a\n" * 30_000,
    "messages": '{"reason":"compiler-message","message":{}}\n' * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("tool", ["cargo-check", "rustfmt"])
def test_hostile_text_is_read_to_its_end(tool: str, text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parsed(tool, text).diagnostics) <= 20_000
