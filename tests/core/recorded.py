"""Whole texts recorded as golden files; run with `FIXLOOP_GOLDEN=write` to record them again."""

import os
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def assert_recorded(name: str, text: str) -> None:
    """Fail unless `text` is, byte for byte, what the golden file `name` holds."""
    golden = GOLDEN / name
    if os.environ.get("FIXLOOP_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode()
