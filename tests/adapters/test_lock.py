"""One writing run per worktree; a dead one holds nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from fixloop_bot.adapters.lock import LOCK_NAME, Held, RunLock, lock_worktree
from tests.fakes.until import ended

HOLDER = """
import sys, time
from fixloop_bot.adapters.lock import lock_worktree
print(lock_worktree(sys.argv[1], run_id="theirs", since="2026-01-01T00:00:00Z"), flush=True)
sys.stdin.read()
"""


def take(folder: Path, run_id: str = "ours") -> RunLock | Held:
    return lock_worktree(str(folder), run_id=run_id, since="2026-02-02T00:00:00Z")


def test_the_second_is_told_who_has_it(tmp_path: Path) -> None:
    started = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with ended(started) as holder:
        assert holder.stdout
        assert holder.stdout.readline().startswith(b"RunLock")
        assert take(tmp_path) == Held(pid=holder.pid, run_id="theirs", since="2026-01-01T00:00:00Z")
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        lock = take(tmp_path)
        assert isinstance(lock, RunLock)
        lock.release()


def test_one_process_cannot_have_it_twice_and_can_take_it_again(tmp_path: Path) -> None:
    first = take(tmp_path, "one")
    assert isinstance(first, RunLock)
    with first:
        assert take(tmp_path, "two") == Held(pid=os.getpid(), run_id="one", since="2026-02-02T00:00:00Z")
    second = take(tmp_path, "two")
    assert isinstance(second, RunLock)
    second.release()


def test_a_child_of_the_holder_does_not_keep_it(tmp_path: Path) -> None:
    lock = take(tmp_path)
    assert isinstance(lock, RunLock)
    with ended(subprocess.Popen(["sleep", "60"], close_fds=False)):
        lock.release()
        again = take(tmp_path)
    assert isinstance(again, RunLock)
    again.release()


def test_garbage_in_the_file_is_read_as_an_unknown_holder(tmp_path: Path) -> None:
    for content in (b"", b"\xff\x00", b"[1]", b'{"pid": "x"}', b"{" * 5000):
        lock = take(tmp_path)
        assert isinstance(lock, RunLock)
        with lock:
            (tmp_path / LOCK_NAME).write_bytes(content)
            assert take(tmp_path) == Held(pid=None, run_id="", since="")


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("precious")
    (tmp_path / LOCK_NAME).symlink_to(tmp_path / "target")
    try:
        take(tmp_path)
    except OSError as error:
        refused = str(error)
    assert "symbolic links" in refused
    assert (tmp_path / "target").read_text() == "precious"
