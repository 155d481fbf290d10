"""The worktree's files: read inside of it alone, whatever links, pipes and sizes it holds."""

import os
from pathlib import Path

import pytest

from fixloop_bot.adapters.project import GitProject
from fixloop_bot.model.config import ConfigProblem, LayerConfig, RepoConfig
from fixloop_bot.model.layer import Layer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a worktree"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_bytes(b"x = '\xff'\n")
    (tmp_path / "secret").write_text("secret")
    return root


def project(root: Path, config: RepoConfig | None = None) -> GitProject:
    def list_files() -> list[str]:
        return [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]

    scratch = root.parent / "scratch"
    return GitProject(root, scratch=scratch, list_files=list_files, base_env={"PATH": "/usr/bin"}, config=config)


def test_a_file_is_read_with_replacement(root: Path) -> None:
    assert project(root).read("src/a.py") == "x = '\ufffd'\n"
    assert project(root).exists("src/a.py")


def test_a_link_inside_is_followed(root: Path) -> None:
    (root / "link.py").symlink_to("src/a.py")
    assert project(root).exists("link.py")
    assert project(root).read("link.py") == "x = '\ufffd'\n"


@pytest.mark.parametrize(
    "path",
    [
        "outside",
        "folder/secret",
        "../secret",
        "/etc/passwd",
        "src",
        "gone",
        "loop",
        "pipe",
        "",
        ".",
        "a\0b",
        "x" * 5000,
    ],
)
def test_nothing_else_is_a_file(root: Path, path: str) -> None:
    (root / "outside").symlink_to("../secret")
    (root / "folder").symlink_to("..")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    assert not project(root).exists(path)
    assert project(root).read(path) is None


def test_a_huge_file_is_read_in_part(root: Path) -> None:
    (root / "big").write_text("x" * 1_500_000)
    assert len(project(root).read("big") or "") == 1_000_000


def test_a_worktree_may_be_reached_through_a_link(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    assert project(link).root == str(root)
    assert project(link).exists("src/a.py")


def test_a_report_is_read_once(root: Path) -> None:
    here = project(root)
    path = here.report_path("pytest.xml")
    Path(path).write_text("<x/>")
    assert not path.startswith(here.root)
    assert here.read_report(path) == "<x/>"
    assert here.read_report(path) is None


def test_two_reports_never_share_a_path(root: Path) -> None:
    here = project(root)
    assert here.report_path("a/b.xml") != here.report_path("a/b.xml")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "huge", "nothing"])
def test_a_report_that_is_a_trap_is_none(root: Path, kind: str) -> None:
    here = project(root)
    path = Path(here.report_path("x.json"))
    match kind:
        case "link":
            path.symlink_to(root.parent / "secret")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "huge":
            with path.open("wb") as stream:
                stream.truncate(16_000_001)
        case _:
            assert not path.exists()
    assert here.read_report(str(path)) is None
    assert (root.parent / "secret").read_text() == "secret"


def test_only_reports_are_read_outside_of_the_worktree(root: Path) -> None:
    with pytest.raises(ValueError, match="not a report's path"):
        project(root).read_report(str(root.parent / "secret"))


def test_the_plan_is_the_worktrees_own_configuration_over_detection(root: Path) -> None:
    (root / ".fixloop.yml").write_text("layers: {test: make test}")
    plan = project(root).plan()
    assert [(check.layer, check.tool) for check in plan.checks] == [
        (Layer.COMPILE, "compileall"),
        (Layer.TEST, "generic"),
    ]
    assert list(plan.skipped) == [Layer.LINT]


def test_a_given_configuration_keeps_the_worktrees_own_unread(root: Path) -> None:
    (root / ".fixloop.yml").write_text("layers: {test: 'true'}")
    trusted = RepoConfig(layers={Layer.TEST: LayerConfig(run=("make test",))})
    assert project(root, trusted).plan().checks[-1].command == ("sh", "-c", "make test")


def test_a_configuration_that_cannot_be_used_is_told_with_its_line(root: Path) -> None:
    (root / ".fixloop.yml").write_text("version: 1\nlayer: {}\n")
    with pytest.raises(ConfigProblem, match=r"^\.fixloop\.yml:2: unknown key `layer`"):
        project(root).plan()


def test_declared_dependencies_are_the_manifests(root: Path) -> None:
    (root / "requirements.txt").write_text("Flask\n")
    assert project(root).declared() == {"flask"}
