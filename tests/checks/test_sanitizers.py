"""Sanitizers and memcheck: the place is the innermost frame in the repository, and nothing volatile is said."""

import pytest

from tests.checks.reading import parsed, place

FILES = ("src/a.c", "src/b.c")
ASAN = """\
==17386==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000020 at pc 0x55d5 bp 0x7ffc3d
WRITE of size 4 at 0x602000000020 thread T0
    #0 0x7fd415c45249 in memcpy ../sysdeps/x86/memcpy.S:58
    #1 0x55d59d8ab1e5 in fill(int*, unsigned long) /p/src/a.c:5:3
    #2 0x55d59d8ab1e5 in main /p/src/b.c:9

0x602000000020 is located 8 bytes to the right of 8-byte region [0x602000000010,0x602000000018)
allocated by thread T0 here:
    #0 0x55d59d8ab191 in main /p/src/b.c:4

SUMMARY: AddressSanitizer: heap-buffer-overflow /p/src/a.c:5 in fill
"""
LEAKS = """\
==9==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 7 byte(s) in 1 object(s) allocated from:
    #0 0x7fe5 in malloc ../../libsanitizer/asan_malloc.cpp:75
    #1 0x55cc in main /p/src/a.c:2

Indirect leak of 9 byte(s) in 1 object(s) allocated from:
    #0 0x7fe5 in malloc ../../libsanitizer/asan_malloc.cpp:75
    #1 0x55cc in make /p/src/b.c:3

SUMMARY: AddressSanitizer: 16 byte(s) leaked in 2 allocation(s).
"""
RACE = """\
WARNING: ThreadSanitizer: data race (pid=5850)
  Read of size 4 at 0x557b0f0df054 by main thread:
    #0 main /p/src/a.c:3 (th+0x1241)

  Previous write of size 4 at 0x557b0f0df054 by thread T1:
    #0 f /p/src/b.c:2 (th+0x11e8)
"""
MEMCHECK = """\
==12== Invalid write of size 1
==12==    at 0x10917A: main (a.c:4)
==12==  Address 0x4a4e049 is 1 bytes after a block of size 8 alloc'd
==12==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==12==    by 0x10916A: main (b.c:3)
==12== 7 bytes in 1 blocks are definitely lost in loss record 1 of 1
==12==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==12==    by 0x10916E: make (b.c:2)
==12== ERROR SUMMARY: 2 errors from 2 contexts (suppressed: 0 from 0)
"""


WRITTEN = [("src/a.c", 4, None, "invalid-write"), ("src/b.c", 2, None, "memory-leak")]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param(ASAN, [("src/a.c", 5, 3, "heap-buffer-overflow")], id="address"),
        pytest.param(LEAKS, [("src/a.c", 2, None, "memory-leak"), ("src/b.c", 3, None, "memory-leak")], id="leak"),
        pytest.param(RACE, [("src/a.c", 3, None, "data-race")], id="thread"),
        pytest.param(MEMCHECK, WRITTEN, id="memcheck"),
        pytest.param(
            "src/a.c:2:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
            [("src/a.c", 2, 9, "signed-integer-overflow")],
            id="undefined",
        ),
        pytest.param("x.rb:2:9: runtime error: of another kind", [], id="outside of the project"),
    ],
)  # fmt: skip
def test_each_fault_is_placed_in_the_project(text: str, places: list[tuple[object, ...]]) -> None:
    assert [place(item) for item in parsed("sanitizers", text, files=FILES).diagnostics] == places


def test_a_message_tells_the_access_and_nothing_volatile() -> None:
    (error,) = parsed("sanitizers", ASAN, files=FILES).diagnostics
    assert error.message == (
        "heap-buffer-overflow, WRITE of size 4, 8 bytes to the right of 8-byte region in fill(int*, unsigned long)"
    )


def test_a_frame_of_a_file_with_a_blank_in_its_path_is_read() -> None:
    text = ASAN.replace("/p/src/a.c", "/p/my src/a.c")
    (error,) = parsed("sanitizers", text, files=("my src/a.c",)).diagnostics
    assert (error.path, error.line) == ("my src/a.c", 5)


def test_a_crash_outside_of_the_project_has_no_place() -> None:
    (error,) = parsed("sanitizers", ASAN, files=("other.c",)).diagnostics
    assert (error.path, error.rule_id) == (None, "heap-buffer-overflow")


def test_a_build_s_errors_come_before_what_ran() -> None:
    text = f"src/a.c:1:1: error: expected ';'\n{ASAN}"
    assert [item.rule_id for item in parsed("gcc", text, files=FILES).diagnostics] == ["syntax"]
    assert [item.rule_id for item in parsed("gcc", ASAN, files=FILES).diagnostics] == ["heap-buffer-overflow"]
