"""Lines that tell of a tool's wrong use, and lines that only look like it."""

import pytest

from fixloop_bot.checks.tool_errors import LINE_LIMIT, MOST, tool_errors
from fixloop_bot.model.learning import ToolErrorKind as Kind


@pytest.mark.parametrize(
    ("line", "kind", "subject"),
    [
        ("pytest: error: unrecognized arguments: --cov=app", Kind.UNKNOWN_OPTION, "--cov=app"),
        ("error: unexpected argument '--foo' found", Kind.UNKNOWN_OPTION, "--foo"),
        ("Error: No such option: --chek", Kind.UNKNOWN_OPTION, "--chek"),
        ("error: unknown option '--fixx'", Kind.UNKNOWN_OPTION, "--fixx"),
        ("grep: unrecognized option '--colour-me'", Kind.UNKNOWN_OPTION, "--colour-me"),
        ("ls: invalid option -- 'y'", Kind.UNKNOWN_OPTION, "y"),
        ("node: bad option: --frob", Kind.UNKNOWN_OPTION, "--frob"),
        ("flag provided but not defined: -raced", Kind.UNKNOWN_OPTION, "-raced"),
        ("Invalid option '--ext' - perhaps you meant '-c'?", Kind.UNKNOWN_OPTION, "--ext"),
        ('npm error Missing script: "lint"', Kind.MISSING_SCRIPT, "lint"),
        ("npm ERR! Missing script: test:unit", Kind.MISSING_SCRIPT, "test:unit"),
        (" ERR_PNPM_NO_SCRIPT  Missing script: build", Kind.MISSING_SCRIPT, "build"),
        ('error Command "lint" not found.', Kind.MISSING_SCRIPT, "lint"),
        ("make: *** No rule to make target 'lint'.  Stop.", Kind.MISSING_SCRIPT, "lint"),
        ("sh: 1: ruff: not found", Kind.COMMAND_NOT_FOUND, "ruff"),
        ("bash: line 3: uvx: command not found", Kind.COMMAND_NOT_FOUND, "uvx"),
        ("/bin/sh: tsc: command not found", Kind.COMMAND_NOT_FOUND, "tsc"),
        ("/usr/bin/env: \u2018node\u2019: No such file or directory", Kind.COMMAND_NOT_FOUND, "node"),
        ("npm ERR! ENOENT: no such file or directory, open '/w/package.json'", Kind.NO_SUCH_FILE, "/w/package.json"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.cfg'", Kind.NO_SUCH_FILE, "a.cfg"),
        ("cat: conf/a.toml: No such file or directory", Kind.NO_SUCH_FILE, "conf/a.toml"),
        ("Error: EACCES: permission denied, mkdir '/root/.npm'", Kind.PERMISSION_DENIED, "/root/.npm"),
        ("PermissionError: [Errno 13] Permission denied: '/etc/x'", Kind.PERMISSION_DENIED, "/etc/x"),
        ("sh: 1: ./run.sh: Permission denied", Kind.PERMISSION_DENIED, "./run.sh"),
        ("mkdir: cannot create directory /srv: Permission denied", Kind.PERMISSION_DENIED,
         "cannot create directory /srv"),
        ("Error: Cannot find module 'left-pad'", Kind.MODULE_NOT_FOUND, "left-pad"),
        ("ModuleNotFoundError: No module named 'yaml'", Kind.MODULE_NOT_FOUND, "yaml"),
        ("/usr/bin/python3: No module named pytest", Kind.MODULE_NOT_FOUND, "pytest"),
    ],
)  # fmt: skip
def test_a_tool_s_own_words_are_known(line: str, kind: Kind, subject: str) -> None:
    (error,) = tool_errors(["something else", line])
    assert (error.kind, error.subject) == (kind, subject)


@pytest.mark.parametrize(
    "line",
    [
        "E   FileNotFoundError: [Errno 2] No such file or directory: 'a.cfg'",
        "assert 'command not found' in output",
        "# npm error Missing script: lint",
        "tests/test_a.py:3: error: unknown thing",
        "",
    ],
)
def test_a_line_that_only_quotes_it_is_none(line: str) -> None:
    assert tool_errors([line]) == ()


def test_what_is_told_again_counts_once_and_there_is_an_end() -> None:
    assert len(tool_errors(["sh: 1: ruff: not found"] * 5)) == 1
    assert len(tool_errors([f"sh: 1: tool{number}: not found" for number in range(99)])) == MOST


def test_a_line_without_end_is_looked_at_at_its_beginning() -> None:
    (error,) = tool_errors(["cat: " + "x" * 9 + ": No such file or directory" + "y" * 10**6])
    assert len(error.line) == LINE_LIMIT
