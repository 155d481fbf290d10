"""A short look by the coverage-guided fuzzer; `make fuzz` looks longer."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_twenty_seconds_of_fuzzing_find_nothing() -> None:
    run = subprocess.run(["make", "fuzz", "FUZZ_SECONDS=20"], cwd=ROOT, text=True, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr[-4_000:]
    assert run.stderr.count("Done ") == 2, run.stderr[-4_000:]
