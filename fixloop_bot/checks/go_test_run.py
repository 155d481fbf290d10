"""What a run of `go test` comes to: its packages, and the tests in each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

PASS, FAIL, SKIP = "PASS", "FAIL", "SKIP"
_LOG = re.compile(r"^( +)([^\s:][^:\n]*\.go):(\d+): ?(.*)$")
_FRAME = re.compile(r"^\t(/[^\n]*\.go):(\d+)(?: \+0x[0-9a-f]+)?$")
_PANIC = re.compile(r"^(?:panic|fatal error|unexpected fault address)[: ]")
_FRAME_OF_TEST = re.compile(
    r"^(?:created by )?(?>(\S+?)\.((?:Test|Example|Fuzz|Benchmark)\w*))(?:\.\S*|\(.*|)(?: in .*)?$"
)
_STILL_RUNNING = re.compile(r"^\t((?:Test|Example|Fuzz|Benchmark)\S*) \([\d.]+m?s\)$")
_REPANICKED = re.compile(r" \[recovered[^\]\n]{0,40}\]$")
_MAX_STACK = 400
"""Lines."""
_MAX_FRAME = 300
"""Characters."""
_NOISE = frozenset({"FAIL", "PASS", "ok"})


@dataclass(slots=True)
class GoTest:
    """One test, benchmark, fuzz target or example."""

    name: str
    """`TestTable/first_case`."""
    verdict: str = ""
    """Empty: it was started, and no verdict of it is known."""
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class GoPackage:
    """One package's tests."""

    name: str = ""
    failed: bool = False
    note: str = ""
    """`[build failed]`, `[no test files]`, `[no tests to run]`; else empty."""
    tests: dict[str, GoTest] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    """What belongs to no test."""

    def test(self, name: str) -> GoTest:
        """Return the test of this name, a new one if it was not heard of before."""
        return self.tests.setdefault(name, GoTest(name))


def test_id(package: GoPackage, test: str) -> str:
    """Return package and test as one name: `example.com/x.TestAdd`."""
    return f"{package.name}.{test}" if package.name else test


def report(packages: Sequence[GoPackage], *, named: bool) -> TestReport | None:
    """Return which tests ran. Without `named`, passing ones are not told, so that nothing is known but of no test."""
    if not packages:
        return None
    if not named:
        idle = all(one.note or not one.name for one in packages) and not any(one.tests for one in packages)
        return TestReport(0) if idle else None
    names: dict[str, list[str]] = {PASS: [], FAIL: [], SKIP: [], "": []}
    for package in packages:
        for test in package.tests.values():
            names[test.verdict].append(test_id(package, test.name))
    return TestReport(len(names[PASS]) + len(names[FAIL]), tuple(names[PASS]), tuple(names[FAIL]), tuple(names[SKIP]))


def diagnostics(output: ToolOutput, packages: Iterable[GoPackage]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per failed test that has no failed subtest, and one where a package ended in another way."""
    for package in packages:
        if not package.failed or package.note:
            continue
        _attribute_panic(package)
        failed = [test for test in package.tests.values() if test.verdict == FAIL]
        parents = {name for test in failed for name in _parents(test.name)}
        for test in failed:
            if test.name not in parents:
                yield _diagnostic(output, package, test_id(package, test.name), test.lines)
        if not failed:
            yield _diagnostic(output, package, _ended(package), [line for test in _all(package) for line in test])


def _parents(name: str) -> list[str]:
    parts = name.split("/")[:20]
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _all(package: GoPackage) -> Iterator[list[str]]:
    yield from (test.lines for test in package.tests.values() if not test.verdict)
    yield package.lines


def _ended(package: GoPackage) -> str:
    """Return what to name where the process ended on its own: the one test that was running, else the package."""
    running = [test.name for test in package.tests.values() if not test.verdict]
    return test_id(package, running[-1]) if len(running) == 1 else package.name


def _attribute_panic(package: GoPackage) -> None:
    """Give a panic outside of the tests' own goroutines to the test that started it, as far as the stack names it.

    A panic in a test's own goroutine comes below that test's verdict and says `[recovered]`.
    """
    for lines in [package.lines, *(test.lines for test in package.tests.values())]:
        start = next((n for n, line in enumerate(lines) if _PANIC.match(line)), None)
        if start is None or _REPANICKED.search(lines[start]):
            continue
        owner = _owner(lines[start:])
        if owner:
            test = package.test(owner)
            test.verdict = FAIL
            moved = lines[start:]
            del lines[start:]
            test.lines.extend(moved)
        return


def _owner(lines: Sequence[str]) -> str:
    for pattern, group in ((_STILL_RUNNING, 1), (_FRAME_OF_TEST, 2)):
        names = (found[group] for line in lines[:_MAX_STACK] if (found := pattern.match(line[:_MAX_FRAME])))
        first = next(names, "")
        if first:
            return first
    return ""


def _diagnostic(output: ToolOutput, package: GoPackage, name: str, lines: Sequence[str]) -> Diagnostic:
    path, line = _place(output, package, lines)
    kind = DiagnosticKind.TEST_FAILURE
    return Diagnostic(path=path, line=line, message=_message(lines), kind=kind, test_id=name or None)


def _place(output: ToolOutput, package: GoPackage, lines: Sequence[str]) -> tuple[str | None, int | None]:
    """Return the last place that the test logged, else the outermost frame in a test file, else in any file."""
    logged = [found for line in lines if (found := _LOG.match(line))]
    for found in reversed(logged):
        path = _in_package(output, package.name, found[2])
        if path:
            return path, text.number(found[3])
    frames = [(in_repository(output, found[1]), found[2]) for line in lines if (found := _FRAME.match(line))]
    inside = [(path, number) for path, number in frames if path]
    tests = [frame for frame in inside if frame[0].endswith("_test.go")]
    return next(((path, text.number(number)) for path, number in reversed(tests or inside)), (None, None))


def _in_package(output: ToolOutput, package: str, name: str) -> str | None:
    """Return the file of a package: of its import path, the longest end that is a folder with such a file."""
    if name.startswith("/"):
        return in_repository(output, name)
    parts = package.removesuffix("_test").split("/")[-24:]
    ends = ("/".join([*parts[start:], name]) for start in range(len(parts) + 1))
    return next((path for end in ends if (path := in_repository(output, end))), None)


def _message(lines: Sequence[str]) -> str:
    """Return what the test logged, then what it panicked with; where it did neither, all that it printed."""
    start = next((n for n, line in enumerate(lines) if _PANIC.match(line)), len(lines))
    thrown = [_REPANICKED.sub("", lines[start])] if start < len(lines) else []
    said = [*_logged(lines[:start]), *thrown] or [line for line in lines if line.strip() not in _NOISE]
    return text.message(said)


def _logged(lines: Sequence[str]) -> Iterator[str]:
    """Yield the logged lines without their places, and what is indented below them."""
    depth = 0
    for line in lines:
        if found := _LOG.match(line):
            depth = len(found[1])
            yield found[4]
        elif depth and len(line) - len(line.lstrip(" ")) > depth:
            yield line.strip()
        else:
            depth = 0
