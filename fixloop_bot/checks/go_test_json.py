"""What `go test -json` prints: one event a line, as `go doc test2json` describes them."""

from collections.abc import Iterator, Mapping, Sequence

from fixloop_bot.checks import go_text, text
from fixloop_bot.checks.go_test_run import FAIL, PASS, SKIP, GoPackage
from fixloop_bot.checks.go_test_text import NOTE

_VERDICTS = {"pass": PASS, "fail": FAIL, "skip": SKIP}
_FRAMING = ("=== RUN", "=== PAUSE", "=== CONT", "=== NAME")


def read(lines: Sequence[str]) -> tuple[list[GoPackage], list[str]]:
    """Return the packages and the lines of builds; nothing where no line is an event."""
    packages: dict[str, GoPackage] = {}
    rest: list[str] = []
    for event in _events(lines, rest):
        name = text.string(event, "Package")
        if name:
            _take(packages.setdefault(name, GoPackage(name)), event)
        elif text.string(event, "Action") == "build-output":
            rest.append(text.string(event, "Output").rstrip("\n"))
    return list(packages.values()), rest if packages else []


def _events(lines: Sequence[str], rest: list[str]) -> Iterator[Mapping[str, object]]:
    for line in lines:
        event = text.load_json(line) if '"Action"' in line else None
        if isinstance(event, dict) and isinstance(event.get("Action"), str):
            yield event
        else:
            rest.append(line)


def _take(package: GoPackage, event: Mapping[str, object]) -> None:
    action, test = text.string(event, "Action"), text.string(event, "Test")
    if action == "output":
        _output(package, test, text.string(event, "Output").rstrip("\n"))
    elif test and action in _VERDICTS:
        package.test(test).verdict = _VERDICTS[action]
    elif test and action == "run":
        package.test(test)
    elif not test:
        package.failed = package.failed or action == "fail"


def _output(package: GoPackage, test: str, line: str) -> None:
    note = NOTE.search(line) if not test else None
    if note:
        package.note = note[0]
    elif test and not line.startswith(_FRAMING) and f"--- FAIL: {test} (" not in line:
        package.test(test).lines.append(line)
    elif not test and not go_text.header(line) and not line.startswith(("FAIL\t", "ok  \t")):
        package.lines.append(line)
