"""Lines that speak of the environment, and lines that merely look like it."""

import pytest

from fixloop_bot.checks.environment import lacks
from fixloop_bot.checks.modules import unresolved
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.environment import Unresolved


def words(text: str) -> list[str]:
    return [lack.words for lack in lacks(ToolOutput(text=text, exists=lambda _path: False))]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ('npm error Missing script: "typecheck"', "the script typecheck is missing in package.json"),
        ("npm ERR! code E404", "npm could not do its work (E404)"),
        ("sh: 1: eslint: not found", "eslint was not found"),
        ("bash: line 1: pnpm-x: command not found", "pnpm-x was not found"),
        ("/usr/bin/env: \u2018python9\u2019: No such file or directory", "python9 was not found"),
        ("bash: line 1: ./run.sh: Permission denied", "./run.sh may not be executed"),
        ("/opt/bin/python3: No module named pytest", "pytest is not installed in the project's environment"),
        ("make: *** No rule to make target 'lint'.  Stop.", "make has no target lint"),
        ("make: *** [Makefile:2: lint] Error 127", "a program that make runs"),
        ("mypy: error: unrecognized arguments: --nope", "mypy does not know --nope"),
        ("/usr/bin/ld: cannot find -lfoo", "the library foo"),
        ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "memory"),
        ("OSError: [Errno 28] No space left on device", "disk: no space is left"),
        ("a.c:2:10: fatal error: foo/foo.h: No such file or directory\n    2 | #include <foo/foo.h>", "the header"),
    ],
)
def test_a_tools_own_line_is_known_and_said_in_words(line: str, part: str) -> None:
    assert words(line)[0].startswith(part)


@pytest.mark.parametrize(
    "line",
    [
        "E   AssertionError: npm error Missing script: x",
        "npm error code EJSONPARSE",
        "npm ERR! code ELIFECYCLE",
        "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.",
        "make: *** [Makefile:2: test] Error 1",
        "Error: user 42: not found",
        "E   MemoryError",
        'a.c:2:10: fatal error: foo.h: No such file or directory\n    2 | #include "foo.h"',
        "expected 'command not found' in output",
    ],
)
def test_a_line_that_merely_looks_like_it_is_not(line: str) -> None:
    assert words(line) == []


DECLARED = frozenset({"lodash", "@scope/pkg", "PyYAML", "python_dateutil"})
FILES = frozenset({"app/__init__.py", "src/lib/__init__.py"})


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Error: Cannot find module 'lodash/fp'", Unresolved(name="lodash", declared=True)),
        ("Cannot find package '@scope/pkg/x' imported", Unresolved(name="@scope/pkg", declared=True)),
        ("Cannot find module 'lodahs'", Unresolved(name="lodahs")),
        ("Cannot find module './utilz' from 'a'", Unresolved(name="./utilz", in_repository=True)),
        ("ModuleNotFoundError: No module named 'yaml'", Unresolved(name="yaml", declared=True)),
        ("ModuleNotFoundError: No module named 'dateutil.tz'", Unresolved(name="dateutil", declared=True)),
        ("ModuleNotFoundError: No module named 'app.utilz'", Unresolved(name="app.utilz", in_repository=True)),
        ("ModuleNotFoundError: No module named 'lib.x'", Unresolved(name="lib.x", in_repository=True)),
        ("a.py:1:0: E0401: Unable to import 'yaml' (import-error)", Unresolved(name="yaml", declared=True)),
        ("a.go:3:8: no required module provides package x.y/z", Unresolved(name="x.y/z")),
    ],
)
def test_a_module_is_the_repositorys_or_declared_or_a_slip(line: str, found: Unresolved) -> None:
    output = ToolOutput(text=line, exists=FILES.__contains__)
    assert unresolved(output, DECLARED) == (found,)


def test_what_is_told_a_thousand_times_is_bounded() -> None:
    many = "".join(f"sh: 1: tool{number}: not found\nCannot find module 'm{number}'\n" for number in range(1_000))
    assert len(words(many)) == 20
    assert len(unresolved(ToolOutput(text=many), frozenset())) == 50
