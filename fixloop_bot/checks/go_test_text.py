"""What `go test` prints, with and without `-v`."""

import re
from collections.abc import Sequence

from fixloop_bot.checks import go_text
from fixloop_bot.checks.go_test_run import FAIL, GoPackage, GoTest

_PACKAGE = re.compile(r"^(ok  |FAIL|\?   )\t(\S+)(?:[ \t]+(.*))?$")
NOTE = re.compile(r"\[(?:build failed|setup failed|no test files|no tests to run)\]")
_RUNS = re.compile(r"^=== (RUN|PAUSE|CONT|NAME) +(\S+)$")
_VERDICT = re.compile(r"--- (PASS|FAIL|SKIP): (\S+) \(\d{1,9}\.\d\ds\)$")
_STEP = 4
"""Blanks by which subtests, and what a test logs, are indented."""


class _Reader:
    """Reads line after line; what is logged belongs to a test by its heading line, or by its indentation below one."""

    def __init__(self) -> None:
        self.packages: list[GoPackage] = []
        self.rest: list[str] = []
        self.named = False
        self._package = GoPackage()
        self._owners: list[GoTest] = []
        """The tests that the last verdicts or headings named, outermost first."""
        self._in_build = False

    def take(self, line: str) -> None:
        """Take the next line."""
        if package := _PACKAGE.match(line):
            self._close(package)
        elif runs := _RUNS.match(line):
            self.named = True
            self._in_build = False
            self._owners = [self._package.test(runs[2])]
        elif (at := line.rfind("--- ")) >= 0 and (verdict := _VERDICT.match(line, at)):
            self._judge(verdict)
        elif go_text.header(line) or (self._in_build and (go_text.place(line) or line.startswith("\t"))):
            self._in_build = True
            self.rest.append(line)
        else:
            self._in_build = False
            self._log(line)

    def finish(self) -> None:
        """Close what no line closed: the process was killed, or it is no output of `go test` at all."""
        if self._package.tests:
            self._package.failed = any(test.verdict == FAIL for test in self._package.tests.values())
            self.packages.append(self._package)
        else:
            self.rest.extend(self._package.lines)

    def _judge(self, verdict: re.Match[str]) -> None:
        """Note a verdict; what a test printed without a line's end stands before it."""
        self._in_build = False
        test = self._package.test(verdict[2])
        test.verdict = verdict[1]
        depth = 0 if verdict.string[: verdict.start()].strip() else verdict.start() // _STEP
        self._owners = [*self._owners[:depth], test]

    def _log(self, line: str) -> None:
        depth = (len(line) - len(line.lstrip(" "))) // _STEP
        if self._owners:
            self._owners[min(max(depth, 1), len(self._owners)) - 1 if depth else -1].lines.append(line)
        else:
            self._package.lines.append(line)

    def _close(self, found: re.Match[str]) -> None:
        verdict, name = found[1], found[2]
        note = NOTE.search(found[3] or "")
        said = note[0] if note else "[no test files]" if verdict == "?   " else ""
        if said.endswith("failed]"):  # it was not run: what stands above is not its own
            self.packages.append(GoPackage(name=name, failed=True, note=said))
            return
        package, self._package, self._owners = self._package, GoPackage(), []
        package.name, package.failed, package.note = name, verdict == "FAIL", said
        self.packages.append(package)


def read(lines: Sequence[str]) -> tuple[list[GoPackage], list[str], bool]:
    """Return the packages, the lines that are none of their tests' (a build's), and whether passing tests are named."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    reader.finish()
    return reader.packages, reader.rest, reader.named
