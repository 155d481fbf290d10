"""The agent's file tools on real files: useful within the worktree, harmless outside it."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.adapters.safe_files import SafeFiles
from fixloop_bot.adapters.workbench import FileWorkbench
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.agent import ToolResult
from tests.fakes.model_script import call, create, edit, read


class Place:
    """A worktree, its workbench, and a secret beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "work tree"
        self.root.mkdir()
        (self.root / ".git").mkdir()
        (self.root / ".git" / "config").write_text("[core]\n")
        (folder / "secret.txt").write_text("hunter2\n")
        (folder / "outside").mkdir()
        self.secret = folder / "secret.txt"
        self.outside = folder / "outside"
        self.bench = FileWorkbench(SafeFiles(str(self.root)), Protection(extra=("vault/**",)), self.listed)

    def listed(self) -> Sequence[str]:
        """Return all files but those that a real git would ignore."""
        files = (path for path in self.root.rglob("*") if path.is_file() or path.is_symlink())
        names = (path.relative_to(self.root).as_posix() for path in files)
        return [name for name in names if not name.startswith((".git/", "node_modules/"))]

    def put(self, path: str, content: bytes | str) -> Path:
        """Write a file."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def do(self, name: str, **arguments: Any) -> ToolResult:
        """Call a tool."""
        return self.bench.call(call(name, **arguments))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a worktree in a fresh folder."""
    return Place(tmp_path)


def test_an_edit_changes_one_place_and_is_remembered(place: Place) -> None:
    target = place.put("src/a.py", "def add(a, b):\n    return a - b\n")
    assert place.bench.call(edit("src/a.py", "a - b", "a + b")).content == "ok"
    assert target.read_text() == "def add(a, b):\n    return a + b\n"
    assert place.bench.changed == ("src/a.py",)
    assert place.bench.refused == ()


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        pytest.param(b"a\r\nb\r\n", "a\nb", "a\nc", b"a\r\nc\r\n", id="CRLF"),
        pytest.param(b"\xef\xbb\xbfa\n", "a", "b", b"\xef\xbb\xbfb\n", id="a byte order mark"),
        pytest.param(b"caf\xe9\nx = 1\n", "x = 1", "x = 2", b"caf\xe9\nx = 2\n", id="Latin-1 bytes"),
        pytest.param(b"a", "a", "b", b"b", id="no last newline"),
    ],
)
def test_bytes_that_the_edit_does_not_name_stay(place: Place, before: bytes, old: str, new: str, after: bytes) -> None:
    target = place.put("a.txt", before)
    assert place.bench.call(edit("a.txt", old, new)).content == "ok"
    assert target.read_bytes() == after


def test_mode_stays_and_no_temporary_file_is_left(place: Place) -> None:
    target = place.put("run.sh", "echo a\n")
    target.chmod(0o755)
    place.bench.call(edit("run.sh", "echo a", "echo b"))
    assert stat.S_IMODE(target.stat().st_mode) == 0o755
    assert sorted(place.listed()) == ["run.sh"]


def test_an_edit_that_fails_says_why_and_changes_nothing(place: Place) -> None:
    target = place.put("a.py", "x = 1\nx = 1\n")
    assert "2 times (lines 1, 2)" in place.bench.call(edit("a.py", "x = 1", "x = 2")).content
    assert "x = 1" in place.bench.call(edit("a.py", "x = 11", "x = 2")).content
    assert target.read_text() == "x = 1\nx = 1\n"
    assert place.bench.changed == ()


def test_a_new_file_gets_its_folders(place: Place) -> None:
    assert place.bench.call(create("src/new/deep/b.py", "ü = 1\n")).content == "ok"
    assert (place.root / "src/new/deep/b.py").read_bytes() == "ü = 1\n".encode()
    assert place.bench.changed == ("src/new/deep/b.py",)


def test_a_file_that_exists_is_not_made_anew(place: Place) -> None:
    place.put("a.py", "x\n")
    assert place.bench.call(create("a.py", "y\n")).is_error
    assert (place.root / "a.py").read_text() == "x\n"


@pytest.mark.parametrize(
    "path", ["tests/test_a.py", "pyproject.toml", ".github/workflows/ci.yml", "vault/key", "./tox.ini"]
)
def test_protected_files_can_be_read_but_not_changed(place: Place, path: str) -> None:
    target = place.put(path, "x = 1\n")
    assert place.bench.call(read(path)).content == "x = 1"
    result = place.bench.call(edit(path, "x = 1", "x = 2"))
    assert result.is_error
    assert "need_decision" in result.content
    assert place.bench.refused == (path,)
    assert target.read_text() == "x = 1\n"


