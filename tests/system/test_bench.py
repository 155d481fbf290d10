"""Benchmarks in their small form: what they must keep is checked, how long it takes only shown."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_MB = 60


def rows_of(bench: str) -> list[list[str]]:
    """Return the rows of a benchmark's table, without its head."""
    argv = [sys.executable, "-m", "bench", bench, "--small", "--no-page"]
    run = subprocess.run(argv, cwd=ROOT, text=True, capture_output=True, check=False)
    print(run.stdout)
    assert run.returncode == 0, run.stderr
    return [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| ")][2:]


def test_fifty_megabytes_of_log_keep_the_assertion_within_bounded_memory() -> None:
    rows = rows_of("log")
    assert len(rows) == 6
    assert {row[-1] for row in rows} == {"yes"}
    assert all(int(row[-2].removesuffix(" MB")) < MAX_MB for row in rows)


def test_branches_at_once_and_one_after_the_other_are_all_repaired() -> None:
    rows = rows_of("sweep")
    assert [row[0] for row in rows[:3]] == [
        "a sweep of one branch",
        "a sweep of 2 branches at once",
        "a sweep of 2 branches, `--at-once 1`",
    ]
    assert len(rows) == 7


def test_a_validation_stays_small_and_every_story_ends_done() -> None:
    rows = {row[0]: row[1:] for row in rows_of("overhead")}
    assert {"one attempt", "two attempts", "three attempts", "another attempt"} <= rows.keys()
    assert int(rows["`fixloop validate`, green"][-1].removesuffix(" MB")) < MAX_MB


def test_a_small_repair_keeps_to_its_characters_and_its_memory_and_believes_nothing() -> None:
    rows = {row[0]: row[1] for row in rows_of("peers")}
    assert rows["model calls"] == "1"
    assert int(rows["characters in all"].replace(",", "")) <= 2_560
    for noise in ("20,000 lines", "a log of 50 MB"):
        assert int(rows[f"more characters with {noise}"].replace(",", "")) <= 8_000
        assert rows[f"the assertion, with {noise}"] == "sent"
    assert int(rows["own process while validating a log of 50 MB, no SDK"].removesuffix(" MB")) < MAX_MB
    assert rows["a lie"].startswith("BLOCKED")
    assert rows["a changed test"].startswith("BLOCKED")
