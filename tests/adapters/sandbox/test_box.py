"""A box holds: asked of the kernel by a command in it. As whichever user runs the tests."""

import os
import resource
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.process import LockedOutError, ProcessRunner
from fixloop_bot.adapters.sandbox import landlock, seccomp
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.model.command import CommandRequest
from tests.adapters.sandbox.locked import box, run, status

PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "the scratch"
    folder.mkdir()
    return folder


def test_the_kernel_of_the_tests_has_what_is_tested() -> None:
    assert landlock.abi() >= 1, "the sandbox's tests need Linux with Landlock"
    assert seccomp.is_available()


def test_a_command_in_a_box_gains_no_privileges_and_has_no_capabilities(scratch: Path) -> None:
    seen = status(run(box(scratch), scratch, "cat /proc/self/status"))
    assert (seen["NoNewPrivs"], seen["Seccomp"]) == ("1", "2")
    assert (seen["CapEff"], seen["CapPrm"], seen["CapInh"], seen["CapAmb"]) == ("0000000000000000",) * 4
    assert seen["CapBnd"] == "0000000000000000" or os.geteuid() != 0


def test_without_a_box_nothing_is_taken_away(scratch: Path) -> None:
    assert status(run(None, scratch, "cat /proc/self/status"))["NoNewPrivs"] == "0"


def test_files_outside_of_a_box_are_neither_read_nor_written(tmp_path: Path, scratch: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    secret.chmod(0o666)
    lines = [
        f"cat '{secret}'",
        f"echo x >>'{secret}'",
        f"mv '{secret}' .",
        f"echo x >'{tmp_path}/new'",
        f"ls '{tmp_path}'",
    ]
    output = run(box(scratch), scratch, "; ".join(f"{line} || echo refused" for line in lines))
    assert output.text.count("refused") == len(lines), output.text
    assert "the secret" not in output.text
    assert secret.read_text() == "the secret"
    assert not (tmp_path / "new").exists()


def test_a_link_out_of_a_box_leads_nowhere(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "secret").write_text("the secret")
    (scratch / "link").symlink_to(tmp_path / "secret")
    assert "the secret" not in run(box(scratch), scratch, "cat link; cat ./link; ln link hard; cat hard").text


def test_inside_a_box_everything_can_be_done_with_files(scratch: Path) -> None:
    line = "mkdir -p a/b && echo x >a/b/c && mv a/b/c a/d && ln -s d a/l && ln a/d a/h && : >a/d && rm -r a && mkfifo f"
    output = run(box(scratch), scratch, f"{line} && echo x >/dev/null && head -c 4 /dev/urandom >r && echo fine")
    assert output.text == "fine\n"


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5); print('connected')"
SEND = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9)); print('sent')"
NEAR = "import socket; socket.socketpair(); socket.socket(socket.AF_UNIX).bind('s'); print('near')"


def test_the_network_is_there_or_is_not(scratch: Path, port: int) -> None:
    line = f'{PYTHON} -c "{CONNECT}" {port}; {PYTHON} -c "{SEND}"; {PYTHON} -c "{NEAR}"'
    open_, shut = run(box(scratch), scratch, line), run(box(scratch, network=False), scratch, f"rm s; {line}")
    assert [line for line in open_.text.splitlines() if " " not in line] == ["connected", "sent", "near"]
    assert [line for line in shut.text.splitlines() if " " not in line] == ["near"]


@pytest.mark.parametrize(
    ("limits", "line", "word"),
    [
        pytest.param({"FSIZE": 1_000_000}, "head -c 9000000 /dev/zero >big; stat -c %s big", "1000000", id="a file"),
        pytest.param(
            {"DATA": 100_000_000}, f"{PYTHON} -c 'bytearray(400_000_000)'", "MemoryError", id="memory of a process"
        ),
        pytest.param({"CORE": 0}, "ulimit -c", "0", id="core dumps"),
        pytest.param({"NOFILE": 64}, "ulimit -n; ulimit -Hn", "64\n64", id="open files"),
    ],
)
def test_limits_hold(scratch: Path, limits: dict[str, int], line: str, word: str) -> None:
    assert word in run(replace(box(scratch), limits=limits), scratch, line).text


def test_a_limit_above_the_systems_own_is_the_systems(scratch: Path) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert run(box(scratch, NOFILE=1 << 40), scratch, "ulimit -Hn").text.strip() in (
        str(hard),
        "unlimited",
        str(1 << 40),
    )


def test_a_box_that_cannot_be_entered_runs_nothing(scratch: Path) -> None:
    with pytest.raises(LockedOutError, match="could not be entered"):
        run(Box(limits={"NOFILE": -5}), scratch, "touch ran")
    assert not (scratch / "ran").exists()


def test_signals_reach_nobody_outside(scratch: Path) -> None:
    line = f"kill -CONT {os.getpid()} && echo reached; kill -CONT $PPID && echo reached; sleep 9 & kill $! && echo own"
    assert landlock.abi() < landlock.SCOPE_ABI or run(box(scratch), scratch, line).text.splitlines()[-1:] == ["own"]


def test_many_commands_share_one_host_and_one_that_kills_it_harms_no_other(scratch: Path) -> None:
    runner = ProcessRunner({"PATH": "/usr/bin:/bin"}, scratch)
    where = "read x x x host x </proc/$PPID/stat; echo $host"

    def said(line: str) -> str:
        return runner.run(CommandRequest(argv=("sh", "-c", line), cwd=str(scratch))).text.strip()

    first = said(where)
    assert first == said(where)
    said(f"kill -9 {first}; sleep 0.1")
    assert said(where) not in ("", first)
    runner.close()