def test_a_new_test_may_be_made_but_nothing_that_changes_others(place: Place) -> None:
    assert not place.bench.call(create("tests/test_new.py", "def test_it():\n    assert True\n")).is_error
    assert place.bench.call(create("tests/conftest.py", "")).is_error
    assert place.bench.refused == ("tests/conftest.py",)
    assert not (place.root / "tests/conftest.py").exists()


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../secret.txt", "src/../../secret.txt", ".git/config", "sub/.GIT/hooks/x", "/proc/self/environ"],
)
def test_nothing_outside_is_reached_by_name(place: Place, path: str) -> None:
    for made in (read(path), edit(path, "a", "b"), create(path, "x"), call("list_files", path=path)):
        result = place.bench.call(made)
        assert result.is_error
        assert "hunter2" not in result.content
    assert set(place.bench.refused) == {path}


def test_no_link_is_followed(place: Place) -> None:
    (place.root / "link.txt").symlink_to(place.secret)
    (place.root / "folder").symlink_to(place.outside)
    (place.outside / "b.txt").write_text("hunter2\n")
    for made in (
        read("link.txt"),
        edit("link.txt", "hunter2", "owned"),
        create("folder/new.txt", "owned"),
        read("folder/b.txt"),
        edit("folder/b.txt", "hunter2", "owned"),
    ):
        result = place.bench.call(made)
        assert result.is_error, made
        assert "hunter2" not in result.content
    assert place.secret.read_text() == "hunter2\n"
    assert [path.name for path in place.outside.iterdir()] == ["b.txt"]
    assert "hunter2" not in place.do("search", pattern="hunter").content


def test_a_hard_link_to_a_file_outside_is_not_written_through(place: Place) -> None:
    (place.root / "a.txt").hardlink_to(place.secret)
    place.bench.call(edit("a.txt", "hunter2", "owned"))
    assert place.secret.read_text() == "hunter2\n"


def test_what_is_no_regular_file_is_refused_at_once(place: Place) -> None:
    os.mkfifo(place.root / "pipe")
    (place.root / "folder").mkdir()
    assert place.bench.call(read("pipe")).is_error
    assert place.bench.call(read("folder")).is_error
    assert place.bench.call(read("missing.py")).is_error


def test_what_git_ignores_is_neither_changed_nor_made(place: Place) -> None:
    place.put("node_modules/jest/index.js", "run()\n")
    assert place.bench.call(edit("node_modules/jest/index.js", "run()", "pass()")).is_error
    assert place.bench.call(create("node_modules/jest/more.js", "x")).is_error
    assert not (place.root / "node_modules/jest/more.js").exists()
    assert place.bench.changed == ()


def test_a_binary_file_is_left_alone(place: Place) -> None:
    target = place.put("a.bin", b"\0\1a\2")
    assert place.bench.call(read("a.bin")).is_error
    assert place.bench.call(edit("a.bin", "a", "b")).is_error
    assert target.read_bytes() == b"\0\1a\2"


def test_a_read_is_exact_and_says_which_lines_it_has(place: Place) -> None:
    place.put("a.py", "\ufeff" + "".join(f"line {n}\r\n" for n in range(1, 1001)))
    assert (
        place.bench.call(read("a.py", start_line=10, end_line=11)).content == "line 10\nline 11\n[lines 10-11 of 1000]"
    )
    assert place.bench.call(read("a.py")).content.endswith("line 400\n[lines 1-400 of 1000]")
    assert place.bench.call(read("a.py", start_line=2000)).content == "[nothing there; the file has 1000 lines]"


def test_a_line_of_any_length_is_cut(place: Place) -> None:
    place.put("a.js", "x" * 3_000_000)
    assert len(place.bench.call(read("a.js")).content) < 21_000
    place.put("b.js", b"x" * 5_000_000)
    assert "too large" in place.bench.call(read("b.js")).content


def test_search_finds_lines_by_expression_or_by_plain_text(place: Place) -> None:
    place.put("src/a.py", "def total(x):\n    return x[0\n")
    place.put("src/b.ts", "function total() {}\n")
    assert place.do("search", pattern=r"def\s+total").content == "src/a.py:1: def total(x):"
    assert place.do("search", pattern="x[0").content == "src/a.py:2: return x[0"
    assert place.do("search", pattern="total", glob="*.ts").content == "src/b.ts:1: function total() {}"
    assert place.do("search", pattern="total", glob="src/**/*.py").content == "src/a.py:1: def total(x):"
    assert place.do("search", pattern="nowhere").content == "no match"
    assert place.do("search", pattern="").is_error
    assert place.do("search", pattern="x", glob="\\").is_error


