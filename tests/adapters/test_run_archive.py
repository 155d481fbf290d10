"""A run's records as bytes: whole on the other machine, and nothing but this run's."""

import io
import tarfile
from pathlib import Path

import pytest

from fixloop_bot.adapters.run_archive import BrokenArchiveError, pack_run, unpack_run
from fixloop_bot.adapters.state_folder import StateFolder, open_state_folder

RUN = "20260101T000000-abcdef01-run"
FILES = {
    f"runs/{RUN}/state.json": b"{}",
    f"runs/{RUN}/commits.pack": b"PACK\0\xff",
    f"receipts/{RUN}.jsonl": b"paid",
    f"receipts/{RUN}.transcript.jsonl": b"said",
    f"repair/{RUN}-1.json": b"tried",
}
OTHERS = {"runs/other/state.json": b"{}", "repair/other-1.json": b"x", "RUNLOG.md": b"log", "run-state.db": b"db"}


def folder(path: Path, files: dict[str, bytes]) -> StateFolder:
    made = open_state_folder(path)
    for name, content in files.items():
        (made.root / name).parent.mkdir(parents=True, exist_ok=True)
        (made.root / name).write_bytes(content)
    return made


def found(made: StateFolder) -> dict[str, bytes]:
    return {
        path.relative_to(made.root).as_posix(): path.read_bytes() for path in made.root.rglob("*") if path.is_file()
    }


def archive(entries: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as opened:
        for name, content in entries.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.size, entry.linkname = kind, len(content), "/etc/passwd"
            opened.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def test_one_run_arrives_whole_and_alone(tmp_path: Path) -> None:
    here, there = folder(tmp_path / "here", {**FILES, **OTHERS}), folder(tmp_path / "there", {})
    unpack_run(there, RUN, pack_run(here, RUN))
    assert found(there) == FILES


def test_a_newer_archive_replaces_an_older_one(tmp_path: Path) -> None:
    here, there = folder(tmp_path / "here", FILES), folder(tmp_path / "there", OTHERS)
    unpack_run(there, RUN, pack_run(here, RUN))
    here.state(RUN).write_bytes(b"{1}")
    unpack_run(there, RUN, pack_run(here, RUN))
    assert found(there) == {**FILES, **OTHERS, f"runs/{RUN}/state.json": b"{1}"}


@pytest.mark.parametrize(
    "name",
    [
        f"runs/{RUN}/../../RUNLOG.md",
        "runs/other/state.json",
        "/etc/passwd",
        "../outside",
        f"receipts/{RUN}/deep.jsonl",
        "repair/other-1.json",
        "run-state.db",
        "",
    ],
)
def test_an_archive_with_a_file_of_something_else_writes_nothing(tmp_path: Path, name: str) -> None:
    there = folder(tmp_path / "there", {})
    with pytest.raises(BrokenArchiveError):
        unpack_run(there, RUN, archive({f"runs/{RUN}/state.json": b"{}", name: b"x"}))
    assert found(there) == {}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_an_archive_with_links_or_devices_writes_nothing(tmp_path: Path, kind: bytes) -> None:
    there = folder(tmp_path / "there", {})
    with pytest.raises(BrokenArchiveError):
        unpack_run(there, RUN, archive({f"runs/{RUN}/state.json": b""}, kind))
    assert found(there) == {}


@pytest.mark.parametrize("damage", [b"", b"no archive", b"\x1f\x8b\x08"])
def test_bytes_that_are_no_archive_are_told_of(tmp_path: Path, damage: bytes) -> None:
    with pytest.raises(BrokenArchiveError):
        unpack_run(folder(tmp_path / "there", {}), RUN, damage)


def test_an_archive_that_was_cut_off_writes_nothing(tmp_path: Path) -> None:
    there = folder(tmp_path / "there", {})
    with pytest.raises(BrokenArchiveError):
        unpack_run(there, RUN, pack_run(folder(tmp_path / "here", FILES), RUN)[:-40])
    assert found(there) == {}
