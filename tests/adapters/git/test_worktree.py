"""What the worktree does with files: exactly what was asked, whatever they are, and nothing of the person's is lost."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.blobs import FILE_LIMIT, FILES
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.paths import OutsideWorktreeError
from fixloop_bot.adapters.git.staging import FilteredPathError
from fixloop_bot.model.guard import FileVersion
from tests.adapters.git.person import Person, opened, start

NAMES = [
    "a b.txt",
    "line\nbreak.txt",
    "größe-分支-é.txt",
    "-leading-dash",
    "--help",
    "*.glob[a]?",
    ":(top)magic",
    "tab\there",
    'quote"\\.txt',
    os.fsdecode(b"latin-\xe9.txt"),
    "deep/er/-x/é.txt",
]


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name) for name in NAMES])
def test_a_file_of_any_name_is_added_changed_restored_and_deleted(tmp_path: Path, name: str) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        start_commit = worktree.head()
        full = person.write(name, "one\n")
        assert worktree.untracked() == (name,)
        added = worktree.commit([name], "add")
        assert added
        assert worktree.changed_between(start_commit, added) == {name: "A"}
        full.write_text("two\n")
        assert worktree.dirty() == (name,)
        worktree.restore([name])
        assert full.read_text() == "one\n"
        full.unlink()
        deleted = worktree.commit([name], "delete")
        assert deleted
        assert worktree.changed_between(added, deleted) == {name: "D"}
        worktree.reset(added)
        assert full.read_text() == "one\n"
        worktree.reset(start_commit)
        assert not os.path.lexists(full)

    assert person.status() == ""


def test_only_the_paths_asked_for_are_committed(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("other.py", "1\n")
    person.commit_all()
    person.write("staged.py", "staged\n")
    person.git("add", "staged.py")
    person.write("other.py", "2\n")
    person.write("app.py", "fixed\n")
    with opened(person) as worktree:
        head = worktree.head()
        commit = worktree.commit(["app.py"], "fix")
        assert commit
        assert worktree.changed_between(head, commit) == {"app.py": "M"}

    assert person.status() == " M other.py\nA  staged.py"


def test_no_change_is_no_commit(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        head = worktree.head()
        assert worktree.commit(["app.py"], "fix") is None
        assert worktree.commit(["never-there.py"], "fix") is None
        assert worktree.commit([], "fix") is None
        assert worktree.head() == head


def test_modes_links_and_odd_contents_survive(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    person.write("empty", "")
    person.write("blob.bin", bytes(range(256)) * 40)
    (person.root / "link").symlink_to("app.py")
    (person.root / "broken").symlink_to("/nowhere/at all")
    first = person.commit_all()
    with opened(person) as worktree:
        person.write("run.sh", "#!/bin/sh\nexit 0\n")
        person.write("blob.bin", b"\0\xff\0")
        (person.root / "link").unlink()
        (person.root / "link").symlink_to("empty")
        (person.root / "broken").unlink()
        person.write("broken", "now a file\n")
        person.write("empty", "").chmod(0o755)
        commit = worktree.commit(["run.sh", "blob.bin", "link", "broken", "empty"], "fix")
        assert commit
        assert worktree.changed_between(first, commit) == {
            "blob.bin": "M", "broken": "T", "empty": "M", "link": "M", "run.sh": "M",
        }  # fmt: skip
        patch = worktree.patch(first)
        worktree.reset(first)
        assert (person.root / "run.sh").stat().st_mode & stat.S_IXUSR
        assert (person.root / "broken").readlink() == Path("/nowhere/at all")
        assert person.read("blob.bin") == bytes(range(256)) * 40

    (tmp_path / "fix.patch").write_bytes(patch)
    person.git("apply", "--index", str(tmp_path / "fix.patch"))
    assert person.git("write-tree") == person.git("rev-parse", f"{commit}^{{tree}}")


@pytest.mark.parametrize("file_mode", ["true", "false"])
def test_an_executable_stays_one_where_the_disk_keeps_no_modes(tmp_path: Path, file_mode: str) -> None:
    person = start(tmp_path)
    person.write("run.sh", "1\n").chmod(0o755)
    person.commit_all()
    person.git("config", "core.fileMode", file_mode)
    with opened(person) as worktree:
        person.write("run.sh", "2\n").chmod(0o755 if file_mode == "true" else 0o644)
        worktree.commit(["run.sh"], "fix")

    assert person.git("ls-tree", "HEAD", "run.sh").startswith("100755")
    assert person.status() == ""


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
@pytest.mark.parametrize("attributes", ["", "*.py text eol=crlf\n", "*.py -text\n"], ids=["none", "crlf", "binary"])
def test_line_endings_are_as_the_persons_git_would_store_them(tmp_path: Path, autocrlf: str, attributes: str) -> None:
    stored = []
    for who in ("person", "fixloop"):
        person = start(tmp_path / who)
        person.write("old.py", "committed\r\nwith both\n")
        person.commit_all()
        person.git("config", "core.autocrlf", autocrlf)
        person.write(".gitattributes", attributes)
        person.commit_all()
        names = ["app.py", "new.py", "old.py"]
        for name in names:
            person.write(name, f"{name}\r\none\r\ntwo\r\n")
        if who == "person":
            person.git("commit", "-q", "-m", "fix", *names[::2])
            person.git("add", "new.py")
            person.git("commit", "-q", "-m", "fix")
        else:
            with opened(person) as worktree:
                assert worktree.commit(names, "fix")
                on_disk = [person.read(name) for name in names]
            assert on_disk == [f"{name}\r\none\r\ntwo\r\n".encode() for name in names]
            assert person.status() == ""
        stored.append(person.git("rev-parse", "HEAD^{tree}"))

    assert stored[0] == stored[1]


def test_files_and_folders_may_change_places(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("thing", "file\n")
    person.write("box/inner", "inner\n")
    first = person.commit_all()
    with opened(person) as worktree:
        (person.root / "thing").unlink()
        person.write("thing/inner", "now a folder\n")
        (person.root / "box/inner").unlink()
        (person.root / "box").rmdir()
        person.write("box", "now a file\n")
        commit = worktree.commit(["thing", "thing/inner", "box", "box/inner"], "swap")
        assert commit
        assert worktree.changed_between(first, commit) == {
            "box": "A", "box/inner": "D", "thing": "D", "thing/inner": "A",
        }  # fmt: skip
        assert worktree.dirty() == ()
        worktree.reset(first)
        assert person.read("thing") == b"file\n"
        worktree.reset(commit)
        assert person.read("thing/inner") == b"now a folder\n"

    assert person.status() == ""


def test_a_folder_replaced_by_a_link_is_committed_as_deleted_never_followed(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("pkg/mod.py", "mine\n")
    first = person.commit_all()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mod.py").write_text("foreign\n")
    with opened(person) as worktree:
        (person.root / "pkg/mod.py").unlink()
        (person.root / "pkg").rmdir()
        (person.root / "pkg").symlink_to(outside)
        commit = worktree.commit(["pkg/mod.py", "pkg"], "fix")
        assert commit
        assert worktree.changed_between(first, commit) == {"pkg/mod.py": "D", "pkg": "A"}
        worktree.reset(first)
        assert person.read("pkg/mod.py") == b"mine\n"

    assert (outside / "mod.py").read_text() == "foreign\n"
    assert not (person.root / "pkg").is_symlink()


def test_restore_goes_through_no_link(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("pkg/mod.py", "mine\n")
    person.commit_all()
    person.write("pkg/staged.py", "staged\n")
    person.git("add", "pkg/staged.py")
    outside = tmp_path / "outside"
    (person.root / "pkg").rename(outside)
    (person.root / "pkg").symlink_to(outside)
    (outside / "mod.py").write_text("foreign\n")
    with opened(person) as worktree:
        worktree.restore(["pkg/mod.py", "pkg/staged.py"])
        assert worktree.dirty() == ()

    assert person.read("pkg/mod.py") == b"mine\n"
    assert (outside / "mod.py").read_text() == "foreign\n"
    assert (outside / "staged.py").read_text() == "staged\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", ".git/config", "sub/.GIT/hooks/x", "", "."])
def test_paths_outside_are_refused(tmp_path: Path, path: str) -> None:
    with opened(start(tmp_path)) as worktree:
        calls: list[Callable[[list[str]], object]] = [worktree.restore, worktree.set_aside]
        for call in (lambda paths: worktree.commit(paths, "x"), *calls):
            with pytest.raises(ValueError, match=r"not a path of the worktree|tracked by git"):
                call([path])


@pytest.mark.parametrize("name", ["lfs", "git-crypt", "git-crypt-keys", "sops"])
def test_what_only_a_filter_may_store_is_refused(tmp_path: Path, name: str) -> None:
    person = start(tmp_path)
    person.write(".gitattributes", f"*.key filter={name}\n*.txt filter=tabs\n")
    person.commit_all()
    with opened(person) as worktree:
        person.write("secret.key", "plain text\n")
        person.write("notes.txt", "x\n")
        assert worktree.filtered(["secret.key", "notes.txt"]) == ("secret.key",)
        with pytest.raises(FilteredPathError, match=r"secret\.key"):
            worktree.commit(["secret.key"], "x")
        assert worktree.commit(["notes.txt"], "x")


def test_reset_keeps_untracked_files_and_salvages_those_in_the_way(tmp_path: Path) -> None:
    person = start(tmp_path)
    first = person.git("rev-parse", "HEAD")
    person.write("new.py", "tracked\n")
    person.write("pkg/mod.py", "tracked\n")
    person.write("flat", "tracked\n")
    second = person.commit_all()
    with opened(person) as worktree:
        worktree.reset(first)
        person.write("new.py", "the person's\n")
        person.write("pkg", "the person's\n")
        person.write("flat/notes", "the person's\n")
        person.write("free.txt", "the person's\n")
        worktree.reset(second)
        assert worktree.dirty() == ()

    assert person.read("new.py") == person.read("pkg/mod.py") == person.read("flat") == b"tracked\n"
    assert person.read("free.txt") == b"the person's\n"
    (salvage,) = (tmp_path / "state/salvage").iterdir()
    kept = json.loads((salvage / "manifest.json").read_text())["paths"]
    assert kept == ["flat", "new.py", "pkg"]
    assert (salvage / "files/0/notes").read_text() == "the person's\n"
    assert (salvage / "files/1").read_text() == (salvage / "files/2").read_text() == "the person's\n"


def test_restore_brings_back_tracked_files_alone(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("other.py", "1\n")
    person.commit_all()
    with opened(person) as worktree:
        person.write("app.py", "broken\n")
        person.write("other.py", "2\n")
        person.write("mine.txt", "mine\n")
        worktree.restore(["app.py", "mine.txt"])
        assert worktree.dirty() == ("other.py",)
        (person.root / "app.py").unlink()
        person.write("app.py/in-the-way", "mine too\n")
        worktree.restore()
        assert worktree.dirty() == ()

    assert person.read("app.py") == b"print('hi')\n"
    assert person.read("mine.txt") == b"mine\n"
    assert list((tmp_path / "state/salvage").rglob("in-the-way"))
    assert person.status() == "?? mine.txt"


def test_squash_is_one_commit_with_the_same_tree(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        base = worktree.head()
        for number in range(3):
            person.write("app.py", f"{number}\n")
            worktree.commit(["app.py"], f"step {number}")
        tree = worktree.tree()
        commit = worktree.squash(base, "fix-loop: test clean (iteration 3)\n\nFixloop-Run: r1\n")
        assert (worktree.head(), worktree.tree()) == (commit, tree)
        assert worktree.git.text("rev-parse", "HEAD^") == base
        assert worktree.git.text("log", "-1", "--format=%(trailers:key=Fixloop-Run,valueonly)").strip() == "r1"
        assert worktree.diff_stat(base, commit) == "1 file changed, 1 insertion(+), 1 deletion(-)"
        assert worktree.diff_stat(commit, commit) == ""


def test_a_patch_of_uncommitted_work_applies(tmp_path: Path) -> None:
    person = start(tmp_path)
    with opened(person) as worktree:
        assert worktree.patch("HEAD", uncommitted=True) == b""
        person.write("app.py", b"\0binary\xff" * 100)
        patch = worktree.patch("HEAD", uncommitted=True)
        worktree.restore()
    (tmp_path / "p").write_bytes(patch)
    person.git("apply", str(tmp_path / "p"))

    assert person.read("app.py") == b"\0binary\xff" * 100


@pytest.mark.parametrize("commit", ["--output=/tmp/x", "nonsense", "HEAD:app.py", ""])
def test_what_is_no_commit_is_an_error_that_tells_all(tmp_path: Path, commit: str) -> None:
    with opened(start(tmp_path)) as worktree:
        expected = pytest.raises(GitError, match=r"exit code: 1(28|29)?\nstdout: .*\nstderr: ")
        with expected:
            worktree.reset(commit)
        with expected:
            worktree.patch(commit)


def test_a_repository_inside_is_one_untracked_path_and_can_be_moved(tmp_path: Path) -> None:
    person = start(tmp_path)
    inner = Person(person.root / "made/by tests")
    inner.write("x", "x")
    inner.commit_all()
    with opened(person) as worktree:
        assert worktree.untracked() == ("made/by tests/",)
        worktree.set_aside(worktree.untracked())
        assert worktree.untracked() == ()
        worktree.put_back()
        assert inner.status() == ""
        worktree.displace(worktree.untracked(), why="made by tests")

    assert not (person.root / "made").exists()
    (kept,) = (tmp_path / "state/salvage").iterdir()
    assert (kept / "files/0/by tests/x").read_text() == "x"


def test_displacing_moves_links_not_what_they_point_to_and_nothing_tracked(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("src/x.py", "x\n")
    person.commit_all()
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").write_text("x")
    (person.root / "link").symlink_to(tmp_path / "precious")
    with opened(person) as worktree:
        worktree.displace(["link", "not there"], why="test")
        for tracked in ("app.py", "src", "src/", "./app.py"):
            with pytest.raises(ValueError, match="tracked by git"):
                worktree.displace([tracked], why="test")
        (person.root / "link").symlink_to(tmp_path / "precious")
        with pytest.raises(OutsideWorktreeError):
            worktree.displace(["link/file"], why="test")

    assert (tmp_path / "precious/file").exists()
    assert person.read("app.py")


def test_a_change_is_told_with_both_texts_and_modes(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("gone.py", "1\n")
    person.write("run.sh", "echo\n").chmod(0o644)
    person.write("data.bin", b"a\0b")
    person.write("latin.txt", b"caf\xe9\n")
    person.commit_all()
    person.write("app.py", "fixed\n")
    person.write("new \u00e9.py", "made\n")
    (person.root / "gone.py").unlink()
    (person.root / "run.sh").chmod(0o755)
    person.write("data.bin", b"a\0c")
    person.write("latin.txt", b"th\xe9\n")
    with opened(person) as worktree:
        head = worktree.head()
        paths = ["app.py", "new \u00e9.py", "gone.py", "run.sh", "data.bin", "latin.txt"]
        commit = worktree.commit(paths, "change")
        assert commit
        files, left_out = worktree.file_changes(head, commit)

    assert left_out == 0
    changed = {file.path: file for file in files}
    assert sorted(changed) == sorted(paths)
    assert changed["new \u00e9.py"].before is None
    assert changed["new \u00e9.py"].after == FileVersion(text="made\n")
    assert (changed["gone.py"].before, changed["gone.py"].after) == (FileVersion(text="1\n"), None)
    assert changed["run.sh"].after == FileVersion(mode="100755", text="echo\n")
    assert changed["data.bin"].after == FileVersion(unread="binary")
    assert changed["latin.txt"].after == FileVersion(text="th\ufffd\n")


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name) for name in NAMES])
def test_the_changed_lines_of_a_file_of_any_name(tmp_path: Path, name: str) -> None:
    person = start(tmp_path)
    person.write(name, "1\n2\n3\n4\n5\n")
    with opened(person) as worktree:
        head = worktree.commit([name], "add")
        person.write(name, "1\ntwo\n3\n5\nsix")
        commit = worktree.commit([name], "change")
        assert head
        assert commit
        found = worktree.changed_lines(head, commit, [name, "no such file"])
    assert found == ({} if set(name) & set('\n\t"') else {name: {2, 3, 4, 5}})  # no code has such a name


def test_of_what_nobody_asked_for_or_git_does_not_know_no_line_is_told(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("large.txt", "1\n" * 600_000)
    person.write("b.txt", "1\n")
    with opened(person) as worktree:
        head = worktree.head()
        commit = worktree.commit(["large.txt", "b.txt"], "add")
        assert commit
        assert worktree.changed_lines(head, commit, ["large.txt"]) == {}
        assert worktree.changed_lines(head, commit, ["b.txt"]) == {"b.txt": {1}}
        assert worktree.changed_lines(head, commit, []) == {}
        assert worktree.changed_lines(commit, commit, ["b.txt"]) == {}
        assert worktree.changed_lines("1" * 40, commit, ["b.txt"]) == {}
        assert worktree.changed_lines("--output=x", commit, ["b.txt"]) == {}


def test_what_is_too_large_or_too_many_to_read_says_so(tmp_path: Path) -> None:
    person = start(tmp_path)
    large, many = "x" * (FILE_LIMIT + 1), [f"d/f{number:05}.txt" for number in range(FILES + 3)]
    for name in many:
        person.write(name, "1\n")
    person.write("a.txt", large)
    with opened(person) as worktree:
        head = worktree.head()
        commit = worktree.commit([*many, "a.txt"], "much")
        assert commit
        files, left_out = worktree.file_changes(head, commit)

    assert (len(files), left_out) == (FILES, 4)
    assert files[0].path == "a.txt"
    assert files[0].after
    assert files[0].after.text is None
    assert files[0].after.unread == f"too large ({FILE_LIMIT + 1:,} bytes)"


def test_a_commit_without_some_files_leaves_branch_and_disk_alone(tmp_path: Path) -> None:
    person = start(tmp_path)
    person.write("tests/test_new.py", "1\n")
    with opened(person) as worktree:
        head = worktree.commit(["tests/test_new.py"], "add a test")
        assert head
        alone = worktree.without(["tests/test_new.py"], "without it")
        assert worktree.head() == head
        assert (person.root / "tests/test_new.py").exists()
        assert worktree.changed_between(head, alone) == {"tests/test_new.py": "D"}
        worktree.reset(alone)
        assert not (person.root / "tests/test_new.py").exists()
        worktree.reset(head)

    assert person.status() == ""
