"""Another clone on this machine saves a download, and nothing of it but its objects gets in."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.checkout import checkout
from fixloop_bot.model.delivery import Checkout
from tests.adapters.git.forge import Forge, at
from tests.adapters.git.person import ENV
from tests.adapters.git.trap import Trap, trap

__all__ = ["trap"]


def earlier_clone(forge: Forge, tmp_path: Path, *options: str) -> Path:
    """Return the git directory of a clone as another step may have left it."""
    workspace = tmp_path / "work space:1"
    forge.person.git("clone", "-q", *options, "-b", "feature", f"file://{forge.bare}", str(workspace))
    return workspace / ".git"


def test_objects_of_an_earlier_clone_are_used_and_nothing_else_of_it(tmp_path: Path, trap: Trap) -> None:
    forge = Forge(tmp_path)
    sha = forge.grow(60)
    source = earlier_clone(forge, tmp_path)
    with (source / "config").open("a") as config:
        config.write(trap.config() + '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n')
    clone = checkout(forge.remote, replace(forge.request("feature", sha, base=None), reuse=source))
    assert isinstance(clone, Checkout), clone
    assert trap.sprung == ""
    assert at(clone.root).status() == ""
    assert at(clone.root).git("rev-list", "--count", "HEAD") == "61"
    assert not Path(clone.git_dir, "shallow").exists()
    assert not Path(clone.git_dir, "objects", "info", "alternates").exists()
    assert not any(b"c2VjcmV0" in path.read_bytes() for path in Path(clone.git_dir).rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "options", [("--depth=1",), ("--filter=blob:none", "--no-checkout")], ids=["shallow", "partial"]
)
def test_an_earlier_clone_that_is_not_whole_is_made_whole(tmp_path: Path, options: tuple[str, ...]) -> None:
    forge = Forge(tmp_path)
    forge.person.git("config", "uploadpack.allowFilter", "true", cwd=forge.bare)
    sha = forge.work("app.py", "broken\n")
    clone = checkout(
        forge.remote, replace(forge.request("feature", sha), reuse=earlier_clone(forge, tmp_path, *options))
    )
    assert isinstance(clone, Checkout), clone
    assert (clone.merge_base, at(clone.root).status()) == (forge.base, "")


def test_an_object_that_was_tampered_with_does_not_get_in(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "honest\n")
    source = earlier_clone(forge, tmp_path, "--no-local")
    pack = next((source / "objects" / "pack").glob("*.pack"))
    pack.rename(tmp_path / "moved.pack")
    for rest in (source / "objects" / "pack").iterdir():
        rest.unlink()
    with (tmp_path / "moved.pack").open("rb") as packed:
        subprocess.run(["git", "unpack-objects", "-q"], cwd=source, env=ENV, stdin=packed, check=True)
    honest, evil = (object_file(forge, source, text) for text in ("honest\n", "evil!!\n"))
    honest.unlink()
    honest.write_bytes(evil.read_bytes())
    clone = checkout(forge.remote, replace(forge.request("feature", sha), reuse=source))
    assert isinstance(clone, Checkout), clone
    assert Path(clone.root, "app.py").read_text() == "honest\n"


def object_file(forge: Forge, git_dir: Path, text: str) -> Path:
    """Store a text as a loose object and return its file."""
    done = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=git_dir, env=ENV, input=text.encode(), capture_output=True, check=True,
    )  # fmt: skip
    sha = os.fsdecode(done.stdout).strip()
    return git_dir / "objects" / sha[:2] / sha[2:]


def test_a_place_that_has_no_clone_is_no_help_and_no_harm(tmp_path: Path) -> None:
    forge = Forge(tmp_path)
    sha = forge.work("app.py", "x\n")
    clone = checkout(forge.remote, replace(forge.request("feature", sha), reuse=tmp_path / "nowhere"))
    assert isinstance(clone, Checkout)
