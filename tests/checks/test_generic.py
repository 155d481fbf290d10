"""Any tool that prints a place."""

import pytest

from fixloop_bot.model.diagnostic import Level
from tests.checks.reading import Place, parsed, place

FILES = ("src/a.c", "a.go", "src/lib.rs", "lib/a.rb", "t.py", "app.py", "a.php", "bin/a.sh", "Makefile", "x.js")


@pytest.mark.parametrize(
    ("text", "found", "message"),
    [
        ("src/a.c:4:11: error: 'q' undeclared", ("src/a.c", 4, 11, None), "error: 'q' undeclared"),
        ("a.go:5:2: x declared but not used", ("a.go", 5, 2, None), "x declared but not used"),
        ("src/a.c(3,4): error C2065: 'x'", ("src/a.c", 3, 4, "C2065"), "error C2065: 'x'"),
        ("error[E0425]: no `x`\n --> src/lib.rs:2:5", ("src/lib.rs", 2, 5, "E0425"), "no `x`"),
        ("thread 'a' panicked at src/lib.rs:3:34:\nindex 1", ("src/lib.rs", 3, 34, None), "index 1"),
        ("PHP Parse error: bad in /p/a.php on line 3", ("a.php", 3, None, None), "PHP Parse error: bad in"),
        ("In bin/a.sh line 3:\necho $1", ("bin/a.sh", 3, None, None), "echo $1"),
        ("Makefile:3: *** missing separator.  Stop.", ("Makefile", 3, None, None), "*** missing separator.  Stop."),
        (
            'Traceback:\n  File "t.py", line 1, in m\n    f()\n  File "app.py", line 2, in f\n    g\nKeyError: 1',
            ("app.py", 2, None, None),
            "KeyError: 1",
        ),
        ("TypeError: no\n    at f (x.js:3:4)\n    at g (x.js:9:9)", ("x.js", 3, 4, None), "TypeError: no"),
    ],
)
def test_a_place_is_read_with_what_is_said_of_it(text: str, found: Place, message: str) -> None:
    (item,) = parsed("generic", text + "\n", files=FILES).diagnostics
    assert place(item) == found
    assert item.message.startswith(message)


def test_notes_and_warnings_beside_an_error_are_no_errors() -> None:
    text = "src/a.c:4:1: error: x\nsrc/a.c:4:1: note: y\nsrc/a.c:9:1: warning: z [-Wz]\nsrc/a.c:10: from here\n"
    levels = [item.level for item in parsed("generic", text, files=FILES).diagnostics]
    assert levels == [Level.ERROR, Level.NOTE, Level.WARNING, Level.NOTE]


@pytest.mark.parametrize("text", ["12:30:45 started", "gone.c:3:4: error", "http://x.y:80/", "v1.2:3", "a.c"])
def test_what_is_no_file_of_the_repository_is_no_place(text: str) -> None:
    assert parsed("generic", text, files=FILES).diagnostics == ()


def test_frames_below_what_was_told_with_its_place_add_nothing() -> None:
    panic = "thread 'a' panicked at src/lib.rs:3:34:\nindex 1\nstack backtrace:\n"
    panic += "   0: x::f\n             at ./src/lib.rs:3:34\n"
    (item,) = parsed("generic", panic + "   1: x::g\n             at ./src/lib.rs:9:1\n", files=FILES).diagnostics
    assert place(item) == ("src/lib.rs", 3, 34, None)


def test_of_a_sanitizers_stack_the_innermost_frame_of_the_repository_counts() -> None:
    crash = (
        "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n"
        "    #0 0x55 in memcpy (/lib/libasan.so+0x3)\n    #1 0x56 in f /p/src/a.c:3\n    #2 0x57 in main /p/src/a.c:9\n"
    )
    (item,) = parsed("generic", crash, files=FILES).diagnostics
    assert place(item) == ("src/a.c", 3, None, None)
    assert "heap-buffer-overflow" in item.message
