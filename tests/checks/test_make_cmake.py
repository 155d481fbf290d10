"""make and CMake speak of their own files; where a compiler says more, they are silent."""

import pytest

from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import parsed, place

FILES = ("Makefile", "CMakeLists.txt", "src/CMakeLists.txt", "src/a.c")
NO_RULE = "No rule to make target 'a.in', needed by 'a.txt'"
STACK = """\
CMake Error at /usr/share/cmake-3.25/Modules/FindPackageHandleStandardArgs.cmake:230 (message):
  Could NOT find Shop (missing: SHOP_LIBRARY)

  with a second paragraph
Call Stack (most recent call first):
  /usr/share/cmake-3.25/Modules/FindShop.cmake:9 (_fail)
  CMakeLists.txt:4 (find_package)


-- Configuring incomplete, errors occurred!
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Makefile:3: *** missing separator.  Stop.", [("Makefile", 3, None, "syntax")], id="syntax"),
        pytest.param("Makefile:3: *** SHOP is not set.  Stop.", [("Makefile", 3, None, "makefile")], id="$(error)"),
        pytest.param(f"make: *** {NO_RULE}.  Stop.", [("Makefile", None, None, "no-rule")], id="no rule"),
        pytest.param(f"make: *** {NO_RULE}.", [("Makefile", None, None, "no-rule")], id="no rule, going on"),
        pytest.param("make: *** No rule to make target 'lint'.  Stop.", [], id="a missing target is the environment's"),
        pytest.param("make: *** [Makefile:4: a.o] Error 1", [], id="a failed recipe has said why itself"),
        pytest.param(
            "ninja: error: '/p/src/b.c', needed by 'b.o', missing and no known rule to make it",
            [(None, None, None, "no-rule")],
            id="ninja",
        ),
    ],
)
def test_what_make_says_of_its_own_file(text: str, expected: list[tuple[object, ...]]) -> None:
    assert [place(item) for item in parsed("make", f"{text}\n", files=FILES).diagnostics] == expected


def test_that_a_recipe_failed_is_no_finding() -> None:
    echo = "make[1]: *** [Makefile:4: lint] Error 1\n"
    said = parsed("generic", f"src/a.c:3: too long\n{echo}", files=FILES).diagnostics
    assert [place(item)[:2] for item in said] == [("src/a.c", 3)]
    assert parsed("generic", echo, files=FILES).diagnostics == ()


def test_a_compiler_and_make_both_count_where_both_have_something_to_say() -> None:
    text = f"src/a.c:1:1: error: expected ';'\nmake: *** [Makefile:2: a.o] Error 1\nmake: *** {NO_RULE}.\n"
    found = parsed("make", text, files=FILES).diagnostics
    assert [place(item)[3] for item in found] == ["syntax", "no-rule"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "CMake Error at src/CMakeLists.txt:2 (add_library):\n  Cannot find source file:\n\n    b.c\n\n",
            ("src/CMakeLists.txt", 2, None, "add_library"),
            id="a command",
        ),
        pytest.param(
            'CMake Error at CMakeLists.txt:4:\n  Parse error.  Function missing ending ")".\n',
            ("CMakeLists.txt", 4, None, "parse-error"),
            id="syntax",
        ),
        pytest.param(
            'CMake Error at CMakeLists.txt:4 (shop):\n  Unknown CMake command "shop".\n',
            ("CMakeLists.txt", 4, None, "unknown-command"),
            id="an unknown command",
        ),
        pytest.param(STACK, ("CMakeLists.txt", 4, None, "find_package"), id="inside of a module"),
        pytest.param(
            'CMake Error: The source directory "/p/x" does not exist.\n', (None, None, None, None), id="without a place"
        ),
    ],
)
def test_what_cmake_says_while_it_configures(text: str, expected: tuple[object, ...]) -> None:
    (error,) = parsed("cmake", text, files=FILES).diagnostics
    assert place(error) == expected
    assert error.kind is (DiagnosticKind.SYNTAX_ERROR if "Parse" in text else DiagnosticKind.BUILD_ERROR)


def test_a_message_is_whole_and_ends_with_its_block() -> None:
    (error,) = parsed("cmake", STACK, files=FILES).diagnostics
    assert error.message == "Could NOT find Shop (missing: SHOP_LIBRARY)\n\nwith a second paragraph"


def test_a_warning_and_what_follows_from_a_missing_compiler_are_no_errors() -> None:
    text = (
        "CMake Warning at CMakeLists.txt:1 (message):\n  old\n\n"
        "CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage\n"
    )
    assert parsed("cmake", text, files=FILES).diagnostics == ()
