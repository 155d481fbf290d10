"""Whatever is fetched is named exactly, and Dependabot watches over each name."""

import json
import re
from collections import defaultdict

import pytest

from tests.packaging import ROOT, WORKFLOWS, load, read

USES = re.compile(r"^\s*(?:- )?uses: (?P<action>[\w./-]+)@(?P<commit>\S+)(?P<comment>.*)$", re.MULTILINE)
FROM = re.compile(r"^FROM (\S+)(?: AS (\S+))?$", re.MULTILINE)
WATCHED = [
    ("github-actions", "/", ".github/workflows/ci.yml"),
    ("docker", "/", "Dockerfile"),
    ("pip", "/", "pyproject.toml"),
    ("pip", "/docker/tools", "docker/tools/requirements.txt"),
    ("npm", "/docker/tools", "docker/tools/package-lock.json"),
    ("npm", "/tests/toolchain", "tests/toolchain/package-lock.json"),
]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_every_action_is_named_by_commit_with_its_version_beside_it(workflow: str) -> None:
    used = list(USES.finditer(read(workflow)))
    assert len(used) == read(workflow).count("uses:")
    for use in used:
        assert re.fullmatch(r"[0-9a-f]{40}", use["commit"]), use[0]
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", use["comment"]), use[0]


def test_an_action_has_one_version_everywhere() -> None:
    versions: dict[str, set[str]] = defaultdict(set)
    for workflow in WORKFLOWS:
        for use in USES.finditer(read(workflow)):
            versions[use["action"]].add(use["commit"] + use["comment"])
    assert {action: found for action, found in versions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_job_has_only_the_permissions_that_it_names_and_an_end(workflow: str) -> None:
    content = load(workflow)
    assert content["permissions"] == {}
    for name, job in content["jobs"].items():
        assert job["permissions"], name
        assert job["timeout-minutes"] <= 60, name


def test_the_base_image_is_named_by_digest_and_all_else_is_built_on_it() -> None:
    stages: list[str] = []
    outside = []
    for image, name in FROM.findall(read("Dockerfile")):
        if image not in stages and image != "${FLAVOUR}":
            outside.append(image)
        stages.append(name)
    assert len(outside) == 1
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-trixie@sha256:[0-9a-f]{64}", outside[0])
    assert stages[-1] == "", "the last stage only chooses"


def test_every_program_of_the_image_from_pypi_has_its_hashes() -> None:
    wanted = re.findall(r"^[\w-]+==[\w.]+$", read("docker/tools/requirements.in"), re.MULTILINE)
    locked = re.findall(
        r"^(\S+==\S+) \\\n    --hash=sha256:[0-9a-f]{64}", read("docker/tools/requirements.txt"), re.MULTILINE
    )
    assert wanted
    assert locked == wanted


def test_every_program_of_the_image_from_npm_is_locked_and_the_lock_names_no_host() -> None:
    wanted = json.loads(read("docker/tools/package.json"))["dependencies"]
    lock = json.loads(read("docker/tools/package-lock.json"))["packages"]
    assert {name: lock[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [name for name, entry in lock.items() if "resolved" in entry] == []
    assert all(lock[f"node_modules/{name}"]["integrity"].startswith("sha512-") for name in wanted)


def test_the_image_s_context_holds_what_the_dockerfile_copies_and_nothing_secret() -> None:
    allowed = {line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", read("Dockerfile"), re.MULTILINE)
    sources = [source for line in copied for source in line.split()]
    assert "*" in read(".dockerignore").splitlines()
    assert [name for name in sources if not (ROOT / name).exists()] == []
    assert [name for name in sources if not any(name == one or name.startswith(f"{one}/") for one in allowed)] == []


def test_dependabot_watches_every_place_and_only_such_as_exist() -> None:
    updates = load(".github/dependabot.yml")["updates"]
    assert {(update["package-ecosystem"], update["directory"]) for update in updates} == {row[:2] for row in WATCHED}
    assert [path for _, _, path in WATCHED if not (ROOT / path).is_file()] == []
