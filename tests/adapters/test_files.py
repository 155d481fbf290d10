"""Files are whole or absent, whatever the disk does."""

import subprocess
import sys
from pathlib import Path

import pytest

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.runlog import append_once

FULL = """
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
{action}
"""


def on_a_full_disk(action: str, *arguments: str) -> str:
    """Run an action in a process that may write 100 bytes a file; return its error."""
    done = subprocess.run(
        [sys.executable, "-c", FULL.format(action=action), *arguments], capture_output=True, check=False
    )
    assert done.returncode == 1
    return done.stderr.decode().splitlines()[-1]


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "new folder" / "file"
    write_durably(target, b"one")
    write_durably(target, b"two")
    assert target.read_bytes() == b"two"
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_a_full_disk_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    action = "from fixloop_bot.adapters.files import write_durably; write_durably(Path(sys.argv[1]), b'x' * 200)"
    assert "OSError" in on_a_full_disk(action, str(target))
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_the_log_without_half_a_line(tmp_path: Path) -> None:
    log = tmp_path / "RUNLOG.md"
    append_once(log, "first `r-1`", mark="`r-1`", title="Run log")
    before = log.read_bytes()
    action = (
        "from fixloop_bot.adapters.runlog import append_once;"
        "append_once(Path(sys.argv[1]), 'x' * 200, mark='`r-2`', title='Run log')"
    )
    assert "OSError" in on_a_full_disk(action, str(log))
    assert log.read_bytes() == before


def test_a_line_is_added_once_and_is_one_line(tmp_path: Path) -> None:
    log = tmp_path / "RUNLOG.md"
    for _ in range(2):
        append_once(log, "`r-1` said\n# a heading\r\n\tand more", mark="`r-1`", title="Run log")
    append_once(log, "`r-11` other", mark="`r-11`", title="Run log")
    assert log.read_text() == "# Run log\n\n- `r-1` said # a heading and more\n- `r-11` other\n"


def test_a_line_torn_by_a_crash_does_not_count(tmp_path: Path) -> None:
    log = tmp_path / "RUNLOG.md"
    log.write_text("# Run log\n\n- `r-1` to")
    append_once(log, "`r-1` whole", mark="`r-1`", title="Run log")
    assert log.read_text() == "# Run log\n\n- `r-1` to\n- `r-1` whole\n"


def test_many_processes_lose_no_line(tmp_path: Path) -> None:
    log = tmp_path / "RUNLOG.md"
    script = (
        "import sys; from pathlib import Path; from fixloop_bot.adapters.runlog import append_once\n"
        "marks = [f'`{sys.argv[2]}-{n}`' for n in range(20)]\n"
        "for mark in marks: append_once(Path(sys.argv[1]), mark, mark=mark, title='T')"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(log), name]) for name in "abc"]
    assert [process.wait() for process in running] == [0, 0, 0]
    lines = log.read_text().splitlines()
    assert lines[:2] == ["# T", ""]
    assert sorted(lines[2:]) == sorted(f"- `{name}-{n}`" for name in "abc" for n in range(20))


def test_a_folder_in_the_place_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken" / "x").mkdir(parents=True)
    with pytest.raises(OSError, match="taken"):
        write_durably(tmp_path / "taken", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
