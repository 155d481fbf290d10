"""What validates a Rust repository."""

import pytest

from fixloop_bot.checks.ecosystems.rust import detect
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

CRATE = {"Cargo.toml": '[package]\nname = "x"\n', "src/lib.rs": "pub fn f() {}\n"}
UNIT = {**CRATE, "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {}\n}\n"}
WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["a"]\nexclude = ["apart"]\n',
    "a/Cargo.toml": '[package]\nname = "a"\n',
    "a/src/lib.rs": "#[test]\nfn f() {}\n",
}
CHECK, TEST = "cargo check --all-targets [cargo-check]", "cargo test --no-fail-fast [cargo-test]"
MEMBERS = "cargo check --workspace --all-targets [cargo-check]"
FMT, CLIPPY = "cargo fmt --all -- --check [rustfmt]", "cargo clippy --all-targets [clippy]"
WORKFLOW = ".github/workflows/ci.yml"


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param(CRATE, [CHECK], id="a package"),
        pytest.param(WORKSPACE, [MEMBERS], id="a workspace stands for its members"),
        pytest.param(
            {**WORKSPACE, "Cargo.toml": '[workspace]\nmembers = ["a"]\ndefault-members = ["a"]\n'},
            [CHECK],
            id="it may say itself which members to take",
        ),
        pytest.param(
            {**WORKSPACE, "apart/Cargo.toml": "[package]\n", "apart/src/lib.rs": ""},
            [MEMBERS, f"apart: {CHECK}"],
            id="an excluded package is one of its own",
        ),
        pytest.param(
            {**WORKSPACE, "b/Cargo.toml": "[package]\n[workspace]\n", "b/src/lib.rs": ""},
            [MEMBERS, f"b: {MEMBERS}"],
            id="a workspace inside another",
        ),
        pytest.param(
            {**CRATE, "fuzz/Cargo.toml": "[package.metadata]\ncargo-fuzz = true\n[workspace]\n", "fuzz/f.rs": ""},
            [CHECK],
            id="fuzzing needs a compiler of its own",
        ),
        pytest.param({"a/Cargo.toml": "", "a/src/lib.rs": "", "b/Cargo.toml": "", "b/src/lib.rs": ""},
                     [f"a: {CHECK}", f"b: {CHECK}"], id="two packages"),
        pytest.param({"Cargo.toml": "[package]\n"}, [], id="no source"),
        pytest.param({**CRATE, "Cargo.toml": "[package\n"}, [CHECK], id="a broken manifest is found by cargo"),
    ],
)  # fmt: skip
def test_every_project_is_checked_once(files: dict[str, str], commands: list[str]) -> None:
    assert told_of(files, Layer.COMPILE) == commands


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param(UNIT, [TEST], id="a unit test"),
        pytest.param({**CRATE, "tests/it.rs": ""}, [TEST], id="an integration test"),
        pytest.param({**CRATE, "src/lib.rs": "/// ```\n/// f();\n/// ```\n"}, [TEST], id="a documentation test"),
        pytest.param({**CRATE, "src/a.rs": "#[tokio::test]\nasync fn f() {}\n"}, [TEST], id="an asynchronous test"),
        pytest.param(CRATE, [], id="none"),
        pytest.param({**CRATE, "src/lib.rs": "/// ```text\n/// a\n"}, [], id="a block of text is no test"),
    ],
)
def test_tests_run_where_there_are_some(files: dict[str, str], commands: list[str]) -> None:
    assert told_of(files, Layer.TEST) == commands


@pytest.mark.parametrize(
    ("config", "commands"),
    [
        pytest.param({}, [], id="no linter is forced on a project"),
        pytest.param({"rustfmt.toml": ""}, [FMT], id="rustfmt's file"),
        pytest.param({"clippy.toml": ""}, [CLIPPY], id="clippy's file"),
        pytest.param(
            {"Cargo.toml": '[package]\n[lints.clippy]\nall = "deny"\n'}, [CLIPPY], id="levels in the manifest"
        ),
        pytest.param({WORKFLOW: "- run: cargo fmt --check\n"}, [FMT], id="CI formats"),
        pytest.param({WORKFLOW: "# - run: cargo fmt\n"}, [], id="CI once did"),
        pytest.param({WORKFLOW: "- run: cargo +stable clippy\n"}, [CLIPPY], id="CI lints"),
        pytest.param(
            {WORKFLOW: "- run: cargo clippy --all -- -D warnings\n"},
            ["cargo clippy --all-targets -- -D warnings [clippy]"],
            id="and takes warnings for errors",
        ),
        pytest.param(
            {WORKFLOW: "env:\n  RUSTFLAGS: -D warnings\n- run: cargo clippy\n"},
            ["cargo clippy --all-targets -- -D warnings [clippy]"],
            id="by its environment",
        ),
        pytest.param({WORKFLOW: "RUSTFLAGS: -D warnings\n- run: cargo build\n"}, [], id="a flag alone is no linter"),
    ],
)
def test_linters_run_where_the_project_uses_them(config: dict[str, str], commands: list[str]) -> None:
    assert told_of(CRATE | config, Layer.LINT) == commands


def test_fixers_are_those_of_the_linters_in_use() -> None:
    fix = "cargo clippy --fix --allow-dirty --allow-staged --allow-no-vcs --all-targets"
    assert fixers(CRATE) == []
    assert fixers({**CRATE, WORKFLOW: "cargo clippy -- -D warnings\ncargo fmt\n"}) == [fix, "cargo fmt --all"]
    assert fixers({**CRATE, WORKFLOW: "cargo clippy\n"}) == [], "what is only warned of is not rewritten"


@pytest.mark.parametrize(
    ("ignored", "elsewhere"),
    [
        ({}, "{scratch}/target"),
        ({".gitignore": "*.o\n"}, "{scratch}/target"),
        ({".gitignore": "/target\n"}, None),
        ({".gitignore": "**/target/\n"}, None),
    ],
)
def test_the_build_folder_stays_where_git_ignores_it(ignored: dict[str, str], elsewhere: str | None) -> None:
    assert {check.env.get("CARGO_TARGET_DIR") for check in plan(UNIT | ignored).checks} == {elsewhere}


def test_every_project_has_a_build_folder_of_its_own() -> None:
    files = {"a/b/Cargo.toml": "", "a/b/src/lib.rs": "", "c/Cargo.toml": "", "c/src/lib.rs": ""}
    folders = [check.env["CARGO_TARGET_DIR"] for check in plan(files).checks]
    assert folders == ["{scratch}/target-c", "{scratch}/target-a-b"]


def test_the_dependencies_can_be_downloaded() -> None:
    (found,) = detect(snapshot(CRATE))
    assert found.setup == "cargo fetch"
