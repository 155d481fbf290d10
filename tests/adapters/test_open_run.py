"""The note on an unfinished run: read as it was written, and whatever else lies there is no note."""

import os
from pathlib import Path

import pytest

from fixloop_bot.adapters.open_run import NAME, OpenRun, forget_open_run, note_open_run, read_open_run


def test_it_is_there_until_it_is_forgotten(tmp_path: Path) -> None:
    run = OpenRun("r1", "/a folder/caf\udce9")
    assert read_open_run(str(tmp_path)) is None
    note_open_run(str(tmp_path), OpenRun("r0", "/"))
    note_open_run(str(tmp_path), run)
    assert read_open_run(str(tmp_path)) == run
    forget_open_run(str(tmp_path))
    forget_open_run(str(tmp_path))
    assert read_open_run(str(tmp_path)) is None


@pytest.mark.parametrize("content", [b"", b"\xff\0", b"[]", b'{"run_id": 1, "state_dir": "/"}', b"[" * 15_000])
def test_garbage_is_no_note(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    assert read_open_run(str(tmp_path)) is None


def test_neither_a_link_nor_a_pipe_is_read(tmp_path: Path) -> None:
    note_open_run(str(tmp_path), OpenRun("r1", "/"))
    (tmp_path / NAME).rename(tmp_path / "elsewhere")
    (tmp_path / NAME).symlink_to("elsewhere")
    assert read_open_run(str(tmp_path)) is None
    (tmp_path / NAME).unlink()
    os.mkfifo(tmp_path / NAME)
    assert read_open_run(str(tmp_path)) is None
