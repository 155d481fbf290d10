"""Lines that speak of the environment, and lines that merely look like it."""

import pytest

from fixloop_bot.checks.environment import lacks
from fixloop_bot.checks.modules import unresolved
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.environment import Unresolved, Weight


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
    assert unresolved(output, lambda: DECLARED) == (found,)


def test_what_is_told_a_thousand_times_is_bounded() -> None:
    many = "".join(f"sh: 1: tool{number}: not found\nCannot find module 'm{number}'\n" for number in range(1_000))
    assert len(words(many)) == 20
    assert len(unresolved(ToolOutput(text=many), frozenset)) == 50


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("/p/a.csproj : error NU1101: Unable to find package Till. No packages exist", "NuGet cannot get Till"),
        (
            "/p/a.csproj : error NU1301: Unable to load the service index for source https://n.invalid/v3/index.json.",
            "net",
        ),
        (
            "/s/x.targets(1,2): error NETSDK1045: The current .NET SDK does not support targeting .NET 9.0.",
            "an SDK of .NET",
        ),
        (
            "The framework 'Microsoft.NETCore.App', version '8.0.0' (x64) was not found.",
            "the framework Microsoft.NETCore",
        ),
        ("Requested SDK version: 9.0.100", "the .NET SDK 9.0.100"),
        ("ERROR: Package 'a' requires a different Python: 3.8.1 not in '>=3.9'", "Python >=3.9 for a (this is 3.8.1)"),
        ("pyenv: version `3.99' is not installed (set by /p/.python-version)", "version 3.99, set for this folder"),
        ("py399: skipped because could not find python interpreter with spec(s): py399", "the Python that tox wants"),
        ("error: toolchain '1.99' is not installed", "the Rust toolchain 1.99"),
        ("c++: fatal error: Killed signal terminated program cc1plus", "memory: the command ran out of it (cc1plus"),
        ("  process didn't exit successfully: `rustc --crate-name x` (signal: 9, SIGKILL: kill)", "memory"),
        ("sh: 1: fork: retry: Resource temporarily unavailable", "memory"),
        ("./a: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./a)", "a newer C library (GLIBC_2.38)"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "the port :::3000, which is taken"),
        ("git@github.com: Permission denied (publickey).", "credentials: an SSH key"),
        ("ERROR 2003 (HY000): Can't connect to MySQL server on 'db' (111)", "a database at db"),
        ("Error response from daemon: pull access denied for a/b, repository does not exist", "the image a/b"),
        (
            'Exception in thread "main" java.net.UnknownHostException: services.gradle.org',
            "network: services.gradle.org",
        ),
        ("SDK location not found. Define a valid SDK location", "an Android SDK"),
        ("[ERROR] COMPILATION ERROR : No compiler is provided in this environment. Perhaps", "a JDK"),
        (
            "Error: Cannot find module @rollup/rollup-linux-x64-gnu. npm has a bug",
            "@rollup/rollup-linux-x64-gnu, the build",
        ),
        ("Caused by: java.lang.OutOfMemoryError: GC overhead limit exceeded", "memory"),
        ("Error: ENOSPC: System limit for number of file watchers reached, watch '/p'", "file watchers"),
        ("tar: a: Cannot write: No space left on device", "disk"),
    ],
)
def test_what_tools_document_that_are_not_at_hand_is_known_too(line: str, part: str) -> None:
    assert words(line)[0].startswith(part)


def test_a_service_that_is_not_there_explains_only_errors_that_speak_of_it() -> None:
    lack = lacks(ToolOutput(text="Error: connect ECONNREFUSED 127.0.0.1:6379"))[0]
    assert (lack.words, lack.weight) == ("a service at port 6379: nothing listens", Weight.EXPLAINING)
    assert "ECONNREFUSED" in lack.told
    assert words("connect ECONNREFUSED 127.0.0.1:3000") == []


@pytest.mark.parametrize(
    "line",
    ["x" * 200_000, "[ERROR] Failed to execute goal on project " * 5_000, "error: " * 30_000, "\ud800 not found"],
)
def test_a_hostile_line_costs_no_more_than_its_length(line: str) -> None:
    assert words("\n".join([line] * 20)) == []
