"""Fresh checkouts and their sandbox: as strong as the run's, apart from the worktree, and gone afterwards."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixloop_bot.adapters.fresh_checkouts import GitFreshCheckouts
from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.model.command import CommandRequest
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.sandbox import Demand
from fixloop_bot.ports.project import FreshCheckout, NoFreshCheckoutError
from tests.adapters.git.person import Person, found, start
from tests.adapters.sandbox.locked import PATH
from tests.machine import is_root

LEVELS = ["best", "off"]


@contextmanager
def held(person: Person, folder: Path, level: str) -> Iterator[GitFreshCheckouts]:
    """Open the sandbox of a run on the worktree."""
    (folder / "scratch").mkdir()
    root = person.root.resolve()
    env = {"PATH": f"{root}/.venv/bin:{PATH}", "VIRTUAL_ENV": f"{root}/.venv", "HOME": str(folder)}
    site = Site(
        grounds=Grounds(root=root, scratch=folder / "scratch", beside=(root / ".git",)),
        env=env,
        note=lambda _text: None,
        registry=folder / "registry",
    )
    with enclose(Demand(level=level), site) as run:  # type: ignore[arg-type]
        assert isinstance(run, Enclosure), run
        yield GitFreshCheckouts(repository=found(root), held=run, env=env, config=RepoConfig(), note=lambda _text: None)


def told(fresh: FreshCheckout, line: str) -> str:
    return fresh.runner.run(CommandRequest(argv=("sh", "-c", line), cwd=fresh.project.root)).text.strip()


def leftovers(checkouts: GitFreshCheckouts) -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"{checkouts.prefix}*"))


def fail_inside(checkouts: GitFreshCheckouts, commit: str, fault: type[BaseException]) -> None:
    with checkouts.open(commit):
        assert leftovers(checkouts)
        raise fault


@pytest.mark.parametrize("level", LEVELS)
def test_commands_work_there_with_nothing_of_the_worktree_s(tmp_path: Path, level: str) -> None:
    person = start(tmp_path)
    person.write(".venv/bin/tool", "#!/bin/sh\necho patched\n").chmod(0o755)
    with held(person, tmp_path, level) as checkouts:
        with checkouts.open(person.git("rev-parse", "HEAD")) as fresh:
            assert told(fresh, "cat app.py; ls -A") == "print('hi')\n.git\napp.py"
            assert told(fresh, "tool || echo none").endswith("none"), "the worktree's programs are not on PATH"
            assert told(fresh, "mkdir -p .venv/bin && printf '#!/bin/sh\\necho own' >.venv/bin/tool") == ""
            assert told(fresh, "chmod +x .venv/bin/tool && tool") == "own"
            assert told(fresh, "cd && touch here && pwd") == f"{fresh.project.scratch}/home"
            assert told(fresh, "echo x >>app.py && rm app.py && echo done") == "done"
            assert told(fresh, "git status --short && git log --format=%s") == "D app.py\n?? .venv/\nfirst"
            fresh.seal(lambda _path: False)
            assert told(fresh, "echo y >>app.py; tail -n1 app.py") == "y", "what is put back is the commands' again"
        assert leftovers(checkouts) == []
    assert person.read("app.py") == b"print('hi')\n"


def test_its_commands_are_held_as_those_of_the_run_are(tmp_path: Path) -> None:
    person = start(tmp_path)
    with held(person, tmp_path, "best") as checkouts, checkouts.open(person.git("rev-parse", "HEAD")) as fresh:
        runner = checkouts.held.runner(checkouts.env, tmp_path / "scratch")
        outside = CommandRequest(argv=("id", "-u"), cwd=str(person.root))
        assert told(fresh, "id -u") == runner.run(outside).text.strip()
        assert (told(fresh, "id -u") == str(os.geteuid())) is not is_root()
        assert "NoNewPrivs:\t1" in told(fresh, "cat /proc/self/status")
        git_dir = told(fresh, "git rev-parse --absolute-git-dir")
        assert "denied" in told(fresh, f"touch '{git_dir}/hooked' 2>&1; echo x 2>&1 >'{git_dir}/config'")
        assert "denied" in told(fresh, f"cat '{person.root}/app.py' 2>&1")


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError], ids=["an interruption", "a fault"])
def test_it_is_gone_whatever_happens(tmp_path: Path, fault: type[BaseException]) -> None:
    person = start(tmp_path)
    with held(person, tmp_path, "off") as checkouts:
        with pytest.raises(fault):
            fail_inside(checkouts, person.git("rev-parse", "HEAD"), fault)
        assert leftovers(checkouts) == []


def test_a_commit_that_is_not_there_is_told_in_words(tmp_path: Path) -> None:
    person = start(tmp_path)
    with held(person, tmp_path, "off") as checkouts:
        with pytest.raises(NoFreshCheckoutError, match="no fresh checkout of 0123456789ab can be had: "):
            fail_inside(checkouts, "0123456789ab" + "0" * 28, AssertionError)
        assert leftovers(checkouts) == []


def test_what_a_killed_run_left_is_taken_away_and_nothing_else(tmp_path: Path) -> None:
    person, other = start(tmp_path), start(tmp_path / "other")
    with held(person, tmp_path, "off") as checkouts:
        stale = Path(tempfile.mkdtemp(prefix=checkouts.prefix))
        (stale / "checkout").mkdir(mode=0o500)
        link = Path(f"{stale}-link")
        link.symlink_to(other.root)
        foreign = Path(tempfile.mkdtemp(prefix=checkouts.prefix.removesuffix("-")))
        checkouts.clear_stale()
        assert leftovers(checkouts) == [link]
        assert foreign.is_dir()
        assert (other.root / "app.py").exists()
        link.unlink()
        foreign.rmdir()
