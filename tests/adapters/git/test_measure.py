"""The size of a tree on disk is known before it is written."""

from pathlib import Path

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.measure import Measured, measure
from tests.adapters.git.forge import Forge, files_below


def test_what_is_measured_is_what_comes_to_disk(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    for path in ("a/b/c.py", "a/b/same.py", "d/b/same.py", "ü/leer"):
        forge.person.write(path, "" if path == "ü/leer" else "same\n")
    forge.person.git("update-index", "--add", "--cacheinfo", f"160000,{forge.base},sub")
    (forge.person.root / "link").symlink_to("app.py")
    clone = forge.checked_out("feature", forge.work("large.bin", "x" * 5_000))
    measured = measure(clone_git(clone), clone.head_sha)
    written = [path for path in files_below(clone.root) if path.name != ".git"]
    sizes = sum(path.stat().st_size for path in written) + len("app.py")
    assert measured == Measured(files=len(written) + 1, size=sizes, depth=2)


def test_an_empty_tree_is_nothing(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    forge.person.git("rm", "-q", "-r", ".")
    forge.person.git("commit", "-q", "-m", "nothing left")
    clone = forge.checked_out("feature", forge.publish("feature"))
    assert measure(clone_git(clone), clone.head_sha) == Measured(files=0, size=0, depth=0)


def test_many_files_are_asked_for_in_parts(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    changes = "".join(f"M 100644 inline f{number % 70}/{number}\ndata 4\n{number:04}\n" for number in range(4_500))
    forge.feed(
        f"commit refs/heads/feature\ncommitter P <p@example.org> 1 +0000\ndata 1\nx\n{changes}",
        "fast-import",
        "--quiet",
    )
    clone = forge.checked_out("feature", forge.tip("feature"))
    assert measure(clone_git(clone), clone.head_sha) == Measured(files=4_500, size=18_000, depth=1)
