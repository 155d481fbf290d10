"""A test that fails may not wait for a process that nobody ends."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.until import ended

ROOT = Path(__file__).parents[2]
SLEEPS = (sys.executable, "-c", "import time; time.sleep(3600)")


@pytest.mark.parametrize("gently", [False, True])
def test_a_process_ends_with_a_block_that_fails(gently: bool) -> None:
    process = subprocess.Popen(SLEEPS)
    with pytest.raises(ZeroDivisionError), ended(process, gently=gently):
        raise ZeroDivisionError
    assert process.returncode is not None
    assert process.returncode < 0


def waits_for_ever(source: str) -> Iterator[int]:
    """Yield the lines of `with Popen(…)`: its end waits for the process, however the block has ended."""
    for node in ast.walk(ast.parse(source)):
        for item in getattr(node, "items", ()):
            call = item.context_expr if isinstance(item, ast.withitem) else None
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("Popen"):
                yield call.lineno


def test_no_test_waits_for_a_process_for_ever() -> None:
    assert list(waits_for_ever("with subprocess.Popen(['cat']) as one:\n    pass")) == [1]
    found = {
        str(path.relative_to(ROOT)): lines
        for folder in ("tests", "bench")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "fixtures" not in path.parts and (lines := list(waits_for_ever(path.read_text())))
    }
    assert found == {}
