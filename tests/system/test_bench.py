"""The benchmark of large logs in its small form: what it must keep is checked, how long it takes only shown."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_MB = 60


def test_fifty_megabytes_of_log_keep_the_assertion_within_bounded_memory() -> None:
    argv = [sys.executable, "-m", "bench", "log", "--small", "--no-page"]
    run = subprocess.run(argv, cwd=ROOT, text=True, capture_output=True, check=False)
    print(run.stdout)
    assert run.returncode == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 6
    assert {row[-1] for row in rows} == {"yes"}
    assert all(int(row[-2].removesuffix(" MB")) < MAX_MB for row in rows)
