"""The image, built from the Dockerfile and run as the runner runs a container action. Needs root and Debian's apt."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixloop_bot import __version__
from tests.e2e.github_stage import GREEN, REPAIR, Hub
from tests.fakes.github import FakeGitHub, read_outputs
from tests.fakes.model_server import Fault, ModelServer, edit, finish, turn
from tests.system.image.buildah import ROOT, Buildah, Image
from tests.system.image.container import Container, opened, stop
from tests.system.image.programs import DEFAULT, missing

LOCK = json.loads((ROOT / "tests/toolchain/package-lock.json").read_text())["packages"]
TYPESCRIPT = LOCK["node_modules/typescript"]
PACKAGE = {"name": "shop", "version": "1.0.0", "devDependencies": {"typescript": TYPESCRIPT["version"]}}
WRONG_TYPE = "export const total = (prices: number[]): string => prices.reduce((all, one) => all + one, 0);\n"
NODE_SHOP = {
    "package.json": json.dumps(PACKAGE | {"type": "module", "scripts": {"build": "tsc -p .", "test": "node --test"}}),
    "package-lock.json": json.dumps(
        {"name": "shop", "lockfileVersion": 3, "packages": {"": PACKAGE, "node_modules/typescript": TYPESCRIPT}}
    ),
    "tsconfig.json": '{"compilerOptions": {"target": "es2022", "module": "nodenext", "strict": true, "types": []}}\n',
    ".gitignore": "node_modules\nsrc/*.js\n",
    ".fixloop.yml": 'version: 1\nlayers: {compile: ["npm ci --no-audit --no-fund", "npm run build"]}\n',
    "src/price.ts": WRONG_TYPE.replace("string", "number"),
    "shop.test.js": 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n'
    'import { total } from "./src/price.js";\n\ntest("adds up", () => assert.equal(total([1, 2]), 3));\n',
}
ORPHANS = """\
import os, pathlib, time
if os.fork() == 0:
    if os.fork() == 0:
        os._exit(0)
    os._exit(0)
