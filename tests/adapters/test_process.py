"""Commands as real processes: what is seen of them, and that nothing of them is left."""

import hashlib
import sys
from pathlib import Path

import psutil
import pytest

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.model.command import CommandOutput, CommandRequest, Limit

PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture
def runner(tmp_path: Path) -> ProcessRunner:
    return ProcessRunner({"PATH": PATH, "LC_ALL": "C.UTF-8"}, tmp_path / "scratch of it")


def shell(runner: ProcessRunner, cwd: Path, line: str, **limits: float) -> CommandOutput:
    return runner.run(CommandRequest(argv=("sh", "-c", line), cwd=str(cwd), **limits))  # type: ignore[arg-type]


def python(runner: ProcessRunner, cwd: Path, code: str, **limits: float) -> CommandOutput:
    return runner.run(CommandRequest(argv=(sys.executable, "-c", code), cwd=str(cwd), **limits))  # type: ignore[arg-type]


def living(marker: str) -> list[int]:
    found = []
    for process in psutil.process_iter():
        try:
            if marker in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.mark.parametrize(
    ("line", "exit_code"),
    [
        pytest.param("exit 0", 0, id="success is zero"),
        pytest.param("exit 7", 7, id="a failure is the command's own code"),
        pytest.param("kill -SEGV $$", -11, id="a signal is negative"),
    ],
)
def test_exit_code(runner: ProcessRunner, tmp_path: Path, line: str, exit_code: int) -> None:
    output = shell(runner, tmp_path, line)
    assert (output.exit_code, output.limit, output.missing) == (exit_code, None, None)


def test_both_streams_are_one_in_the_order_of_writing(runner: ProcessRunner, tmp_path: Path) -> None:
    output = shell(runner, tmp_path, "echo one; echo two >&2; echo three")
    assert output.text == "one\ntwo\nthree\n"
    assert output.total_bytes == 14
    assert output.sha256 == hashlib.sha256(b"one\ntwo\nthree\n").hexdigest()


def test_a_command_has_no_input_and_no_terminal(runner: ProcessRunner, tmp_path: Path) -> None:
    output = shell(runner, tmp_path, "cat; test -t 1 || echo no terminal; echo x >/dev/tty || echo no tty")
    assert "no terminal" in output.text
    assert "no tty" in output.text


def test_fifty_megabytes_are_read_in_bounded_memory(runner: ProcessRunner, tmp_path: Path) -> None:
    code = "import sys\nprint('first')\nfor _ in range(50): sys.stdout.write('x' * 1_000_000)\nprint('last')"
    before = psutil.Process().memory_info().rss
    output = python(runner, tmp_path, code)
    assert output.total_bytes == 50_000_011
    assert output.head.startswith("first\n")
    assert output.tail.endswith("last\n")
    assert len(output.text) < 400_000
    assert psutil.Process().memory_info().rss - before < 20_000_000


def test_bytes_that_are_not_text_are_replaced(runner: ProcessRunner, tmp_path: Path) -> None:
    output = shell(runner, tmp_path, r"printf 'a\377\000b\303'")
    assert output.text == "a\ufffd\x00b\ufffd"


@pytest.mark.parametrize("name", ["no-such-program", "./not-executable", "./no-interpreter", "bad\0name"])
def test_a_program_that_cannot_start_is_named(runner: ProcessRunner, tmp_path: Path, name: str) -> None:
    (tmp_path / "not-executable").write_text("x")
    script = tmp_path / "no-interpreter"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    output = runner.run(CommandRequest(argv=(name,), cwd=str(tmp_path)))
    assert (output.exit_code, output.missing) == (None, name)


def test_a_folder_that_is_gone_is_named(runner: ProcessRunner, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert runner.run(CommandRequest(argv=("true",), cwd=gone)).missing == gone


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.environ.clear()
        open({ready!r}, "w").close()
        while True: time.sleep(0.01) or print({marker!r}, flush=True)
    os._exit(0)
while not os.path.exists({ready!r}): time.sleep(0.01)
print("leader", flush=True)
{end}
"""


@pytest.mark.parametrize(
    ("end", "limit", "exit_code"),
    [
        pytest.param("", None, 0, id="after the leader's normal exit"),
        pytest.param("time.sleep(60)", Limit.WALL, -9, id="after the wall-clock limit"),
    ],
)
def test_a_daemon_that_left_the_session_and_holds_the_pipe_is_ended(
    runner: ProcessRunner, tmp_path: Path, end: str, limit: Limit | None, exit_code: int
) -> None:
    marker = f"daemon-of-{tmp_path}-{exit_code}"
    code = DAEMON.format(ready=str(tmp_path / "ready"), marker=marker, end=end)
    output = python(runner, tmp_path, code, timeout_s=1.0)
    assert (output.limit, output.exit_code) == (limit, exit_code)
    assert "leader" in output.text
    assert living(marker) == []


def test_a_command_that_kills_its_warden_did_not_pass(runner: ProcessRunner, tmp_path: Path) -> None:
    marker = f"escaped-from-{tmp_path}"
    line = f"kill -9 $PPID; trap '' TERM; exec {sys.executable} -c 'import time; time.sleep(60)' '{marker}'"
    assert shell(runner, tmp_path, line).exit_code == -9
    assert living(marker) == []


def test_many_children_are_all_ended(runner: ProcessRunner, tmp_path: Path) -> None:
    marker = f"swarm-of-{tmp_path}"
    line = f"for i in 1 2 3 4 5 6 7 8; do setsid sh -c 'sleep 60 & sleep 60; : {marker}' & done; sleep 0.2"
    assert shell(runner, tmp_path, line).exit_code == 0
    assert living(marker) == []


def test_silence_is_ended_by_the_idle_limit(runner: ProcessRunner, tmp_path: Path) -> None:
    output = shell(runner, tmp_path, "echo working; sleep 60", idle_timeout_s=0.3)
    assert output.limit is Limit.IDLE
    assert output.text == "working\n"


def test_output_keeps_the_idle_limit_away(runner: ProcessRunner, tmp_path: Path) -> None:
    line = "for i in 1 2 3 4 5 6; do sleep 0.2; echo $i; done"
    assert shell(runner, tmp_path, line, idle_timeout_s=0.9).limit is None


def test_the_runs_own_time_shortens_the_limit(tmp_path: Path) -> None:
    left = iter([5.0, 5.0])
    runner = ProcessRunner({"PATH": PATH}, tmp_path / "scratch", time_left=lambda: next(left, 0.0))
    assert shell(runner, tmp_path, "sleep 60").limit is Limit.WALL


def test_cancelling_ends_the_command(tmp_path: Path) -> None:
    runner = ProcessRunner({"PATH": PATH}, tmp_path / "scratch", cancelled=(tmp_path / "stop").exists)
    assert shell(runner, tmp_path, "touch stop; sleep 60").limit is Limit.CANCELLED


def test_a_fault_in_fixloop_leaves_no_process(tmp_path: Path) -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    marker = f"left-by-{tmp_path}"
    runner = ProcessRunner({"PATH": PATH}, tmp_path / "scratch", cancelled=interrupt)
    with pytest.raises(KeyboardInterrupt):
        shell(runner, tmp_path, f"sleep 60; : {marker}")
    assert living(marker) == []


def test_an_interrupted_pipeline_sees_a_broken_pipe(runner: ProcessRunner, tmp_path: Path) -> None:
    assert shell(runner, tmp_path, "yes | head -1").text == "y\n"
