"""`fixloop dashboard` serves this machine alone, and an answer is the command that a person would type."""

import argparse
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from fixloop_bot.adapters.answer_process import AnswerProcesses
from fixloop_bot.entrypoints.arguments import parse_arguments
from fixloop_bot.entrypoints.dashboard.command import access_of
from fixloop_bot.entrypoints.dashboard.shell_answers import answer_command
from fixloop_bot.entrypoints.settings import SettingsError, environment
from fixloop_bot.model.answer import Answer, Choice
from tests.fakes.until import ended

VARIABLE = "FIXLOOP_DASHBOARD_PROXY_SECRET"


@pytest.fixture
def proxy_secret() -> Iterator[str]:
    """Let the environment hold what the proxy sends."""
    os.environ[VARIABLE] = "sixteen-letters-and-more"
    yield os.environ[VARIABLE]
    del os.environ[VARIABLE]


def parsed(*flags: str) -> argparse.Namespace:
    return parse_arguments(["dashboard", *flags])


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", "localhost.example.org", ""])
def test_others_cannot_connect_without_a_proxy(host: str) -> None:
    with pytest.raises(SettingsError, match="--behind-proxy"):
        access_of(parsed("--host", host))


@pytest.mark.parametrize("flag", ["--behind-proxy=X User", "--public-name=a.example:80", "--behind-proxy="])
def test_a_header_or_name_that_is_none_is_bad_usage(flag: str) -> None:
    with pytest.raises(SettingsError):
        access_of(parsed(flag))


def test_a_proxy_opens_the_address_under_its_names(proxy_secret: str) -> None:
    access = access_of(parsed("--host", "192.0.2.1", "--behind-proxy", "X-User", "--public-name", "Bot.example"))
    assert access.names == {"192.0.2.1", "bot.example"}
    assert (access.proxy_secret, access.key) == (proxy_secret, None)
    assert proxy_secret not in repr(access)


def test_without_a_proxy_there_is_a_key_and_each_start_has_its_own() -> None:
    one, other = access_of(parsed("--host", "::1")), access_of(parsed("--host", "::1"))
    assert one.names == frozenset()
    assert one.key
    assert other.key
    assert one.key.secret != other.key.secret


def test_a_proxy_that_anybody_could_play_is_bad_usage() -> None:
    with pytest.raises(SettingsError, match="FIXLOOP_DASHBOARD_PROXY_SECRET"):
        access_of(parsed("--behind-proxy", "X-User"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(choice=Choice.A, text="--json -x"), ["decide", "r1", "A", "--json -x"]),
        (Answer(choice=Choice.B), ["decide", "r1", "B"]),
        (Answer(choice=Choice.APPROVE, text="fine"), ["approve", "r1"]),
        (Answer(choice=Choice.DENY, text="no"), ["deny", "r1", "no"]),
    ],
)
def test_an_answer_is_a_command_whose_remark_is_no_flag(answer: Answer, words: list[str]) -> None:
    command = answer_command("r1", answer, state="/s", worktree="/w")
    taken = parse_arguments(command[4:])
    text = getattr(taken, "text", [])
    assert [taken.command, taken.run, *[getattr(taken, "choice", None)] * (words[0] == "decide"), *text] == words
    assert (taken.state_dir, taken.worktree_path, taken.json) == ("/s", "/w", False)


def test_nothing_beside_the_log_is_imported(tmp_path: Path) -> None:
    (tmp_path / "fixloop_bot").mkdir()
    (tmp_path / "fixloop_bot/__init__.py").write_text("raise SystemExit('planted')")
    answer = Answer(choice=Choice.A)
    command = answer_command("r1", answer, state=str(tmp_path / "s"), worktree=str(tmp_path))
    told = AnswerProcesses().start("r1", command, env=environment(), log=tmp_path / "answer.log")
    assert told.startswith("It ended at once, with exit status ")
    assert "BLOCKED" in told
    assert "planted" not in told


def test_one_answer_at_a_time_goes_on(tmp_path: Path) -> None:
    processes, log = AnswerProcesses(at_once=0.3), tmp_path / "answer.log"
    waits = (sys.executable, "-c", "import sys, time; sys.stdout.write('on\\n'); sys.stdout.flush(); time.sleep(2)")
    first = processes.start("r1", waits, env={}, log=log)
    second = processes.start("r1", waits, env={}, log=log)
    assert first.startswith("The run goes on with it, as process ")
    assert second.startswith("An answer is being acted on already, by process ")
    processes.wait()
    assert log.read_text() == "on\n"


def test_of_a_run_that_has_ended_its_last_line_is_told(tmp_path: Path) -> None:
    says = (sys.executable, "-c", "print('verify: test …'); print('DONE: all of it.')")
    told = AnswerProcesses().start("r1", says, env={"PYTHONIOENCODING": "utf-8"}, log=tmp_path / "answer.log")
    assert told == "The run went on with it and has ended. DONE: all of it."


def test_it_tells_where_it_is_and_serves(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fixloop_bot", "dashboard", "--port", "0", "--state-dir", str(tmp_path)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with ended(started) as process:
        assert process.stdout is not None
        address, _, key = process.stdout.readline().strip().partition("?")
        with pytest.raises(urllib.error.HTTPError, match="401") as refused:
            urllib.request.urlopen(f"{address}health")
        with refused.value:
            assert "which `fixloop dashboard` printed" in refused.value.read().decode()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with browser.open(f"{address}health?{key}") as answered:
            assert answered.url == f"{address}health"
            assert str(tmp_path) in answered.read().decode()
            assert "server" not in {name.lower() for name in answered.headers}
        process.send_signal(signal.SIGINT)
        assert process.wait(10) in (0, 130)
