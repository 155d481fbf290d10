"""fixloop's commits are read for what they touch, and shown as one patch."""

from pathlib import Path

from fixloop_bot.adapters.git.series import patch, read_series
from fixloop_bot.core.delivery import touches_workflows
from tests.adapters.git.forge import Forge, at, fix
from tests.adapters.git.person import Person


def test_the_patch_makes_the_same_tree_out_of_the_persons_head(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("picture.png", "old\0\n")
    clone = forge.checked_out("feature", sha)
    fix(clone, "app.py", "mended\r\n")
    fix(clone, "picture.png", bytes(range(256)))
    tip = fix(clone, "ganz neu/ä ö.txt", "no newline at the end")
    (tmp_path / "fix.patch").write_bytes(patch(clone, sha, tip))
    forge.person.git("apply", "--index", str(tmp_path / "fix.patch"))
    assert forge.person.git("write-tree") == at(clone.root).git("rev-parse", f"{tip}^{{tree}}")


def test_workflow_files_are_seen_wherever_a_commit_changes_them(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "x\n"))
    fix(clone, "docs/workflows.md", "x\n")
    fix(clone, ".github/workflows/ci ü.yml", "on: push\n")
    tip = fix(clone, ".github/dependabot.yml", "x\n")
    series = read_series(clone, clone.head_sha, tip)
    assert [touches_workflows(commit) for commit in series] == [False, True, False]
    assert series[1].paths == (".github/workflows/ci ü.yml",)


def test_a_merge_and_a_persons_commit_are_not_fixloops(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "x\n"))
    fix(clone, "lint.py", "x\n")
    person: Person = at(clone.root)
    person.write("mine.py", "x\n")
    person.commit_all("mine\n\nFixloop-Run: r1")
    person.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-p", clone.head_sha, "-m", "merge")
    merge = person.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-p", "HEAD^", "-m", "m\n\nFixloop-Run: r1")
    assert [commit.is_ours for commit in read_series(clone, clone.head_sha, merge)] == [True, False, False]
