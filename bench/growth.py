"""How the time of each reader of foreign text grows with the text, on families of inputs made to be slow."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bench.table import Section
from fixloop_bot.checks import environment, modules
from fixloop_bot.checks.ecosystems.registry import detect
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.registry import TOOLS
from fixloop_bot.core.errorlines import count_error_lines
from fixloop_bot.core.excerpt import excerpt
from fixloop_bot.core.private_keys import mask_private_keys
from fixloop_bot.core.redact import redactor
from tests.hostile.claims import MASKER, identity, output_of
from tests.hostile.families import GENERAL, Family, of_tool

CHARACTERS = 64_000
SMALL = 16_000
NOTICEABLE_S = 0.005
"""What takes less is too short to tell how it grows."""
ABOUT = (
    "Every parser, text and report, and what masks, identifies, shortens and redacts, on inputs made to be slow: {}"
    " general families, and for each tool its own lines repeated, torn and stretched. Processor time at 64,000 and at"
    " 128,000 characters: the slowest family of each reader, and the steepest growth among those that take at least 5"
    " ms (2 is linear, 4 quadratic). Where no parser knows an output, all are tried."
)
Reader = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One family's time."""

    family: str
    once_s: float
    twice_s: float

    @property
    def growth(self) -> float:
        """Return how much longer twice the text takes, 0 where that cannot be told."""
        return self.twice_s / self.once_s if self.once_s >= NOTICEABLE_S else 0.0


def run(*, small: bool = False) -> Section:
    """Measure every reader with every family that is meant for it."""
    size = SMALL if small else CHARACTERS
    rows = [list(_row(name, reader, families, size)) for name, reader, families in _readers()]
    slowest = sorted(rows, key=lambda row: float(row[1].split()[0]), reverse=True)
    head = ("reader", "slowest, per MB", "on", "steepest growth", "on")
    return Section(name="growth", about=ABOUT.format(len(GENERAL)), head=head, rows=slowest)


def _row(name: str, reader: Reader, families: Mapping[str, Family], size: int) -> Iterator[str]:
    taken = [_taken(family, reader, make, size) for family, make in families.items()]
    slowest = max(taken, key=lambda one: one.twice_s)
    steepest = max(taken, key=lambda one: one.growth)
    yield name
    yield f"{slowest.twice_s / (2 * size) * 1e6:.2f} s"
    yield slowest.family
    yield f"{steepest.growth:.1f}" if steepest.growth else "\u2013"
    yield steepest.family if steepest.growth else ""


def _taken(family: str, reader: Reader, make: Family, size: int) -> Taken:
    """Measure both sizes, again where the first look shows a growth that another process may have made."""
    tries = [Taken(family=family, once_s=_time(reader, make(size)), twice_s=_time(reader, make(2 * size)))]
    while tries[-1].growth > 2.5 and len(tries) < 3:
        tries.append(Taken(family=family, once_s=_time(reader, make(size)), twice_s=_time(reader, make(2 * size))))
    return min(tries, key=lambda one: one.growth)


def _time(reader: Reader, content: str) -> float:
    started = time.process_time()
    reader(content)
    return time.process_time() - started


def _readers() -> Iterator[tuple[str, Reader, Mapping[str, Family]]]:
    yield "masks and identity", lambda content: identity(content, ()), GENERAL
    yield "masks alone", MASKER.lines, GENERAL
    yield "excerpt", lambda content: excerpt(content, ()), GENERAL
    yield "lines that look like errors", count_error_lines, GENERAL
    yield "redaction", redactor(["hunter2-hunter2"]), GENERAL
    yield "private keys", mask_private_keys, {repr(part): _after_a_key(part) for part in OF_A_KEY}
    yield "lacks of the environment", lambda content: environment.lacks(output_of(content, is_report=False)), GENERAL
    yield (
        "missing modules",
        lambda content: modules.unresolved(output_of(content, is_report=False), frozenset),
        GENERAL,
    )
    for name in sorted(MANIFESTS):
        yield f"detection by {name}", _detecting(name), GENERAL
    for name in TOOLS:
        yield name, _parsing(name, is_report=False), {**GENERAL, **of_tool(name)}
        yield f"{name}, report", _parsing(name, is_report=True), GENERAL


KEY_LINE = "AB8+XXybutn4HDtaeZi31vUZOFd2lbTT8hY1VHOSsdDvEzJRcI+uzewQL05tjKvK\n"
KEY_BEGIN, KEY_END = "-----BEGIN RSA PRIVATE KEY-----\n", "-----END RSA PRIVATE KEY-----\n"
OF_A_KEY = (KEY_BEGIN, KEY_END, KEY_BEGIN + KEY_LINE, KEY_LINE + KEY_END, KEY_LINE, "A ", "\\n", "\\", "----- ")


def _after_a_key(part: str) -> Family:
    return lambda size: KEY_BEGIN + part * (size // len(part)) + KEY_END


MANIFESTS = (
    "package.json",
    "pyproject.toml",
    "Makefile",
    "Gemfile",
    "go.work",
    "Cargo.toml",
    "pom.xml",
    "build.gradle",
)


def _detecting(name: str) -> Reader:
    return lambda content: detect(Snapshot((name,), {name: content}.get))


def _parsing(name: str, *, is_report: bool) -> Reader:
    return lambda content: TOOLS[name].parse(output_of(content, is_report=is_report))
