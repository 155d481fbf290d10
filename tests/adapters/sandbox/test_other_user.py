"""A user of their own for commands: what that user cannot do. Needs root."""

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.box import READ_SEARCH, Box
from fixloop_bot.adapters.sandbox.paths import SYSTEM
from tests.adapters.sandbox.locked import box, run, status

UID = 10_999


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder of the user's, with every folder above it open to pass."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    closed = [part for part in tmp_path.parents if not part.stat().st_mode & stat.S_IXOTH]
    for part in (tmp_path, *closed):
        part.chmod(part.stat().st_mode | stat.S_IXOTH)
    os.chown(folder, UID, UID)
    yield folder
    for part in closed:
        part.chmod(0o700)


def test_the_user_is_another_in_every_respect(scratch: Path) -> None:
    seen = status(run(Box(uid=UID), scratch, "cat /proc/self/status"))
    assert (seen["Uid"], seen["Gid"], seen["Groups"]) == (f"{UID} {UID} {UID} {UID}", f"{UID} {UID} {UID} {UID}", "")
    assert {seen[name] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd")} == {"0" * 16}


def test_roots_files_sockets_and_processes_are_out_of_its_reach(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "secret").write_text("the secret")
    (tmp_path / "secret").chmod(0o600)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "docker.sock"))
        server.listen()
        (tmp_path / "docker.sock").chmod(0o660)
        connect = f"import socket; socket.socket(socket.AF_UNIX).connect('{tmp_path}/docker.sock')"
        lines = [f"cat '{tmp_path}/secret'", f"kill -CONT {os.getpid()}", f'python3 -c "{connect}"', "cat /etc/shadow"]
        output = run(Box(uid=UID), scratch, "; ".join(f"{line} || echo refused" for line in lines))
    assert output.text.count("refused") == len(lines), output.text


def test_a_reader_reads_what_is_named_and_nothing_else_of_roots(tmp_path: Path, scratch: Path) -> None:
    for name in ("toolchain", "private"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "file").write_text(f"what {name} holds")
        (tmp_path / name / "file").chmod(0o600)
    readable = (*SYSTEM, str(tmp_path / "toolchain"))
    held = Box(uid=UID, reader=True, readable=readable, writable=(str(scratch),), landlock=True, seccomp=True)
    tools = tmp_path / "toolchain" / "file"
    line = f"cat '{tools}' '{tmp_path}/private/file' /etc/shadow; echo x >>'{tools}'; cat /proc/self/status"
    output = run(held, scratch, line)
    assert "what toolchain holds" in output.text
    assert "what private holds" not in output.text
    assert "root:" not in output.text
    assert (tmp_path / "toolchain" / "file").read_text() == "what toolchain holds"
    seen = status(output)
    assert {int(seen[name], 16) for name in ("CapEff", "CapPrm", "CapAmb")} == {1 << READ_SEARCH}


def test_processes_are_counted_for_the_user_alone_and_all_end(scratch: Path) -> None:
    line = "n=0; while [ $n -lt 200 ]; do sleep 60 & n=$((n+1)); done; echo all"
    output = run(box(scratch, uid=UID, NPROC=50), scratch, line)
    assert "all" not in output.text.splitlines()
    alive = run(None, scratch, f"ps -o pid= -u {UID} | wc -l")
    assert alive.text.strip() in ("0", ""), "none of them is left"
