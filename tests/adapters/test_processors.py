"""How many processors there are to use."""

import os
from pathlib import Path

import pytest

from fixloop_bot.adapters.processors import processors


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        pytest.param("max 100000\n", None, id="no share is set"),
        pytest.param("100000 100000\n", 1, id="a share of one"),
        pytest.param("150000 100000\n", 1, id="one and a half runs one"),
        pytest.param("5000 100000\n", 1, id="never none"),
        pytest.param("99900000 100000\n", None, id="a share of more than there are"),
        pytest.param("what is this", None, id="no quota at all"),
        pytest.param("1 0\n", None, id="no period"),
    ],
)
def test_the_control_group_s_share_bounds_them(tmp_path: Path, quota: str, expected: int | None) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    assert processors(tmp_path / "cpu.max") == (expected or len(os.sched_getaffinity(0)))


def test_without_control_groups_they_are_those_that_it_may_run_on(tmp_path: Path) -> None:
    assert processors(tmp_path / "none") == len(os.sched_getaffinity(0))
