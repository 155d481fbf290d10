"""Commands side by side, as real processes: what one of them does, or is denied, is nothing to the others."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.processors import processors
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.model.command import CommandOutput, CommandRequest, Limit
from tests.adapters.test_process import PATH, living

needs_two = pytest.mark.skipif(processors() < 2, reason="one processor runs one command at a time")
MEETS = "touch {own}; while [ ! -e {other} ]; do sleep 0.02; done; echo {own} met {other}"


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[ProcessRunner]:
    made = ProcessRunner({"PATH": PATH}, tmp_path / "scratch")
    yield made
    made.close()


def together(
    runner: ProcessRunner, cwd: Path, *lines: str, at_once: int | None = None, **limits: float
) -> tuple[CommandOutput, ...]:
    requests = [CommandRequest(argv=("sh", "-c", line), cwd=str(cwd), **limits) for line in lines]  # type: ignore[arg-type]
    return runner.run_all(requests, at_once=at_once)


@needs_two
def test_they_are_under_way_at_the_same_time(runner: ProcessRunner, tmp_path: Path) -> None:
    lines = [MEETS.format(own=own, other=other) for own, other in (("a", "b"), ("b", "a"))]
    outputs = together(runner, tmp_path, *lines, timeout_s=60)
    assert [(one.exit_code, one.limit, one.text) for one in outputs] == [(0, None, "a met b\n"), (0, None, "b met a\n")]


def test_outputs_come_in_the_order_of_the_requests_whoever_ends_first(runner: ProcessRunner, tmp_path: Path) -> None:
    lines = [f"sleep {wait}; echo {number}; exit {number}" for number, wait in enumerate((0.3, 0, 0.1, 0, 0.05))]
    outputs = together(runner, tmp_path, *lines)
    assert [(one.text, one.exit_code) for one in outputs] == [(f"{number}\n", number) for number in range(5)]
    assert together(runner, tmp_path) == ()


def test_no_more_are_under_way_than_is_said(runner: ProcessRunner, tmp_path: Path) -> None:
    line = "mkdir here || exit 1; sleep 0.1; rmdir here"
    assert [one.exit_code for one in together(runner, tmp_path, *[line] * 3, at_once=1)] == [0, 0, 0]


@needs_two
def test_the_limit_of_one_ends_it_and_its_daemons_alone(runner: ProcessRunner, tmp_path: Path) -> None:
    daemon = f"setsid sleep 97531 & echo daemon; touch '{tmp_path}/up'; sleep 97531"
    goes_on = f"while [ ! -e '{tmp_path}/up' ]; do sleep 0.02; done; sleep 1.5; echo all of it"
    requests = [
        CommandRequest(argv=("sh", "-c", daemon), cwd=str(tmp_path), timeout_s=0.8),
        CommandRequest(argv=("sh", "-c", goes_on), cwd=str(tmp_path), timeout_s=60),
    ]
    cut, whole = runner.run_all(requests)
    assert (cut.limit, cut.text) == (Limit.WALL, "daemon\n")
    assert (whole.limit, whole.exit_code, whole.text) == (None, 0, "all of it\n")
    assert living("sleep 97531") == []


@needs_two
def test_one_that_cannot_start_says_so_and_the_other_runs(runner: ProcessRunner, tmp_path: Path) -> None:
    requests = [CommandRequest(argv=(name,), cwd=str(tmp_path)) for name in ("no-such-program", "true")]
    lacking, fine = runner.run_all(requests)
    assert (lacking.exit_code, lacking.missing) == (None, "no-such-program")
    assert (fine.exit_code, fine.missing) == (0, None)


@needs_two
def test_fifty_megabytes_of_one_keep_nothing_from_the_other(runner: ProcessRunner, tmp_path: Path) -> None:
    loud, quiet = together(runner, tmp_path, "head -c 50000000 /dev/zero | tr '\\0' x", "echo quiet")
    assert (loud.total_bytes, quiet.text) == (50_000_000, "quiet\n")


def test_an_interrupt_leaves_none_of_them(tmp_path: Path) -> None:
    asked = iter([False] * 4)

    def cancelled() -> bool:
        if next(asked, None) is None:
            raise KeyboardInterrupt
        return False

    runner = ProcessRunner({"PATH": PATH}, tmp_path / "scratch", cancelled=cancelled)
    with pytest.raises(KeyboardInterrupt):
        together(runner, tmp_path, "sleep 86420", "sleep 86420")
    assert living("sleep 86420") == []
    runner.close()


@needs_two
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may change users")
def test_one_user_s_commands_end_each_for_itself_and_a_fork_bomb_ends(tmp_path: Path) -> None:
    uid, scratch = 10_998, tmp_path / "theirs"
    scratch.mkdir()
    for part in [part for part in tmp_path.parents if not part.stat().st_mode & 1] + [tmp_path]:
        part.chmod(part.stat().st_mode | 1)
    os.chown(scratch, uid, uid)
    runner = ProcessRunner({"PATH": PATH}, scratch, box=Box(uid=uid, limits={"NPROC": 200}))
    daemon = "setsid sleep 24681 & touch up; echo started"
    goes_on = "while [ ! -e up ]; do sleep 0.02; done; sleep 1; echo all of it"
    first, second = together(runner, scratch, daemon, goes_on, timeout_s=60)
    assert (first.exit_code, first.text) == (0, "started\n")
    assert (second.exit_code, second.text) == (0, "all of it\n")
    assert living("sleep 24681") == []
    bomb = "echo 'sh bomb.sh & sh bomb.sh &' >bomb.sh; sh bomb.sh 2>/dev/null; sleep 1"
    together(runner, scratch, bomb, "sleep 0.1", timeout_s=5)
    assert living("bomb.sh") == []
    runner.close()
