"""What Rust's test binaries print under `cargo test`, read."""

import pytest

from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

WORKSPACE = """\
     Running unittests src/lib.rs (target/debug/deps/m-0f36f5e6b9a88aa3)

running 2 tests
test tests::other ... ok
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----

thread 'tests::adds' (10833) panicked at m/src/lib.rs:4:33:
assertion `left == right` failed
  left: 1
 right: 2
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    tests::adds

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `-p m --lib`
     Running unittests src/lib.rs (target/debug/deps/x-b885370c02d1f6ea)

running 3 tests
test tests::adds ... ok
test tests::slow ... ignored, slow
test tests::panics - should panic ... FAILED

failures:

---- tests::panics stdout ----
note: test did not panic as expected at src/lib.rs:43:8

failures:
    tests::panics

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.05s

   Doc-tests x

running 3 tests
test src/lib.rs - add (line 13) - compile ... ok
test src/lib.rs - add (line 5) ... ok
test src/lib.rs - add (line 9) ... FAILED

failures:

---- src/lib.rs - add (line 9) stdout ----
error[E0425]: cannot find function `nothere` in this scope
  --> src/lib.rs:10:9
   |
10 | let y = nothere(1);
   |         ^^^^^^^ not found in this scope

error: aborting due to 1 previous error

For more information about this error, try `rustc --explain E0425`.
Couldn't compile the test.

failures:
    src/lib.rs - add (line 9)

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s

error: doctest failed, to rerun pass `-p x --doc`
"""


def test_every_binarys_tests_are_counted_and_namesakes_told_apart() -> None:
    assert parsed("cargo-test", WORKSPACE).tests == TestReport(
        7,
        ("tests::other", "x::tests::adds", "src/lib.rs - add #3", "src/lib.rs - add"),
        ("tests::adds", "tests::panics", "src/lib.rs - add #2"),
        ("tests::slow",),
    )


def test_a_failed_test_is_where_it_panicked_and_a_documentation_test_where_it_stands() -> None:
    found = parsed("cargo-test", WORKSPACE).diagnostics
    assert [(one.test_id, one.path, one.line) for one in found] == [
        ("tests::adds", "m/src/lib.rs", 4),
        ("tests::panics", "x/src/lib.rs", None),
        ("src/lib.rs - add #2", "src/lib.rs", 9),
    ]
    assert found[0].message == "assertion `left == right` failed\n  left: 1\n right: 2"


def test_the_source_of_a_member_is_looked_for_in_its_folder_first() -> None:
    found = parsed("cargo-test", WORKSPACE, files=("src/lib.rs", "m/src/lib.rs")).diagnostics
    assert found[1].path == "src/lib.rs"


OLD = """\
     Running unittests (target/debug/deps/x-b885370c02d1f6ea)

running 1 test
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----
thread 'tests::adds' panicked at 'assertion failed: `(left == right)`
  left: `-1`,
 right: `5`', src/lib.rs:9:17
stack backtrace:
   0: rust_begin_unwind


failures:
    tests::adds

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""


def test_a_panic_in_the_words_of_older_versions_is_read() -> None:
    (found,) = parsed("cargo-test", OLD).diagnostics
    assert (found.path, found.line) == ("src/lib.rs", 9)
    assert found.message == "assertion failed: `(left == right)`\n  left: `-1`,\n right: `5`"


CRASH = """\
     Running unittests src/lib.rs (target/debug/deps/m-0f36f5e6b9a88aa3)

running 3 tests
test tests::first ... ok
{}
error: test failed, to rerun pass `-p m --lib`

Caused by:
  process didn't exit successfully: `/p/target/debug/deps/m-0f36f5e6b9a88aa3` (signal: 6, SIGABRT: process abort signal)
"""


@pytest.mark.parametrize(
    ("line", "test_id"),
    [
        ("test tests::aborts ... ", "tests::aborts"),
        ("\nthread 'tests::deep' (1) has overflowed its stack\nfatal runtime error: stack overflow", "tests::deep"),
        ("", "m"),
    ],
)
def test_a_binary_that_dies_hides_the_tests_that_had_not_run(line: str, test_id: str) -> None:
    found = parsed("cargo-test", CRASH.format(line), code=101)
    assert found.tests == TestReport(1, ("tests::first",))
    assert [(one.test_id, one.message) for one in found.diagnostics] == [
        (test_id, "the test binary ended early (signal: 6, SIGABRT: process abort signal)")
    ]


def test_a_quiet_run_tells_its_failures_at_its_end() -> None:
    text = OLD.replace("test tests::adds ... FAILED", "F")
    found = parsed("cargo-test", text)
    assert [one.test_id for one in found.diagnostics] == ["tests::adds"]
    assert found.tests == TestReport(1, (), ("tests::adds",))


def test_what_tests_print_into_the_open_is_found_by_their_thread() -> None:
    text = (
        "     Running tests/it.rs (target/debug/deps/it-97a530dcf0405fc9)\n\nrunning 1 test\n"
        "thread 'adds' panicked at tests/it.rs:2:13:\nassertion failed: a\nnote: run with `RUST_BACKTRACE=1`\n"
        "test adds ... FAILED\n\nfailures:\n\nfailures:\n    adds\n\n"
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    )
    (found,) = parsed("cargo-test", text).diagnostics
    assert (found.path, found.line, found.message) == ("tests/it.rs", 2, "assertion failed: a")


def test_a_run_without_a_test_is_known_as_one() -> None:
    text = (
        "   Doc-tests x\n\nrunning 0 tests\n\n"
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    )
    assert parsed("cargo-test", text, code=0).tests == TestReport(0)


def test_tests_that_do_not_compile_are_errors_of_the_compiler_and_none_is_said_to_have_run() -> None:
    text = "error[E0425]: cannot find function `f` in this scope\n --> src/lib.rs:9:9\n\nerror: could not compile `x`\n"
    found = parse("cargo-test", ToolOutput(text=text, exit_code=101))
    assert [place(one) for one in found.diagnostics] == [("src/lib.rs", 9, 9, "E0425")]
    assert found.tests is None


HOSTILE = {
    "brackets": ("     Running " + "(" * 3_900 + "\n") * 60,
    "verdicts within": ("test " + "a ... " * 650 + "\n") * 60,
    "namesakes": "     Running x (y)\n" + "".join(f"test src/lib.rs - a (line {n}) ... ok\n" for n in range(20_000)),
    "panics": "     Running x (y)\n---- a stdout ----\n" + "thread 'a' panicked at '\n" * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parsed("cargo-test", text).diagnostics) <= 20_000
