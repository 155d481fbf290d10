"""A commit written out afresh: its own files, the repository's history, and nothing of what lies about."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.git.fresh import FreshCommit, check_out_fresh
from fixloop_bot.adapters.git.recorded import NoSuchCommitError
from tests.adapters.git.forge import at
from tests.adapters.git.person import Person, found, start
from tests.adapters.git.trap import Trap, trap

__all__ = ["trap"]


def fresh(person: Person, folder: Path) -> FreshCommit:
    return check_out_fresh(found(person.root), person.git("rev-parse", "HEAD"), folder / "a fresh one")


def test_the_files_are_the_commit_s_and_git_finds_history_and_refs(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.git("tag", "-a", "v1", "-m", "first")
    person.write(".gitignore", "deps/\n")
    person.write("bin/run", "#!/bin/sh\n").chmod(0o755)
    person.commit_all("second")
    for path in ("deps/left.js", "notes.txt"):
        person.write(path, "lies about\n")
    person.write("app.py", "changed\n")
    before = (person.status(), person.git("for-each-ref"), person.git("worktree", "list"))
    made = fresh(person, tmp_path)
    assert made.root.name == person.root.name, "tools that name a project by its folder find the same name"
    assert sorted(made.files()) == [".gitignore", "app.py", "bin/run"]
    assert sorted(path.name for path in made.root.iterdir()) == [".git", ".gitignore", "app.py", "bin"]
    assert (made.root / "app.py").read_text() == "print('hi')\n"
    assert (made.root / "bin/run").stat().st_mode & 0o111
    assert made.tree() == person.git("rev-parse", "HEAD^{tree}")
    copy = at(str(made.root))
    assert copy.status() == ""
    assert copy.git("log", "--format=%s") == "second\nfirst"
    assert copy.git("describe", "--tags").startswith("v1-1-g")
    assert copy.git("branch", "--show-current") == "main"
    assert (person.status(), person.git("for-each-ref"), person.git("worktree", "list")) == before


@pytest.mark.parametrize(
    "options", [("--depth=1",), ("--filter=blob:none",)], ids=["a shallow clone", "a clone without old files"]
)
def test_a_clone_that_is_not_whole_is_enough(tmp_path: Path, options: tuple[str, ...]) -> None:
    origin = start(tmp_path)
    origin.write("app.py", "print('two')\n")
    origin.commit_all("second")
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.git("clone", "-q", *options, f"file://{origin.root}", str(tmp_path / "clone"))
    made = check_out_fresh(found(tmp_path / "clone"), origin.git("rev-parse", "HEAD"), tmp_path / "new")
    assert (made.root / "app.py").read_text() == "print('two')\n"
    assert at(str(made.root)).status() == ""
    assert at(str(made.root)).git("log", "--format=%s").startswith("second")


def test_another_kind_of_names_and_a_head_without_a_branch(tmp_path: Path) -> None:
    person = start(tmp_path, "--object-format=sha256")
    person.git("checkout", "-q", "--detach")
    made = fresh(person, tmp_path)
    assert at(str(made.root)).git("rev-parse", "HEAD") == person.git("rev-parse", "HEAD")
    assert at(str(made.root)).git("branch", "--show-current") == ""


def test_an_object_that_was_tampered_with_is_not_written_out(tmp_path: Path) -> None:
    person = start(tmp_path)
    blob, other = person.git("rev-parse", "HEAD:app.py"), person.write("other", "evil\n")
    evil = person.git("hash-object", "-w", str(other))
    objects = person.root / ".git/objects"
    target = objects / blob[:2] / blob[2:]
    target.chmod(0o644)
    target.write_bytes((objects / evil[:2] / evil[2:]).read_bytes())
    with pytest.raises(NoSuchCommitError, match="does not have all of the commit"):
        fresh(person, tmp_path)


def test_no_program_that_the_repository_names_runs(tmp_path: Path, trap: Trap) -> None:
    person = start(tmp_path)
    person.write(".gitattributes", "*.py filter=evil diff=evil merge=evil\n")
    person.commit_all("second")
    with (person.root / ".git/config").open("a") as config:
        config.write(trap.config())
    made = check_out_fresh(found(person.root), person.git("rev-parse", "HEAD"), tmp_path / "new")
    (made.root / "app.py").write_text("changed\n")
    sprung = trap.sprung
    made.seal(lambda _path: True)
    assert (made.root / "app.py").read_text() == "print('hi')\n"
    assert trap.sprung == sprung == ""


def test_sealing_undoes_what_a_setup_did_to_the_commit_s_files_and_leaves_what_it_made(tmp_path: Path) -> None:
    person = start(tmp_path)
    for path in ("tests/test_a.py", "tests/deep/b.txt", "lock.json", "gone.txt", ".gitignore"):
        person.write(path, "deps/\n")
    person.commit_all("second")
    made = fresh(person, tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.txt").write_text("a person's\n")
    (made.root / "lock.json").write_text("newer\n")
    (made.root / "gone.txt").unlink()
    (made.root / "app.py").unlink()
    (made.root / "app.py").mkdir()
    (made.root / "app.py/inside").write_text("x")
    (made.root / "tests/deep/b.txt").unlink()
    (made.root / "tests/deep").rmdir()
    (made.root / "tests/deep").symlink_to(outside)
    for path in ("conftest.py", "built.js", "deps/conftest.py"):
        (made.root / path).parent.mkdir(exist_ok=True)
        (made.root / path).write_text("made\n")
    made.seal(lambda path: path.endswith("conftest.py"))
    assert at(str(made.root)).status() == "?? built.js"
    assert (made.root / "app.py").read_text() == "print('hi')\n"
    assert not (made.root / "tests/deep").is_symlink()
    assert (made.root / "deps/conftest.py").exists(), "what git ignores is the dependencies'"
    assert (outside / "b.txt").read_text() == "a person's\n"
    assert at(str(made.root)).git("log", "--format=%s") == "second\nfirst", "history is back"
