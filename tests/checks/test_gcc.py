"""What gcc and clang print is read with the place that a person has to look at."""

import json

import pytest

from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import parsed, place

ONE = ("src/a.c",)
TEMPLATE = """\
In file included from /usr/include/c++/12/bits/stl_algobase.h:71,
                 from /usr/include/c++/12/vector:60,
                 from src/app.cpp:1:
/usr/include/c++/12/bits/predefined_ops.h: In instantiation of 'constexpr bool less(I1, I2)':
/usr/include/c++/12/bits/stl_algo.h:1809:14:   required from 'void std::sort(I, I)'
src/app.cpp:8:12:   required from here
/usr/include/c++/12/bits/predefined_ops.h:45:23: error: no match for 'operator<' (operand types are 'P' and 'P')
/usr/include/c++/12/bits/stl_iterator.h:1246:5: note: candidate: 'bool operator<(I, I)'
src/app.cpp:11:3: error: 'foo' was not declared in this scope
"""
CLANG_TEMPLATE = """\
In file included from src/app.cpp:1:
/usr/include/c++/12/bits/predefined_ops.h:45:23: error: invalid operands to binary expression ('P' and 'P')
/usr/include/c++/12/bits/stl_algo.h:1631:6: note: in instantiation of function 'less' requested here
src/app.cpp:8:8: note: in instantiation of function template specialization 'std::sort<P *>' requested here
src/app.cpp:9:1: note: candidate function not viable
2 errors generated.
"""


@pytest.mark.parametrize(
    ("line", "rule", "kind"),
    [
        ("error: \u2018x\u2019 undeclared (first use in this function)", "undeclared", DiagnosticKind.TYPE_ERROR),
        ("error: use of undeclared identifier 'x'", "undeclared", DiagnosticKind.TYPE_ERROR),
        ("error: expected ';' before '}' token", "syntax", DiagnosticKind.SYNTAX_ERROR),
        ("fatal error: shop.h: No such file or directory", "missing-header", DiagnosticKind.BUILD_ERROR),
        ("fatal error: 'shop.h' file not found", "missing-header", DiagnosticKind.BUILD_ERROR),
        ("error: unused variable 'x' [-Werror=unused-variable]", "-Wunused-variable", DiagnosticKind.TYPE_ERROR),
        ("error: unused variable 'x' [-Werror,-Wunused-variable]", "-Wunused-variable", DiagnosticKind.TYPE_ERROR),
        ("error: wide [bugprone-x-y,-warnings-as-errors]", "bugprone-x-y", DiagnosticKind.LINT_ERROR),
        ('error: #error "no"', "error-directive", DiagnosticKind.BUILD_ERROR),
        ("error: something that nobody has seen before", None, DiagnosticKind.TYPE_ERROR),
    ],
)  # fmt: skip
def test_an_error_has_a_rule_where_its_words_are_known(line: str, rule: str | None, kind: DiagnosticKind) -> None:
    (error,) = parsed("gcc", f"src/a.c:5:11: {line}\n", files=ONE).diagnostics
    assert (error.path, error.line, error.column, error.rule_id, error.kind) == ("src/a.c", 5, 11, rule, kind)
    assert not error.message.endswith("]")


def test_notes_and_warnings_are_no_errors() -> None:
    text = (
        "src/a.c: In function 'f':\nsrc/a.c:1:1: warning: unused [-Wunused]\n"
        "src/a.c:2:1: error: 'x' undeclared (first use in this function)\n"
        "src/a.c:2:1: note: each undeclared identifier is reported only once\n"
        "cc1: all warnings being treated as errors\nmake: *** [Makefile:4: a.o] Error 1\n"
    )
    found = parsed("gcc", text, files=(*ONE, "Makefile")).diagnostics
    assert [(item.level, item.line) for item in found] == [(Level.WARNING, 1), (Level.ERROR, 2)]


def test_warnings_alone_tell_nothing_of_a_failure() -> None:
    text = "src/a.c:1:1: warning: unused [-Wunused]\n"
    assert parsed("gcc", text, files=ONE).diagnostics == ()


