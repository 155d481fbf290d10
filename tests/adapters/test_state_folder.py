"""Where state lies, and which names may become paths."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.state_folder import default_state_root, open_state_folder, repository_key


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "state"
    root.mkdir(parents=True)
    root.chmod(0o755)
    folder = open_state_folder(root)
    assert folder.root.stat().st_mode & 0o777 == 0o700


def test_the_layout(tmp_path: Path) -> None:
    folder = open_state_folder(tmp_path)
    paths = {
        "run-state.db": folder.database,
        "runs/r1/state.json": folder.state("r1"),
        "runs/r1/terminal.json": folder.terminal("r1"),
        "repair/r1-2.json": folder.record("r1-2"),
        "receipts/r1.jsonl": folder.receipts("r1"),
        "salvage/r1-2": folder.salvage("r1-2"),
        "RUNLOG.md": folder.runlog,
        "recovery-log.md": folder.recovery_log,
        "learnings.yaml": folder.learnings,
        "git": folder.shadows,
        "scratch": folder.scratch,
    }
    assert {str(path.relative_to(folder.root)): path for path in paths.values()} == paths


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc", "-x", "a\0", "a\n", "x" * 500, ".hidden", "é"])
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    folder = open_state_folder(tmp_path)
    for method in (folder.state, folder.terminal, folder.record, folder.receipts, folder.salvage):
        with pytest.raises(ValueError, match="not a plain name"):
            method(name)


def test_two_clones_have_two_keys_that_a_person_can_read() -> None:
    keys = [
        repository_key(path) for path in ("/a/my repo/.git", "/b/my repo/.git", "/srv/x.git", "/.git", "/\udce9/.git")
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0].startswith("my-repo-")
    assert keys[2].startswith("x.git-")


def test_the_default_place_is_the_platforms_or_what_xdg_says() -> None:
    assert default_state_root("/a/r/.git", {"XDG_STATE_HOME": "/s"}) == Path("/s/fixloop", repository_key("/a/r/.git"))
    assert "fixloop" in str(default_state_root("/a/r/.git", {}))
