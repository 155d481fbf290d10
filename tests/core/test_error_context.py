"""Tests of what failed jobs and checks come to as one text."""

import pytest

from fixloop_bot.core.error_context import job_text, join_context
from fixloop_bot.model.forge import FailedCheck, JobLog

STAMP = "2026-11-30T12:00:00.1234567Z "


@pytest.mark.parametrize(
    ("log", "text"),
    [
        pytest.param(f"{STAMP}E   assert 1\n", "E   assert 1\n", id="time stamps go"),
        pytest.param(f"\ufeff{STAMP}first", "first", id="the runner's byte order mark goes"),
        pytest.param(f"{STAMP}##[group]Run pytest\n{STAMP}ok\n{STAMP}##[endgroup]", "ok", id="the runner's marks go"),
        pytest.param(f"{STAMP}##[error]Process completed", "Process completed", id="an error keeps its words"),
        pytest.param("a\r\nb\r", "a\nb", id="Windows line ends"),
        pytest.param(f"{STAMP}at {STAMP.strip()} it failed", f"at {STAMP.strip()} it failed", id="one stamp"),
        pytest.param("", "", id="an empty log"),
    ],
)
def test_a_log_is_what_its_commands_printed(log: str, text: str) -> None:
    assert job_text(log) == text


def test_each_text_stands_under_its_name() -> None:
    checks = [FailedCheck(name="other", conclusion="failure", title="1 failed", summary="app.py:1: no", text="")]
    assert (
        join_context([JobLog(name="test", conclusion="failure", text=f"{STAMP}E")], checks)
        == "test\nE\n\nother\n1 failed\napp.py:1: no"
    )


def test_nothing_failed_is_no_context() -> None:
    assert join_context([], []) == ""
