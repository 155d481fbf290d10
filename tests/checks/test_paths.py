"""Printed paths become paths of the worktree, and never leave it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput

FILES = frozenset({"services/api/a.py", "shared/b.py"})
API = ToolOutput(text="", cwd="/w/services/api", project="services/api", root="/w", exists=FILES.__contains__)
UNKNOWN = ToolOutput(text="", exists=FILES.__contains__)


@pytest.mark.parametrize(
    ("output", "printed", "path"),
    [
        (API, "a.py", "services/api/a.py"),
        (API, "./a.py", "services/api/a.py"),
        (API, "/w/services/api/a.py", "services/api/a.py"),
        (API, "file:///w/shared/b.py", "shared/b.py"),
        (API, "shared/b.py", "shared/b.py"),
        (API, "../../shared/b.py", "shared/b.py"),
        (API, "gone.py", "services/api/gone.py"),
        (API, "../../../etc/passwd", None),
        (API, "/etc/passwd", None),
        (API, "/w/../etc/passwd", None),
        (API, "/wide/a.py", None),
        (API, "", None),
        (API, "a\0b", None),
        (API, "a" * 5_000, None),
        (UNKNOWN, "/home/runner/work/x/x/services/api/a.py", "services/api/a.py"),
        (UNKNOWN, "/usr/lib/python3/os.py", None),
    ],
)
def test_a_printed_path_is_found(output: ToolOutput, printed: str, path: str | None) -> None:
    assert locate(output, printed) == path


@given(st.lists(st.sampled_from(["..", ".", "a", "/", "w", "services", "~", "file://", "\0", "\ud800"]), max_size=12))
def test_no_path_leaves_the_worktree(parts: list[str]) -> None:
    path = locate(API, "/".join(parts))
    assert path is None or (not path.startswith(("/", "..")) and "/../" not in path)
