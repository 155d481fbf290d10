"""What a hostile pull request plants stays text: nothing of it runs, and nothing is written outside."""

import subprocess
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.checkout import checkout, fetch_head, stand_on
from fixloop_bot.adapters.git.push import push
from fixloop_bot.adapters.git.rebase import rebase_onto
from fixloop_bot.adapters.git.series import patch
from fixloop_bot.model.delivery import (
    BranchHead,
    CheckoutProblem,
    Landed,
    PullHead,
    PushOrder,
    Rebased,
    RemoteTrouble,
)
from tests.adapters.git.forge import Forge, at, fix
from tests.adapters.git.trap import Trap, trap

__all__ = ["trap"]
from tests.adapters.git.person import ENV


def test_the_traps_are_real(tmp_path: Path, trap: Trap) -> None:
    person = Forge(tmp_path).person
    person.write(".gitattributes", "* filter=evil\n")
    config = person.root / ".git" / "config"
    config.write_text(config.read_text() + trap.config().replace("[commit]\n\tgpgSign = true\n", ""))
    person.git("status")
    assert "trap.sh" in trap.sprung


def hostile_tree(forge: Forge) -> str:
    """Push a branch whose files name every kind of program, and links that lead out."""
    person = forge.person
    person.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    person.write(
        ".gitmodules", '[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c touch% /tmp/owned\n\tupdate = none\n'
    )
    person.write(".gitconfig", "[core]\n\tfsmonitor = ./trap.sh\n")
    person.write("config", "[core]\n\tfsmonitor = ./trap.sh\n")
    (person.root / "out").symlink_to("/etc")
    person.git("update-index", "--add", "--cacheinfo", f"160000,{forge.base},sub")
    person.git("add", "-A", "--", ".gitattributes", ".gitmodules", ".gitconfig", "config", "out")
    person.git("commit", "-q", "-m", "evil")
    return forge.publish("feature")


def test_attributes_submodules_and_links_stay_files(tmp_path: Path, trap: Trap) -> None:
    forge = Forge(tmp_path)
    sha = hostile_tree(forge)
    clone = forge.checked_out("feature", sha)
    root = Path(clone.root)
    assert trap.sprung == ""
    assert (root / "out").is_symlink()
    assert list((root / "sub").iterdir()) == []
    assert "ext::" in (root / ".gitmodules").read_text()
    assert at(root).status() == ""


def commit_of(forge: Forge, tree: str) -> str:
    """Commit and publish a tree as pull request 7, also one that git itself would not make."""
    commit = forge.person.git("commit-tree", tree, "-p", forge.base, "-m", "odd")
    forge.publish("refs/pull/7/head", commit)
    return commit


def raw_tree(forge: Forge, *entries: tuple[str, str, str]) -> str:
    """Store a tree object of (mode, name, id) entries without any check of git's."""
    content = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(sha) for mode, name, sha in entries)
    done = subprocess.run(
        ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        cwd=forge.person.root, env=ENV, input=content, capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("100644", (".git", "config")),
        ("100755", (".GIT", "hooks", "post-checkout")),
        ("100644", ("git~1", "config")),
        ("100644", ("..", "escaped")),
        ("100644", (".", "x")),
        ("120000", (".git",)),
        ("120000", (".gitmodules",)),
        ("100644", ("a/../../escaped",)),
        ("100644", ("sub\u200c", ".g\u200cit", "config")),
    ],
    ids=str,
)
def test_a_tree_that_reaches_into_git_or_out_of_the_worktree_is_refused(
    tmp_path: Path, mode: str, names: tuple[str, ...]
) -> None:
    forge = Forge(tmp_path)
    blob = forge.person.git("rev-parse", "HEAD:app.py")
    tree = raw_tree(forge, (mode, names[-1], blob))
    for name in reversed(names[:-1]):
        tree = raw_tree(forge, ("40000", name, tree))
    sha = commit_of(forge, tree)
    problem = checkout(forge.remote, forge.request(PullHead(7, branch="evil"), sha))
    assert isinstance(problem, CheckoutProblem), problem
    assert problem.kind is RemoteTrouble.UNUSABLE
    assert not (tmp_path / "clone").exists()
    assert not (tmp_path / "escaped").exists()