@pytest.mark.parametrize("text", [TEMPLATE, CLANG_TEMPLATE], ids=["gcc", "clang"])
def test_an_error_inside_of_the_library_is_placed_where_the_project_asked_for_it(text: str) -> None:
    first = parsed("gcc", text, files=("src/app.cpp",)).diagnostics[0]
    assert (first.path, first.line, first.rule_id) == ("src/app.cpp", 8, "no-match")


def test_a_header_is_blamed_for_its_own_error_and_the_includer_for_one_outside() -> None:
    text = (
        "In file included from src/a.c:2:\nsrc/b.h:1:30: error: unknown type name 'x'\n"
        "In file included from src/a.c:3:\n/opt/lib/x.h:9:1: error: unknown type name 'y'\n"
    )
    found = parsed("gcc", text, files=(*ONE, "src/b.h")).diagnostics
    assert [place(item)[:2] for item in found] == [("src/b.h", 1), ("src/a.c", 3)]


@pytest.mark.parametrize(
    ("printed", "before"),
    [
        pytest.param("a.c", "make[1]: Entering directory '/p/src'\n", id="make works in a folder"),
        pytest.param("../src/a.c", "", id="seen from a build folder"),
        pytest.param("/p/src/a.c", "", id="absolute"),
        pytest.param("src/a.c", "make[1]: Entering directory '/p/x'\nmake[1]: Leaving directory '/p/x'\n", id="left"),
    ],
)
def test_a_path_is_read_as_the_build_meant_it(printed: str, before: str) -> None:
    (error,) = parsed("make", f"{before}{printed}:1:2: error: expected ';'\n", files=ONE).diagnostics
    assert error.path == "src/a.c"


def test_json_on_the_output_is_read_with_its_options() -> None:
    caret = {"caret": {"file": "src/a.c", "line": 7, "column": 13}}
    note = {"kind": "note", "column-origin": 1, "locations": [caret], "message": "declared here"}
    warning = {
        "kind": "error",
        "option": "-Werror=unused",
        "locations": [caret],
        "message": "unused",
        "children": [note],
    }
    text = f"cc -c src/a.c\n{json.dumps([note | {'column-origin': 1}, warning | {'column-origin': 1}])}\n[]\n"
    found = parsed("gcc", text, files=ONE)
    assert [place(item) for item in found.diagnostics] == [("src/a.c", 7, 13, "-Wunused")]
    assert found.tier is Tier.STRUCTURED


def test_the_driver_counts_where_no_source_does() -> None:
    refused = "gcc: error: unrecognized command-line option '-fx'\n"
    assert [place(item) for item in parsed("gcc", refused).diagnostics] == [(None, None, None, "driver")]
    both = refused + "src/a.c:1:1: error: expected ';'\nclang: error: linker command failed with exit code 1\n"
    assert [place(item) for item in parsed("gcc", both, files=ONE).diagnostics] == [("src/a.c", 1, 1, "syntax")]


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("gcc -c a.c", "gcc"),
        ("/usr/bin/x86_64-linux-gnu-g++-12 a.cc", "gcc"),
        ("ccache clang++ a.cc", "generic"),
        ("clang-tidy -p build a.c", "clang-tidy"),
        ("make", "make"),
        ("make -C src -j4 CFLAGS=-Wall", "make"),
        ("make test", "generic"),
        ("ninja -C build", "make"),
        ("cmake -S . -B build && cmake --build build", "cmake"),
        ("cmake --build build && ctest --test-dir build", "ctest"),
    ],
)
def test_a_command_line_names_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool


@pytest.mark.parametrize(
    ("text", "files"),
    [
        pytest.param("a.py:3:1: error: Missing return statement  [return]\n", ("a.py",), id="mypy"),
        pytest.param("src/a.ts:3:1: error: no\n", ("src/a.ts",), id="another language"),
    ],
)
def test_what_speaks_of_another_language_is_another_tools(text: str, files: tuple[str, ...]) -> None:
    assert parsed("gcc", text, files=files).diagnostics == ()
