"""A release publishes each flavour and then points the Action at it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.e2e.workspace import git
from tests.packaging import ROOT, load, read

FLAVOURS = ["slim", "default", "full"]
IMAGE = "ghcr.io/example/fixloop"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that holds what the release works on, with a bare repository as its origin."""
    root = tmp_path / "a clone"
    (root / ".github").mkdir(parents=True)
    shutil.copytree(ROOT / ".github/release", root / ".github/release")
    shutil.copy(ROOT / "action.yml", root)
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(root, "init", "--quiet", "-b", "main")
    git(root, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(root, "add", "-A")
    git(root, "-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "-m", "Release 1.2.3")
    git(root, "tag", "v1.2.3")
    git(root, "push", "--quiet", "origin", "main", "v1.2.3")
    return root


def pin(clone: Path, digests: dict[str, str]) -> subprocess.CompletedProcess[str]:
    folder = clone.parent / "digests"
    folder.mkdir()
    for flavour, digest in digests.items():
        (folder / flavour).write_text(digest + "\n")
    command = [sys.executable, ".github/release/pin_action.py", IMAGE, str(folder)]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def test_the_same_flavours_are_in_the_dockerfile_the_checks_and_the_release() -> None:
    stages = re.findall(r"^FROM \S+ AS (\S+)$", read("Dockerfile"), re.MULTILINE)
    assert [stage for stage in stages if stage in FLAVOURS] == FLAVOURS
    for workflow in ("ci", "release"):
        jobs = load(f".github/workflows/{workflow}.yml")["jobs"]
        assert jobs["image"]["strategy"]["matrix"]["flavour"] == FLAVOURS


def test_each_flavour_gets_an_action_that_differs_in_the_image_alone(clone: Path) -> None:
    digests = {flavour: f"sha256:{number:064x}" for number, flavour in enumerate(FLAVOURS)}
    done = pin(clone, digests)
    assert done.returncode == 0, done.stderr
    original = yaml.safe_load(read("action.yml"))
    for flavour, place in zip(FLAVOURS, ["slim/action.yml", "action.yml", "full/action.yml"], strict=True):
        pinned = yaml.safe_load((clone / place).read_text())
        assert pinned["runs"] == {"using": "docker", "image": f"docker://{IMAGE}@{digests[flavour]}"}
        assert pinned | {"runs": original["runs"]} == original


@pytest.mark.parametrize("digest", ["", "latest", "sha256:abc", "sha256:" + "0" * 64 + "\n  entrypoint: evil"])
def test_what_is_no_digest_is_refused(clone: Path, digest: str) -> None:
    done = pin(clone, dict.fromkeys(FLAVOURS, digest))
    assert done.returncode == 1
    assert "not a digest" in done.stderr
    assert git(clone, "status", "--porcelain") == ""


def test_the_major_tag_moves_to_one_commit_on_top_of_the_released_one(clone: Path) -> None:
    pin(clone, dict.fromkeys(FLAVOURS, "sha256:" + "0" * 64))
    programs = clone.parent / "bin"
    programs.mkdir()
    (programs / "gh").write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$GH_LOG"\n')
    (programs / "gh").chmod(0o755)
    env = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GH_LOG": str(clone.parent / "gh.log"),
        "GITHUB_REF_NAME": "v1.2.3",
        "GITHUB_REPOSITORY": "example/fixloop",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    subprocess.run(["bash", ".github/release/publish.sh"], cwd=clone, env=env, check=True, capture_output=True)
    origin = clone.parent / "origin.git"
    assert git(origin, "rev-parse", "v1^") == git(origin, "rev-parse", "v1.2.3") == git(origin, "rev-parse", "main")
    changed = git(origin, "diff", "--name-only", "v1.2.3", "v1").splitlines()
    assert changed == ["action.yml", "full/action.yml", "slim/action.yml"]
    said = (clone.parent / "gh.log").read_text()
    assert "release create v1.2.3 --verify-tag" in said
    assert f"example/fixloop@{git(origin, 'rev-parse', 'v1')} # v1.2.3" in said