os.wait()
time.sleep(0.5)
states = [path.read_text().rpartition(")")[2].split()[0] for path in pathlib.Path("/proc").glob("[0-9]*/stat")]
print(pathlib.Path("/proc/1/comm").read_text().strip(), states.count("Z"))
"""


@pytest.fixture(scope="module")
def buildah() -> Buildah:
    return Buildah()


@pytest.fixture(scope="module")
def slim(buildah: Buildah) -> Image:
    return buildah.build("slim")


@pytest.fixture(scope="module")
def default(buildah: Buildah, slim: Image) -> Image:
    return buildah.build("default")


@pytest.fixture
def small(buildah: Buildah, slim: Image, tmp_path: Path) -> Iterator[Container]:
    """A container of the slim image."""
    with opened(buildah, slim, tmp_path / "github") as container:
        yield container


@pytest.fixture
def usual(buildah: Buildah, default: Image, tmp_path: Path) -> Iterator[Container]:
    """A container of the default image."""
    with opened(buildah, default, tmp_path / "usual") as container:
        yield container


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        github.user("pat", permission="write")
        yield github


def test_each_flavour_stays_small(slim: Image, default: Image, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nimage sizes: slim {slim.megabytes} MB, default {default.megabytes} MB")
    page = (ROOT / "docs/toolchains.md").read_text(encoding="utf-8")
    stated = {flavour: int(size) for flavour, size in re.findall(r"^\| (\w+) \|.+\| (\d+) MB \|$", page, re.MULTILINE)}
    for flavour, image in (("slim", slim), ("default", default)):
        assert image.megabytes < 1.1 * stated[flavour], "larger than docs/toolchains.md says"


def test_it_starts_cold_and_says_its_version(small: Container, capsys: pytest.CaptureFixture[str]) -> None:
    start = time.monotonic()
    done = small.run("fixloop", "--version")
    with capsys.disabled():
        print(f"\ncold start: {time.monotonic() - start:.1f} s")
    assert (done.code, done.stdout.split()) == (0, ["fixloop", __version__])


def test_the_demo_ends_in_done_with_the_tools_that_it_needs(small: Container) -> None:
    assert small.run("pip", "install", "--quiet", "--root-user-action=ignore", "ruff").code == 0
    done = small.run("fixloop", "demo")
    assert done.line.startswith("DONE: All validation layers passed. Iterations: 3."), done.stderr


def test_each_flavour_has_the_programs_that_it_promises(small: Container, usual: Container) -> None:
    assert list(missing(small, "slim")) == []
    assert list(missing(usual, "default")) == []
    assert [fault.partition(":")[0] for fault in missing(small, "default")] == list(DEFAULT), "slim is slim"


def test_fixloop_s_own_files_are_root_s_alone_to_write(small: Container) -> None:
    done = small.run("find", "/opt/fixloop", "!", "-type", "l", "(", "!", "-user", "root", "-o", "-perm", "/022", ")")
    assert (done.code, done.stdout) == (0, "")
    assert small.run("id", "-u", "fixloop-sandbox").stdout.strip() == "10001"


def test_no_package_index_and_no_cache_is_left_in_it(usual: Container) -> None:
    places = ("/var/lib/apt/lists", "/var/cache/apt/archives", "/root/.cache", "/root/.npm", "/tmp")
    assert usual.run("find", *places, "-type", "f", "-size", "+0").stdout == ""


def test_pruned_libraries_still_look_for_the_clouds_credentials(small: Container) -> None:
    code = "import boto3, google.auth; session = boto3.Session(); session.client('sts', 'us-east-1'); print('fine')"
    done = small.run("/opt/fixloop/bin/python", "-I", "-c", code)
    assert done.stdout.split() == ["fine"], done.stderr


def test_process_one_reaps_what_is_left_behind(small: Container) -> None:
    done = small.run("python", "-c", ORPHANS)
    assert done.stdout.split() == ["tini", "0"], done.stderr


def test_outside_a_job_it_says_so_and_does_nothing(small: Container) -> None:
    with small.start(small.image.entrypoint, {}) as process:
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "this runs only in a GitHub Actions job" in stderr


def test_it_repairs_a_python_repository(small: Container, github: FakeGitHub, tmp_path: Path) -> None:
    hub = Hub(github, github.repository("octo/shop", files=GREEN), tmp_path)
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([REPAIR]) as model:
        environment = hub.environment("pull_request", github.payloads.pull_request(pull), model=model)
        done = small.action(environment, folder=tmp_path / "step 1")
    assert done.code == 0, done.stdout + done.stderr
    assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"]
    assert "DONE" in hub.report(pull)
    outputs = read_outputs({"GITHUB_OUTPUT": str(small.shared / "file_commands/output_0")})
    assert (outputs["status"], outputs["terminal-state"]) == ("DONE", "Succeeded")
    assert (small.shared / "workspace" / outputs["state-dir"] / "RUNLOG.md").exists(), "later steps can upload it"


def test_it_repairs_a_typescript_repository(usual: Container, github: FakeGitHub, tmp_path: Path) -> None:
    hub = Hub(github, github.repository("octo/shop", files=NODE_SHOP), tmp_path)
    pull = hub.break_it(files={"src/price.ts": WRONG_TYPE})
    start = pull.head_sha
    with ModelServer([turn(edit("src/price.ts", ": string =>", ": number =>"), finish("done"))]) as model:
        environment = hub.environment("pull_request", github.payloads.pull_request(pull), model=model)
        done = usual.action(environment, folder=tmp_path / "step 1")
    assert done.code == 0, done.stdout + done.stderr
    assert hub.subjects("feature", start) == ["fix-loop: compile clean (iteration 1)"], hub.report(pull)
    assert "DONE" in hub.report(pull)


def test_a_cancelled_job_ends_at_once_and_leaves_no_run_in_progress(
    small: Container, github: FakeGitHub, tmp_path: Path
) -> None:
    hub = Hub(github, github.repository("octo/shop", files=GREEN), tmp_path)
    pull = hub.break_it()
    with ModelServer([Fault(kind="silence")]) as model:
        environment = hub.environment("pull_request", github.payloads.pull_request(pull), model=model)
        with small.start(small.image.entrypoint, small.step(environment, tmp_path / "step 1")) as process:
            while not model.requests:
                assert process.poll() is None, process.communicate()
                time.sleep(0.05)
            done = stop(process)
        model.closing.set()
    assert done.code == 130, done.stdout + done.stderr
    assert [run.status for run in hub.shop.check_runs.values() if run.name == "fixloop"] == ["completed"]
