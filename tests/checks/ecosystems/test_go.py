"""What validates a Go repository."""

import subprocess
from pathlib import Path

import pytest

from fixloop_bot.checks.ecosystems.go import GOLANGCI_FILES, detect
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

BUILD = "go build -buildvcs=false -o /dev/null ./... [go-build]"
VET = "go vet ./... [go-vet]"
TEST = "go test -count=1 -v ./... [go-test]"
LINTER = "golangci-lint run [golangci-lint]"
MODULE = {"go.mod": "module example.com/x\n", "x.go": "package x\n"}
TESTED = {**MODULE, "x_test.go": "package x\n"}


@pytest.mark.parametrize(
    ("files", "layer", "commands"),
    [
        pytest.param(MODULE, Layer.COMPILE, [BUILD], id="a module is built"),
        pytest.param(TESTED, Layer.TEST, [TEST], id="and tested"),
        pytest.param(MODULE, Layer.TEST, [], id="a module without a test file has no test layer"),
        pytest.param({"x.go": "package x\n"}, Layer.COMPILE, [], id="no module, no Go project"),
        pytest.param({"go.mod": "module x\n"}, Layer.COMPILE, [], id="a module without Go files"),
        pytest.param({"vendor/a/go.mod": "", "vendor/a/a.go": ""}, Layer.COMPILE, [], id="somebody else's module"),
        pytest.param(
            {**MODULE, "api/go.mod": "module y\n", "api/y.go": "package y\n"},
            Layer.COMPILE,
            [BUILD, f"api: {BUILD}"],
            id="several modules",
        ),
        pytest.param(
            {**MODULE, "api/go.mod": "module y\n", "api/y.go": "", "api/y_test.go": ""},
            Layer.TEST,
            [f"api: {TEST}"],
            id="a test file belongs to the innermost module",
        ),
    ],
)
def test_every_module_is_found(files: dict[str, str], layer: Layer, commands: list[str]) -> None:
    assert told_of(files, layer) == commands


def test_vet_and_gofmt_come_with_go() -> None:
    vet, gofmt = told_of(MODULE, Layer.LINT)
    assert vet == VET
    assert gofmt.startswith("sh -c found=$(find . ")
    assert gofmt.endswith("[gofmt]")


@pytest.mark.parametrize("name", GOLANGCI_FILES)
def test_golangci_lint_runs_where_it_is_configured_and_runs_vet_itself(name: str) -> None:
    assert told_of({**MODULE, name: ""}, Layer.LINT)[0] == LINTER
    assert fixers({**MODULE, name: ""})[0] == "golangci-lint run --fix"


def test_a_linter_configured_at_the_top_is_the_modules_too() -> None:
    files = {".golangci.yml": "", "api/go.mod": "", "api/a.go": ""}
    assert told_of(files, Layer.LINT)[0] == f"api: {LINTER}"


@pytest.mark.parametrize(
    ("work", "off"),
    [
        pytest.param("go 1.21\n\nuse ./api\n", ["tools"], id="one line"),
        pytest.param('use (\n\t"./api" // ours\n\t./tools\n)\n', [], id="a block"),
        pytest.param("use (\n\t// ./tools\n\tapi\n)\n", ["tools"], id="commented out"),
    ],
)
def test_a_module_outside_of_the_workspace_is_built_without_it(work: str, off: list[str]) -> None:
    files = {"go.work": work, "api/go.mod": "", "api/a.go": "", "tools/go.mod": "", "tools/t.go": ""}
    checks = [check for check in plan(files).checks if check.layer is Layer.COMPILE]
    assert [check.project for check in checks if check.env.get("GOWORK") == "off"] == off


def test_go_may_be_silent_for_as_long_as_it_lets_a_package_run() -> None:
    (test,) = [check for check in plan(TESTED).checks if check.layer is Layer.TEST]
    assert test.timeout_s > test.idle_timeout_s > 600


def test_the_dependencies_can_be_downloaded() -> None:
    (found,) = detect(snapshot(MODULE))
    assert found.setup == "go mod download"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A module with another one inside, and a stand-in for gofmt that names the files it is given."""
    program = tmp_path / "bin" / "gofmt"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nshift\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    for name in (
        "a.go",
        "my dir/b.go",
        "vendor/v.go",
        "sub/testdata/t.go",
        ".git/g.go",
        "_old/o.go",
        "api/n.go",
        "r.md",
    ):
        path = tmp_path / "module" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


def test_gofmt_gets_the_modules_own_files_and_its_findings_fail(folder: Path) -> None:
    files = {**MODULE, "api/go.mod": "", "api/n.go": ""}
    line = next(check.command[2] for check in plan(files).checks if check.tool == "gofmt")
    env = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", "-c", line], cwd=folder / "module", env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert sorted(done.stdout.split("\n")) == ["", "./a.go", "./my dir/b.go"]


def test_gofmt_passes_where_it_names_nothing(folder: Path) -> None:
    (folder / "bin" / "gofmt").write_text("#!/bin/sh\n")
    line = next(check.command[2] for check in plan(MODULE).checks if check.tool == "gofmt")
    env = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin"}
    assert subprocess.run(["sh", "-c", line], cwd=folder / "module", env=env, check=False).returncode == 0
