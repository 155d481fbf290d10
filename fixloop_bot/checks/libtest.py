"""What Rust's test binaries print under `cargo test`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import text

_RUNNING = re.compile(r"^ +Running (\S.*)\)$")
_DOC = re.compile(r"^ +Doc-tests (\S+)$")
_RESULT = re.compile(r"^test (\S.*?) \.\.\. (?:(ok|FAILED|ignored)\b.*)?$")
_TOTALS = re.compile(r"^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;")
_BLOCK = re.compile(r"^---- (\S.*) (?:stdout|stderr) ----$")
_LISTED = re.compile(r"^ {4}(\S.*)$")
_FAILURES = "failures:"
"""Heads what failed tests printed, and then the list of their names."""
_NOTE = re.compile(r" - (?:should panic|compile fail|compile)$")
_DOC_LINE = re.compile(r" \(line (\d{1,8})\)$")
_ENDED = re.compile(r"^  process didn't exit successfully: `[^`\n]*` \(([^\n]+)\)$")
_OVERFLOW = re.compile(r"^thread '([^'\n]+)' (?:\(\d+\) )?has overflowed its stack$")
_HASH = re.compile(r"-[0-9a-f]{16}$")


@dataclass(slots=True)
class Binary:
    """One test binary's run."""

    crate: str = ""
    source: str = ""
    """Path that cargo names beside it: `src/lib.rs`."""
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    executed: int | None = None
    """As its last line says; None: it never came to it."""
    blocks: dict[str, list[str]] = field(default_factory=dict)
    """What failed tests printed."""
    pending: str = ""
    """A test whose verdict never came."""
    ended: str = ""
    """How it died: `signal: 6, SIGABRT: process abort signal`."""
    lines: list[str] = field(default_factory=list)
    """What belongs to no block."""


def read(lines: Sequence[str]) -> tuple[list[Binary], list[str]]:
    """Return the binaries in order, and the lines outside of their runs: those of compiler and cargo."""
    binaries: list[Binary] = []
    rest: list[str] = []
    inside = False
    block: list[str] | None = None
    for line in lines:
        begun = _begun(line)
        if begun:
            binaries.append(begun)
            inside, block = True, None
        elif not inside:
            rest.append(line)
            _note_end(binaries, line)
        else:
            block = _take(binaries[-1], line, block)
            inside = not _closes(line)
    for binary in binaries:
        _settle(binary)
    return binaries, rest


def _begun(line: str) -> Binary | None:
    if found := _RUNNING.match(line):
        source, bracket, target = found[1].rpartition("(")
        name = _HASH.sub("", target.rpartition("/")[2])
        return Binary(name, source.removeprefix("unittests").strip()) if bracket else None
    found = _DOC.match(line)
    return Binary(found[1]) if found else None


def _closes(line: str) -> bool:
    return line.startswith(("test result: ", "error: test failed", "error: doctest failed", "error: process didn't"))


def _take(binary: Binary, line: str, block: list[str] | None) -> list[str] | None:
    """Take one line of a binary's run; return the block that is open after it."""
    if totals := _TOTALS.match(line):
        binary.executed = int(totals[1]) + int(totals[2])
    elif head := _BLOCK.match(line):
        return binary.blocks.setdefault(head[1], [])
    elif line == _FAILURES:
        binary.lines.append(line)
    elif block is not None:
        block.append(line)
        return block
    elif found := _RESULT.match(line):
        _judge(binary, _NOTE.sub("", found[1]), found[2])
    else:
        binary.lines.append(line)
    return None


def _judge(binary: Binary, name: str, verdict: str | None) -> None:
    names = {"ok": binary.passed, "FAILED": binary.failed, "ignored": binary.skipped}
    binary.pending = "" if verdict else name
    if verdict:
        names[verdict].append(name)


def _note_end(binaries: list[Binary], line: str) -> None:
    ended = _ENDED.match(line)
    if ended and binaries and binaries[-1].executed is None:
        binaries[-1].ended = ended[1]


def _settle(binary: Binary) -> None:
    """Add the failed tests that only the list at the end or a block names, as with `--quiet` or `--nocapture`."""
    listed = _listed(binary.lines) if binary.executed else []
    known = {*binary.passed, *binary.failed, *binary.skipped}
    binary.failed += [name for name in dict.fromkeys([*binary.blocks, *listed]) if name not in known]
    overflown = next((found[1] for line in binary.lines if (found := _OVERFLOW.match(line))), "")
    binary.pending = overflown or binary.pending


def _listed(lines: Sequence[str]) -> list[str]:
    """Return the names below the last `failures:`."""
    start = max((n for n, line in enumerate(lines) if line == _FAILURES), default=len(lines))
    return [found[1] for line in lines[start + 1 :] if (found := _LISTED.match(line))]


def stable_names(binary: Binary, taken: set[str]) -> dict[str, str]:
    """Return each printed name → one that no line number is part of and that no earlier binary used.

    Of several doctests of one item the later ones are numbered; `taken` grows by the new names.
    """
    printed = {*binary.passed, *binary.failed, *binary.skipped, *binary.blocks, binary.pending} - {""}
    names: dict[str, str] = {}
    seen: dict[str, int] = {}
    for name in sorted(printed, key=_by_line):
        bare = _DOC_LINE.sub("", name)
        unique = bare if bare not in taken else f"{binary.crate}::{bare}"
        seen[unique] = seen.get(unique, 0) + 1
        names[name] = unique if seen[unique] == 1 else f"{unique} #{seen[unique]}"
    taken.update(names.values())
    return names


def _by_line(name: str) -> tuple[str, int]:
    found = _DOC_LINE.search(name)
    return (_DOC_LINE.sub("", name), text.number(found[1]) or 0 if found else 0)


def doc_place(name: str) -> tuple[str, str] | None:
    """Return path and line of a doctest from its name, None for any other test."""
    found = _DOC_LINE.search(name)
    return (name.partition(" - ")[0], found[1]) if found and " - " in name else None


def results(binaries: Sequence[Binary]) -> Iterator[tuple[Binary, dict[str, str]]]:
    """Yield each binary with the stable names of its tests."""
    taken: set[str] = set()
    for binary in binaries:
        yield binary, stable_names(binary, taken)
