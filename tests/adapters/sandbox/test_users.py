"""Each run has a user of its own. Needs root."""

import subprocess
import sys
from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.registry import COUNT, FIRST_UID, is_sandbox_user, private_folder
from fixloop_bot.adapters.sandbox.users import take_user
from tests.fakes.until import ended

TAKER = """
import sys
from pathlib import Path
from fixloop_bot.adapters.sandbox.users import take_user
print(take_user(Path(sys.argv[1])).uid, flush=True)
sys.stdin.read()
"""


def test_two_runs_never_share_a_user_and_one_that_ended_frees_it(tmp_path: Path) -> None:
    first, second = take_user(tmp_path), take_user(tmp_path)
    assert first.uid != second.uid
    first.give_up()
    third = take_user(tmp_path)
    assert third.uid == first.uid
    second.give_up()
    third.give_up()


def test_another_registry_begins_with_another_user(tmp_path: Path) -> None:
    users = [take_user(tmp_path / name) for name in "abcd"]
    assert len({user.uid for user in users}) > 1, "whoever ends one of them would end all"
    for user in users:
        user.give_up()


def test_another_pid_namespace_begins_with_another_user(tmp_path: Path) -> None:
    here = take_user(tmp_path)
    here.give_up()
    there = {_taken_in_a_container(tmp_path) for _ in range(4)}
    assert there != {here.uid}


def _taken_in_a_container(registry: Path) -> int:
    command = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c", TAKER, str(registry)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if "Operation not permitted" in done.stderr:
        pytest.skip("this machine gives no namespaces")
    return int(done.stdout)


def test_a_killed_process_frees_its_user(tmp_path: Path) -> None:
    started = subprocess.Popen(
        [sys.executable, "-c", TAKER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with ended(started) as other:
        assert other.stdout is not None
        theirs = int(other.stdout.readline())
        mine = take_user(tmp_path)
        assert mine.uid != theirs
        other.kill()
        other.wait()
        again = take_user(tmp_path)
        assert again.uid == theirs
    mine.give_up()
    again.give_up()


@pytest.mark.parametrize("uid", [0, 1001, FIRST_UID - 1, FIRST_UID + COUNT, 65534])
def test_a_persons_number_is_none_of_a_sandboxs(uid: int) -> None:
    assert not is_sandbox_user(uid)


def test_the_registry_is_roots_alone(tmp_path: Path) -> None:
    folder = private_folder("users", tmp_path / "registry")
    assert (folder.stat().st_mode & 0o077, folder.parent.stat().st_mode & 0o077) == (0, 0)
