"""Salvaged patches still apply to their bases; of what is not here nothing is claimed, and nothing is touched."""

import json

import pytest

from fixloop_bot.adapters.git.repository import Repository, find_repository
from fixloop_bot.adapters.git.salvage_check import Salvaged, check_salvages, has_commit
from tests.e2e.workspace import Workspace, git

ONE, OTHER = "one\ntwo\nthree\n", "one\n2\nthree\n"


@pytest.fixture
def repository(workspace: Workspace) -> Repository:
    workspace.commit({"a.txt": ONE})
    found = find_repository(str(workspace.root))
    assert isinstance(found, Repository)
    return found


def salvage(workspace: Workspace, name: str, patch: str, base: str, **more: object) -> None:
    folder = workspace.state / "salvage" / name
    folder.mkdir(parents=True)
    (folder / "change.patch").write_text(patch)
    (folder / "manifest.json").write_text(json.dumps({"run_id": "r1", "base": base, **more}))


def patch_of(workspace: Workspace) -> str:
    """Return the patch from ONE to OTHER; the worktree stays as it is."""
    (workspace.root / "a.txt").write_text(OTHER)
    made = git(workspace.root, "diff") + "\n"
    (workspace.root / "a.txt").write_text(ONE)
    return made


def checked(repository: Repository | None, workspace: Workspace) -> list[Salvaged]:
    return list(check_salvages(repository, workspace.state / "salvage", "r1"))


def test_a_patch_applies_to_its_base_also_after_the_branch_has_moved_on(
    workspace: Workspace, repository: Repository
) -> None:
    base, patch = workspace.head, patch_of(workspace)
    salvage(workspace, "r1-1", patch, base)
    workspace.commit({"a.txt": "all new\n"})
    (workspace.root / "a.txt").write_text("under way\n")
    before = (workspace.status, git(workspace.root, "ls-files", "--stage"))
    assert checked(repository, workspace) == [Salvaged("r1-1")]
    assert (workspace.status, git(workspace.root, "ls-files", "--stage")) == before


@pytest.mark.parametrize(
    ("change", "base", "problem", "unchecked"),
    [
        pytest.param(("-two", "-zwei"), "", "its patch does not apply to", "", id="a patch that was edited"),
        pytest.param(("-two", "-***"), "", "", "a secret is masked in it", id="a secret was masked in it"),
        pytest.param(("", ""), "f" * 40, "", "its base ffffffffffff is not here", id="its base is not here"),
        pytest.param(("", ""), "--help", "", "its base --help is not here", id="an option as its base"),
        pytest.param(("diff --git", "nothing"), "", "its patch does not apply", "", id="it is no patch"),
    ],
)
def test_what_is_wrong_with_a_salvage_is_told(
    workspace: Workspace, repository: Repository, change: tuple[str, str], base: str, problem: str, unchecked: str
) -> None:
    patch = patch_of(workspace)
    edited = "nothing\n" if change[1] == "nothing" else patch.replace(*change) if change[0] else patch
    salvage(workspace, "r1-1", edited, base or workspace.head)
    (one,) = checked(repository, workspace)
    assert problem in one.problem
    assert unchecked in one.unchecked
    assert bool(one.problem) == bool(problem)
    assert bool(one.unchecked) == bool(unchecked)


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        ("{", "manifest.json: not JSON"),
        ("[]", "manifest.json: it lacks run_id or base"),
        ('{"run_id": "r1", "base": 3}', "manifest.json: it lacks run_id or base"),
        ('{"run_id": "r1", "base": "x"}', "change.patch is not there"),
    ],
)
def test_a_salvage_that_is_not_whole_is_told(
    workspace: Workspace, repository: Repository, manifest: str, problem: str
) -> None:
    salvage(workspace, "r1-1", "", "x")
    (workspace.state / "salvage/r1-1/change.patch").unlink()
    (workspace.state / "salvage/r1-1/manifest.json").write_text(manifest)
    (one,) = checked(repository, workspace)
    assert one.problem.startswith(problem)


def test_a_base_whose_files_are_not_all_here_is_not_judged(workspace: Workspace, repository: Repository) -> None:
    tree = git(workspace.root, "rev-parse", "HEAD^{tree}")
    salvage(workspace, "r1-1", patch_of(workspace), workspace.head)
    (workspace.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    (one,) = checked(repository, workspace)
    assert (one.problem, one.unchecked.startswith("git cannot look at its base: ")) == ("", True), one


def test_a_run_whose_id_begins_in_the_same_way_is_another(workspace: Workspace, repository: Repository) -> None:
    salvage(workspace, "r1-2-1", "x", workspace.head, run_id="r1-2")
    assert checked(repository, workspace) == []


def test_a_commit_is_here_or_not(workspace: Workspace, repository: Repository) -> None:
    assert has_commit(repository, workspace.head)
    assert not has_commit(repository, "f" * 40)
    assert not has_commit(repository, "--all")


def test_without_a_repository_nothing_is_claimed(workspace: Workspace) -> None:
    salvage(workspace, "r1-1", "x", "f" * 40)
    (one,) = checked(None, workspace)
    assert (one.problem, one.unchecked) == ("", "its base ffffffffffff is not here")
