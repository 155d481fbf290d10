"""Which folders fixloop works in, and what it says of the others."""

import os
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.repository import NotAWorktree, find_repository
from fixloop_bot.adapters.git.worktree import open_worktree
from tests.adapters.git.person import Opened, Person, found, locked, opened, start


def reason(path: Path) -> NotAWorktree:
    answer = find_repository(str(path))
    assert isinstance(answer, NotAWorktree)
    return answer


def test_a_missing_folder_and_one_without_git_are_told_apart_by_kind_and_alike_in_words(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    for path, kind in ((tmp_path / "nowhere", "missing"), (tmp_path / "plain", "not-git")):
        answer = reason(path)
        assert answer.kind == kind
        assert answer.reason == f"Worktree does not exist or is not a git repository: {path}"


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    assert reason(Person(tmp_path / "b", "--bare").root).kind == "bare"


def test_the_git_folder_itself_is_refused(tmp_path: Path) -> None:
    assert reason(start(tmp_path).root / ".git").kind == "not-git"


def test_a_repository_without_commits_is_refused(tmp_path: Path) -> None:
    assert reason(Person(tmp_path / "empty").root).kind == "no-commits"


def test_a_subfolder_is_refused_and_the_worktree_named(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("sub/x", "x")
    answer = reason(person.root / "sub")
    assert answer.kind == "subdirectory"
    assert str(person.root) in answer.reason


def test_a_link_to_the_worktree_is_followed(tmp_path: Path) -> None:
    person = start(tmp_path)
    (tmp_path / "link").symlink_to(person.root)
    assert found(tmp_path / "link").root == str(person.root)


def diverge(person: Person) -> None:
    """Make `other` and `main` change the same line."""
    person.git("checkout", "-q", "-b", "other")
    person.write("app.py", "other\n")
    person.commit_all()
    person.git("checkout", "-q", "main")
    person.write("app.py", "main\n")
    person.commit_all()


@pytest.mark.parametrize("operation", [["merge", "other"], ["rebase", "other"], ["cherry-pick", "other"]])
def test_an_unfinished_operation_is_refused(tmp_path: Path, operation: list[str]) -> None:
    person = start(tmp_path)
    diverge(person)
    with pytest.raises(AssertionError, match="CONFLICT"):
        person.git(*operation)

    assert reason(person.root).kind == "in-progress"


def test_unmerged_paths_without_an_operation_are_refused(tmp_path: Path) -> None:
    person = start(tmp_path)
    diverge(person)
    with pytest.raises(AssertionError, match="CONFLICT"):
        person.git("merge", "other")
    (person.root / ".git/MERGE_HEAD").unlink()
    repository = found(person.root)
    with locked(repository) as lock:
        answer = open_worktree(repository, lock, shadows=tmp_path / "git", salvage=tmp_path / "salvage")

    assert isinstance(answer, NotAWorktree)
    assert answer.kind == "unmerged"
    assert "app.py" in answer.reason


def test_a_running_git_is_waited_for_by_the_person(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write(".git/index.lock", "")
    assert reason(person.root).kind == "locked"


def test_a_lock_of_another_worktree_is_no_proof(tmp_path: Path) -> None:
    one, two = start(tmp_path / "1"), start(tmp_path / "2")
    with locked(found(one.root)) as lock, pytest.raises(ValueError, match="another worktree"):
        open_worktree(found(two.root), lock, shadows=tmp_path / "git", salvage=tmp_path / "salvage")


@pytest.mark.parametrize("branch", ["feat(x)-#1,a+b", "größe/ünïcode-分支", "a'b\"c&d;$e", "-x/--y"])
def test_any_legal_branch_name_works(tmp_path: Path, branch: str) -> None:
    person = start(tmp_path)
    person.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    person.commit_all("on the branch")
    with opened(person) as worktree:
        assert worktree.branch() == branch
        person.write("app.py", "fixed\n")
        commit = worktree.commit(["app.py"], "fix")

    assert person.git("rev-parse", f"refs/heads/{branch}") == commit
    assert person.status() == ""


def test_a_detached_head_moves_and_no_branch_does(tmp_path: Path) -> None:
    person = start(tmp_path)
    first = person.git("rev-parse", "HEAD")
    person.git("checkout", "-q", "--detach")
    with opened(person) as worktree:
        assert worktree.branch() is None
        person.write("app.py", "fixed\n")
        commit = worktree.commit(["app.py"], "fix")

    assert person.git("rev-parse", "HEAD") == commit
    assert person.git("rev-parse", "main") == first
    assert person.status() == ""


def test_a_linked_worktree_has_its_own_head_and_index(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with opened(person), Opened(tmp_path / "side", tmp_path / "other-state") as worktree:
        (tmp_path / "side/app.py").write_text("fixed\n")
        commit = worktree.commit(["app.py"], "fix")

    assert person.git("rev-parse", "side") == commit
    assert person.git("status", "--porcelain", cwd=tmp_path / "side") == ""
    assert person.status() == ""


def test_a_shallow_clone_works(tmp_path: Path) -> None:
    origin = start(tmp_path)
    origin.write("app.py", "second\n")
    origin.commit_all()
    origin.git("clone", "-q", "--depth=1", f"file://{origin.root}", str(tmp_path / "shallow"))
    clone = Person.__new__(Person)
    clone.root = tmp_path / "shallow"
    with opened(clone, tmp_path / "state") as worktree:
        first = worktree.head()
        clone.write("app.py", "fixed\n")
        commit = worktree.commit(["app.py"], "fix")
        assert commit
        assert worktree.changed_between(first, commit) == {"app.py": "M"}
        assert worktree.git.text("rev-list", "--count", "HEAD") == "2"

    assert clone.status() == ""


def test_a_sha256_repository_works(tmp_path: Path) -> None:
    person = start(tmp_path, "--object-format=sha256")
    with opened(person) as worktree:
        person.write("app.py", "fixed\n")
        commit = worktree.commit(["app.py"], "fix")

    assert commit
    assert len(commit) == 64
    assert person.status() == ""


def test_a_worktree_of_another_owner_is_no_dubious_ownership(tmp_path: Path) -> None:
    person = start(tmp_path)
    if os.geteuid() == 0:
        for path in (person.root, *person.root.rglob("*")):
            os.chown(path, 12345, 12345)
        with pytest.raises(AssertionError, match="dubious ownership"):
            person.git("status")
    with opened(person) as worktree:
        first = worktree.head()
        person.write("app.py", "fixed\n")
        person.write("new/deep.py", "new\n")
        fixed = worktree.commit(["app.py", "new/deep.py"], "fix")
        assert fixed
        worktree.reset(first)
        worktree.reset(fixed)
        worktree.restore(["app.py"])
        assert worktree.dirty() == ()

    owner = person.root.stat().st_uid
    written = [*(person.root / ".git/objects").glob("*"), *(person.root / ".git/refs").rglob("*")]
    written += [person.root / name for name in (".git/index", ".git/logs/HEAD", "app.py", "new", "new/deep.py")]
    assert [path for path in written if path.stat().st_uid != owner] == []


def test_a_split_index_and_a_sparse_checkout_survive(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("in/a", "a\n")
    person.write("out/b", "b\n")
    first = person.commit_all()
    person.git("sparse-checkout", "set", "in")
    person.git("update-index", "--split-index")
    with opened(person) as worktree:
        assert worktree.dirty() == ()
        person.write("in/a", "fixed\n")
        commit = worktree.commit(["in/a"], "fix")
        worktree.reset(first)
        worktree.reset(str(commit))

    assert person.status() == ""
    assert not (person.root / "out").exists()
    assert person.git("ls-files") == "app.py\nin/a\nout/b"


def test_ignore_rules_of_all_places_count(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write(".gitignore", "*.log\n")
    person.commit_all()
    person.write(".git/info/exclude", "local\n")
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_text(".DS_Store\n")
    for name in ("a.log", "local", ".DS_Store", "seen.txt"):
        person.write(name, "x")
    repository = find_repository(str(person.root), person_env={"HOME": str(home)})
    assert not isinstance(repository, NotAWorktree)
    with locked(repository) as lock:
        worktree = open_worktree(repository, lock, shadows=tmp_path / "git", salvage=tmp_path / "salvage")
        assert not isinstance(worktree, NotAWorktree)
        assert worktree.untracked() == ("seen.txt",)


def test_the_persons_own_line_ending_setting_counts(tmp_path: Path) -> None:
    person = start(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[core]\n\tautocrlf = input\n")
    repository = find_repository(str(person.root), person_env={"HOME": str(home)})
    assert not isinstance(repository, NotAWorktree)
    with locked(repository) as lock:
        worktree = open_worktree(repository, lock, shadows=tmp_path / "git", salvage=tmp_path / "salvage")
        assert not isinstance(worktree, NotAWorktree)
        person.write("app.py", "a\r\nb\r\n")
        assert worktree.commit(["app.py"], "fix")

    assert person.git("cat-file", "-s", "HEAD:app.py") == "4"