def test_a_tree_that_unfolds_to_billions_of_files_is_refused_at_once(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    entry, mode = forge.person.git("rev-parse", "HEAD:app.py"), "100644"
    for _ in range(12):
        entry, mode = raw_tree(forge, *((mode, f"d{number}", entry) for number in range(10))), "40000"
    problem = checkout(forge.remote, forge.request(PullHead(7, branch="bomb"), commit_of(forge, entry)))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.TOO_LARGE
    assert "1,000,000,000,000 files" in problem.detail


def test_folders_too_deep_for_git_itself_are_refused(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    path = "d/" * 510 + "f"
    commit = (
        f"commit refs/heads/feature\ncommitter P <p@example.org> 1 +0000\ndata 1\nx\nM 100644 inline {path}\ndata 0\n"
    )
    forge.feed(commit, "fast-import", "--quiet")
    problem = checkout(forge.remote, forge.request("feature", forge.tip("feature"), base=None))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.TOO_LARGE
    assert "510 deep" in problem.detail


@pytest.mark.parametrize("planted", ["a file", "a folder", "a link"])
def test_a_git_folder_planted_in_the_worktree_is_never_looked_at(tmp_path: Path, trap: Trap, planted: str) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "broken\n"))
    commit = fix(clone, "app.py", "mended\n")
    evil = tmp_path / "evil.git"
    forge.person.git("clone", "-q", "--bare", str(forge.bare), str(evil))
    (evil / "config").write_text("[core]\n\trepositoryformatversion = 1\n\tbare = false\n" + trap.config())
    link = Path(clone.root, ".git")
    link.unlink()
    if planted == "a file":
        link.write_text(f"gitdir: {evil}\n")
    elif planted == "a folder":
        evil.rename(link)
    else:
        link.symlink_to(evil)
    Path(clone.root, ".gitattributes").write_text("* filter=evil merge=evil diff=evil\n")

    theirs = forge.work("other.py", "x\n")
    assert fetch_head(clone, forge.remote, BranchHead("feature")) == theirs
    rebased = rebase_onto(clone, [commit], theirs)
    assert isinstance(rebased, Rebased)
    stand_on(clone, rebased.commits[-1])
    order = PushOrder(commit=rebased.commits[-1], onto=theirs, branch="feature", expected_old=theirs)
    assert push(clone, order, forge.remote) == Landed(rebased.commits[-1])
    assert b"mended" in patch(clone, theirs, rebased.commits[-1])
    assert trap.sprung == ""
    assert Path(clone.root, ".git").read_text() == f"gitdir: {clone.git_dir}\n"


@pytest.mark.parametrize("planted", ["a link to a folder", "a file"])
def test_what_stands_in_the_way_of_a_new_head_is_replaced_and_nothing_is_written_through_it(
    tmp_path: Path, planted: str
) -> None:
    forge = Forge(tmp_path)
    clone = forge.checked_out("feature", forge.work("app.py", "x\n"))
    outside = tmp_path / "outside"
    outside.mkdir()
    if planted == "a file":
        Path(clone.root, "lib").write_text("in the way")
    else:
        Path(clone.root, "lib").symlink_to(outside)
    Path(clone.root, "app.py").unlink()
    Path(clone.root, "app.py").symlink_to(outside / "app.py")
    forge.work("app.py", "y\n")
    new = forge.work("lib/new.py", "new\n")
    assert fetch_head(clone, forge.remote, BranchHead("feature")) == new
    stand_on(clone, new)
    assert list(outside.iterdir()) == []
    assert [Path(clone.root, name).read_text() for name in ("app.py", "lib/new.py")] == ["y\n", "new\n"]
    assert at(clone.root).status() == ""