def test_search_is_bounded_whatever_the_pattern_and_the_text(place: Place) -> None:
    place.put("a.txt", "a" * 100_000 + "\n" + "match\n" * 1_000)
    place.put("b.txt", b"\xff\xfematch\n")
    place.put("*a" * 50, "x\n")
    assert place.do("search", pattern="(a+)+$b").content == "no match"
    assert place.do("search", pattern="x", glob="*a" * 60 + "b").content == "no match"
    content = place.do("search", pattern="match").content
    assert content.count("\n") == 50
    assert "left out" in content
    assert len(place.do("search", pattern="aaa").content) < 300


def test_a_large_folder_is_listed_by_its_folders(place: Place) -> None:
    for n in range(250):
        place.put(f"many/sub{n % 3}/f{n}.txt", "")
    place.put("few/a.py", "")
    assert place.do("list_files", path="few").content == "few/a.py"
    assert place.do("list_files").content == "few/ (1 files)\nmany/ (250 files)"
    assert place.do("list_files", path="many/").content.startswith("many/sub0/ (84 files)\n")
    assert place.do("list_files", path="none").content == "no files there"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("run_shell", {"command": "id"}),
        ("read_file", {}),
        ("read_file", {"path": 7}),
        ("read_file", {"path": "a.py", "start_line": "many"}),
        ("read_file", {"path": "a.py", "start_line": True}),
        ("read_file", {"path": "a.py", "end_line": [1]}),
        ("read_file", {"path": "a\0b"}),
        ("read_file", {"path": "\ud800"}),
        ("read_file", {"path": "x" * 5_000}),
        ("read_file", {"path": "x" * 300}),
        ("read_file", {"path": "a.py/b"}),
        ("read_file", {"path": ""}),
        ("search", {"pattern": None}),
        ("search", {"pattern": "x", "glob": 1}),
        ("list_files", {"path": {}}),
        ("edit_file", {"path": "a.py", "old": "x"}),
        ("edit_file", {"path": "a.py", "old": "x", "new": "\ud800"}),
        ("edit_file", {"path": "a.py", "old": "x", "new": "\0"}),
        ("edit_file", {"path": "a.py", "old": "x", "new": "y" * 2_000_000}),
        ("edit_file", {"path": "a.py", "old": "\ud800", "new": "y"}),
        ("create_file", {"path": "b.py"}),
        ("create_file", {"path": ".", "content": ""}),
        ("create_file", {"path": "a.py/b.py", "content": ""}),
    ],
    ids=lambda value: str(value)[:60],
)
def test_whatever_the_model_writes_the_answer_is_a_result(place: Place, name: str, arguments: dict[str, Any]) -> None:
    place.put("a.py", "x\n")
    result = place.bench.call(call(name, **arguments))
    assert result.is_error
    assert result.content
    assert (place.root / "a.py").read_text() == "x\n"


def test_line_numbers_may_come_as_text(place: Place) -> None:
    place.put("a.py", "x\ny\n")
    assert place.do("read_file", path="a.py", start_line="2").content == "y\n[lines 2-2 of 2]"


RUST = """\
pub fn one() -> i32 {
    2
}

#[cfg(test)]
mod tests {
    #[test]
    fn one() {
        assert_eq!(super::one(), 1);
    }
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("one(), 1)", "one(), 2)", id="another expectation"),
        pytest.param("#[test]\n", "#[test]\n    #[ignore]\n", id="a test ignored"),
        pytest.param("#[cfg(test)]", "#[cfg(any())]", id="tests left out of the build"),
        pytest.param("        assert_eq!(super::one(), 1);\n", "", id="an assertion removed"),
        pytest.param("mod tests {", "/*\nmod tests {", id="tests in a comment"),
    ],
)
def test_a_test_inside_a_product_file_is_read_only(place: Place, old: str, new: str) -> None:
    target = place.put("src/lib.rs", RUST)
    answer = place.bench.call(edit("src/lib.rs", old, new))
    assert answer.is_error
    assert "which is read-only" in answer.content
    assert target.read_text() == RUST
    assert place.bench.refused == ("src/lib.rs",)


def test_beside_a_test_inside_a_product_file_code_and_new_tests_may_change(place: Place) -> None:
    place.put("src/lib.rs", RUST)
    assert place.bench.call(edit("src/lib.rs", "    2\n", "    1\n")).content == "ok"
    more = "    #[test]\n    fn again() {\n        assert!(super::one() > 0);\n    }\n\n    #[test]\n    fn one"
    assert place.bench.call(edit("src/lib.rs", "    #[test]\n    fn one", more)).content == "ok"
