"""What a command plants in the repository's own `.git` is gone before anybody's git reads it; a person's is not."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.git_guard import GitGuard
from tests.e2e.workspace import git


@dataclass
class Watched:
    """A repository under guard."""

    root: Path
    told: list[str] = field(default_factory=list)

    def guard(self) -> GitGuard:
        return GitGuard(self.root, [self.root / ".git"], self.told.append)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    root = tmp_path / "work tree"
    root.mkdir()
    git(root, "init", "-q")
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    return Watched(root)


PLANTED = "#!/bin/sh\ntouch planted\n"


def config(root: Path, name: str, value: str) -> None:
    git(root, "config", name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.hooksPath", "evil"),
        ("core.fsmonitor", "./evil"),
        ("core.sshCommand", "./evil"),
        ("filter.lfs.clean", "./evil"),
        ("diff.x.textconv", "./evil"),
        ("alias.status", "!./evil"),
        ("credential.helper", "!./evil"),
        ("include.path", "../evil"),
        ("remote.origin.url", "ext::./evil"),
        ("gpg.program", "./evil"),
    ],
)
def test_a_setting_that_starts_a_program_is_taken_back(watched: Watched, name: str, value: str) -> None:
    guard = watched.guard()
    before = (watched.root / ".git/config").read_bytes()
    config(watched.root, name, value)
    guard.look()
    assert (watched.root / ".git/config").read_bytes() == before
    assert value in (watched.root / ".git/config.fixloop-kept").read_text(), "what was there is kept"
    assert ".git/config" in watched.told[0]
    guard.close()


@pytest.mark.parametrize(("name", "value"), [("branch.main.merge", "refs/heads/main"), ("user.name", "Pat")])
def test_a_setting_that_a_person_makes_meanwhile_stays(watched: Watched, name: str, value: str) -> None:
    guard = watched.guard()
    config(watched.root, name, value)
    guard.look()
    assert git(watched.root, "config", name) == value
    assert watched.told == []
    guard.close()


def test_hooks_are_as_before(watched: Watched) -> None:
    guard = watched.guard()
    hooks = watched.root / ".git/hooks"
    (hooks / "post-commit").write_text(PLANTED)
    (hooks / "pre-commit").write_text(PLANTED)
    (hooks / "post-merge").symlink_to(watched.root / "evil")
    guard.look()
    assert not (hooks / "post-commit").exists()
    assert not (hooks / "post-merge").is_symlink()
    assert (hooks / "pre-commit").read_text() == "#!/bin/sh\nexit 0\n"
    assert (hooks / "pre-commit").stat().st_mode & 0o111
    guard.close()


def test_a_replaced_hooks_folder_is_none(watched: Watched, tmp_path: Path) -> None:
    guard = watched.guard()
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "post-commit").write_text(PLANTED)
    (watched.root / ".git/hooks").rename(watched.root / ".git/was")
    (watched.root / ".git/hooks").symlink_to(evil)
    guard.look()
    assert not (watched.root / ".git/hooks").is_symlink()
    assert (watched.root / ".git/hooks/pre-commit").read_text() == "#!/bin/sh\nexit 0\n"
    assert (evil / "post-commit").exists(), "nothing is touched through the link"
    guard.close()


def test_another_git_folder_in_its_place_gives_way(watched: Watched) -> None:
    guard = watched.guard()
    (watched.root / ".git").rename(watched.root / "moved")
    (watched.root / ".git").mkdir()
    (watched.root / ".git/config").write_text("[core]\n\tfsmonitor = ./evil\n")
    guard.look()
    assert (watched.root / ".git/hooks/pre-commit").exists()
    assert not (watched.root / "moved").exists()
    assert watched.told
    guard.close()


def test_a_git_file_keeps_its_words(tmp_path: Path) -> None:
    link = tmp_path / ".git"
    link.write_text("gitdir: /here\n")
    told: list[str] = []
    guard = GitGuard(tmp_path, [], told.append)
    guard.look()
    assert told == []
    link.write_text("gitdir: /evil\n")
    guard.look()
    assert link.read_text() == "gitdir: /here\n"
    link.unlink()
    guard.look()
    assert link.read_text() == "gitdir: /here\n"
    guard.close()


def test_a_setting_that_git_cannot_read_is_taken_back(watched: Watched) -> None:
    guard = watched.guard()
    with (watched.root / ".git/config").open("ab") as file:
        file.write(b"\xff\x00 nonsense\n")
    guard.look()
    assert git(watched.root, "status", "--porcelain") == ""
    (watched.root / ".git/config").unlink()
    guard.look()
    assert git(watched.root, "status", "--porcelain") == ""
    guard.close()
