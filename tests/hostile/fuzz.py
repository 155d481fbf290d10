"""The coverage-guided fuzzer: `python -m tests.hostile.fuzz {parsers,core} --seconds N --keep FOLDER`.

An input of the target `parsers` names its tool and what it is in its first line, `pytest text`; what is no name there
chooses one all the same, so that mutation comes to all of them. What breaks a claim, or takes longer than `LIMIT_S`
for its size, ends the run with that input kept under its target's folder; the exit status is then 1.
"""

import argparse
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["fixloop_bot"]):
    from fixloop_bot.checks.registry import TOOLS
    from tests.hostile.claims import core_claims, matcher_claims, parser_claims

from tests.hostile.found import Found
from tests.hostile.seeds import seeds

LIMIT_S = 0.1
"""Seconds of processor time that an input of any size may take."""
LIMIT_S_PER_MB = 25.0
"""The same for each megabyte more: 5 s, and what watching the coverage adds."""
MAX_BYTES = {"parsers": 100_000, "core": 6_000}
SEED_BYTES = {"parsers": 12_000, "core": 2_500}
NAMES = sorted(TOOLS)


def parsers(data: bytes) -> None:
    """Read a text or report with one parser."""
    found = _found(data)
    parser_claims(found.tool, found.content, is_report=found.is_report)


def core(data: bytes) -> None:
    """Mask, identify, shorten and redact a text; read it as a file of problem matchers."""
    content = data.decode("utf-8", errors="replace")
    core_claims(content)
    matcher_claims(content, content)


def _found(data: bytes) -> Found:
    first, _, rest = data.partition(b"\n")
    name, _, kind = first.decode("utf-8", errors="replace").partition(" ")
    tool = name if name in TOOLS else NAMES[zlib.crc32(first) % len(NAMES)]
    return Found(tool=tool, is_report=kind[:1] == "r", content=rest.decode("utf-8", errors="replace"))


TARGETS: dict[str, Callable[[bytes], None]] = {"parsers": parsers, "core": core}


class TooSlowError(Exception):
    """An input took longer than its size allows."""


def _timed(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        limit = LIMIT_S + LIMIT_S_PER_MB * len(data) / 1e6
        if _took(target, data) > limit and (again := _took(target, data)) > limit:
            raise TooSlowError(f"{again:.1f} s for {len(data):,} bytes")

    return run


def _took(target: Callable[[bytes], None], data: bytes) -> float:
    started = time.process_time()
    target(data)
    return time.process_time() - started


def _sow(target: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        head = f"{seed.tool} {'report' if seed.is_report else 'text'}\n" if target == "parsers" else ""
        (folder / f"seed-{number}").write_bytes((head + seed.content).encode()[: SEED_BYTES[target]])


def _words(path: Path) -> None:
    """Write libFuzzer's dictionary: the beginnings of the lines that the tools print."""
    said = {line.strip()[:16] for seed in seeds() for line in seed.content.split("\n")[:60]}
    words = {"".join(char for char in word if " " <= char <= "~") for word in said}
    escaped = (word.replace("\\", "\\\\").replace('"', '\\"') for word in sorted(words) if len(word) > 3)
    path.write_text("".join(f'"{word}"\n' for word in list(escaped)[:2_000]), encoding="ascii")


def main() -> None:
    """Run one target for some seconds; the inputs that it learned stay beside the seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="for inputs learned and faults found")
    given = parser.parse_args()
    corpus, faults = given.keep / given.target / "inputs", given.keep / given.target / "faults"
    _sow(given.target, corpus)
    faults.mkdir(parents=True, exist_ok=True)
    _words(given.keep / "words")
    atheris.Setup(
        [
            sys.argv[0],
            str(corpus),
            f"-max_total_time={given.seconds}",
            f"-max_len={MAX_BYTES[given.target]}",
            f"-artifact_prefix={faults}/",
            f"-dict={given.keep / 'words'}",
            "-timeout=60",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
            "-verbosity=1",
        ],
        _timed(TARGETS[given.target]),
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
