"""A run's sandbox from its opening to its end: what is demanded, what is had, and that nothing of it is left."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.model.command import CommandOutput, CommandRequest
from fixloop_bot.model.sandbox import Demand
from tests.adapters.sandbox.locked import PATH, status
from tests.machine import is_root

SECRET = "a-key-that-nobody-may-see"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    root, scratch = tmp_path / "work tree", tmp_path / "scratch"
    for folder in (root, scratch):
        folder.mkdir()
    (root / "file").write_text("a person's")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text(SECRET)
    return Site(
        grounds=Grounds(root=root, scratch=scratch),
        env={"PATH": PATH, "HOME": str(home), "ANTHROPIC_API_KEY": SECRET},
        note=lambda _text: None,
        registry=tmp_path / "registry",
    )


@contextmanager
def opened(site: Site, **demand: object) -> Iterator[Enclosure]:
    with enclose(Demand(**demand), site) as held:  # type: ignore[arg-type]
        assert isinstance(held, Enclosure), held
        yield held


def run(site: Site, held: Enclosure, line: str, env: Mapping[str, str] | None = None) -> CommandOutput:
    runner = held.runner(site.env, site.grounds.scratch)
    return runner.run(CommandRequest(argv=("sh", "-c", line), cwd=str(site.grounds.root), env=env or {}))


def test_commands_work_in_the_worktree_and_see_no_secret(site: Site) -> None:
    with opened(site) as held:
        line = f"echo made >new && cat new && echo x >>file && rm file; env; cat '{site.env['HOME']}/.netrc'; id -u"
        output = run(site, held, f"{line}; mktemp; cd && pwd; cat /proc/self/status")
    assert output.text.startswith("made\n")
    assert SECRET not in output.text
    assert str(site.grounds.scratch / "tmp") in output.text
    assert status(output)["NoNewPrivs"] == "1"
    assert (site.grounds.root / "new").read_text() == "made\n"
    assert not (site.grounds.root / "file").exists()


def test_afterwards_every_file_is_the_persons(site: Site) -> None:
    before = site.grounds.root.stat()
    with opened(site) as held:
        run(site, held, "mkdir a && echo x >a/b && ln -s b a/c && chmod 4755 a/b")
        inside = (site.grounds.root / "a/b").stat().st_uid
    assert (inside == os.geteuid()) is not is_root(), "root gives commands a user of their own"
    for path in (site.grounds.root, *site.grounds.root.rglob("*")):
        about = path.lstat()
        assert (about.st_uid, about.st_gid) == (before.st_uid, before.st_gid)
    assert not (is_root() and (site.grounds.root / "a/b").stat().st_mode & stat.S_ISUID), "no program of root's is left"


def test_the_level_is_told_and_each_run_has_its_own_user(site: Site, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    (tmp_path / "other scratch").mkdir()
    second = replace(site, grounds=Grounds(root=tmp_path / "second", scratch=tmp_path / "other scratch"))
    with opened(site) as held, opened(second) as other:
        ids = {run(site, held, "id -u").text, run(second, other, "id -u").text}
        assert len(ids) == 2 or not is_root()
        assert "landlock" in held.words
        assert run(second, other, f"cat '{site.grounds.root}/file'").exit_code != 0 or not is_root()


def test_git_in_a_command_trusts_the_worktree(site: Site) -> None:
    with opened(site) as held:
        output = run(site, held, "git init -q . && git add file && git status --short && git config user.name || id")
    assert "A  file" in output.text


def test_without_network_no_socket_leads_out(site: Site) -> None:
    code = "import socket\ntry: socket.socket(socket.AF_INET)\nexcept PermissionError: print('refused')"
    with opened(site, network=False) as held:
        assert run(site, held, f'python3 -c "{code}"').text == "refused\n"
        assert "no network" in held.words


def test_the_demanded_memory_is_the_most(site: Site) -> None:
    code = "try: bytearray(500_000_000)\nexcept MemoryError: print('refused')"
    with opened(site, memory_mb=200) as held:
        assert run(site, held, f'python3 -c "{code}"').text == "refused\n"


def test_off_changes_nothing_but_the_environment(site: Site) -> None:
    with opened(site, level="off") as held:
        assert held.box is None
        assert held.words.startswith("off")
        output = run(site, held, "cat /proc/self/status; env")
    assert status(output)["NoNewPrivs"] == "0"
    assert SECRET not in output.text


def test_strict_is_all_or_nothing(site: Site) -> None:
    with enclose(Demand(level="strict"), site) as held:
        if isinstance(held, NotGranted):
            assert "strict" in held.reason
            assert held.advice
            assert not is_root() or "cannot be reached by another user" in held.reason
        else:
            assert is_root()
            assert held.words.startswith("uid+landlock+seccomp")


def test_a_worktree_that_another_user_cannot_reach_is_worked_in_all_the_same(site: Site, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with opened(site) as held:
        assert run(site, held, f"cat '{site.grounds.root}/file' && touch made").text == "a person's"


def test_a_tool_of_roots_own_can_be_run(site: Site, tmp_path: Path) -> None:
    tools = tmp_path / "home" / "tools" / "bin"
    tools.mkdir(parents=True)
    (tools / "greet").write_text("#!/bin/sh\necho greeted\n")
    (tools / "greet").chmod(0o755)
    (tmp_path / "home").chmod(0o700)
    with opened(replace(site, env={**site.env, "PATH": f"{tools}:{PATH}"})) as held:
        assert run(site, held, f"PATH={tools}:$PATH greet").text == "greeted\n"


def test_root_without_another_user_still_works_in_a_persons_worktree(site: Site, tmp_path: Path) -> None:
    (tmp_path / "registry").write_text("no folder, so no user can be taken")
    if is_root():
        for path in (site.grounds.root, site.grounds.root / "file"):
            os.chown(path, 64_201, 64_201)
    with opened(site) as held:
        assert "own user" in held.words
        output = run(site, held, "echo more >>file && touch made && cat file && cat /etc/shadow")
    assert output.text.startswith("a person'smore\n")
    assert "root:" not in output.text, "root's right to read is narrowed to what everybody may"
