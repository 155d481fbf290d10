"""What validates a JavaScript or TypeScript repository."""

import json

import pytest

from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, told_of


def package(scripts: dict[str, str] | None = None, **more: object) -> dict[str, str]:
    return {"package.json": json.dumps({"scripts": scripts or {}, **more})}


@pytest.mark.parametrize(
    ("script", "text", "layer", "tool"),
    [
        ("typecheck", "tsc --noEmit", Layer.COMPILE, "tsc"),
        ("compile", "tsc -b", Layer.COMPILE, "tsc"),
        ("build", "vite build", Layer.COMPILE, "generic"),
        ("lint", "eslint .", Layer.LINT, "eslint"),
        ("format:check", "prettier --check .", Layer.LINT, "prettier"),
        ("test", "jest --ci", Layer.TEST, "jest"),
        ("test", "vitest run", Layer.TEST, "vitest"),
        ("test", "node --test", Layer.TEST, "node-test"),
    ],
)
def test_a_script_runs_in_its_layer_and_is_read_by_its_tool(script: str, text: str, layer: Layer, tool: str) -> None:
    assert told_of(package({script: text}), layer) == [f"npm run --silent {script} [{tool}]"]


def test_a_script_says_where_it_comes_from_and_stays_as_it_is() -> None:
    (check,) = plan(package({"lint": "eslint ."})).checks
    assert (check.source, check.composed) == ("package.json scripts.lint", False)


def test_the_tool_is_found_through_a_script_that_calls_another() -> None:
    scripts = {"test": "npm run test:unit", "test:unit": "yarn jest:ci", "jest:ci": "jest --ci"}
    assert told_of(package(scripts), Layer.TEST) == ["npm run --silent test [jest]"]


def test_scripts_that_call_each_other_do_not_hang() -> None:
    assert told_of(package({"test": "npm run test"}), Layer.TEST) == ["npm run --silent test [generic]"]


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param({"test": 'echo "Error: no test specified" && exit 1'}, id="npm's placeholder is no test"),
        pytest.param({"lint": "eslint --fix ."}, id="a script that rewrites files is no check"),
        pytest.param({"start": "node ."}, id="a script of another name"),
        pytest.param({"test": 3}, id="a script that is no text"),
    ],
)
def test_no_check(scripts: dict[str, str]) -> None:
    assert plan(package(scripts)).checks == ()


@pytest.mark.parametrize(
    ("more", "command"),
    [
        pytest.param({"package-lock.json": ""}, "npm run --silent lint", id="npm"),
        pytest.param({"pnpm-lock.yaml": ""}, "pnpm --silent run lint", id="pnpm"),
        pytest.param({"yarn.lock": ""}, "yarn run lint", id="yarn"),
        pytest.param({"bun.lock": ""}, "bun run --silent lint", id="bun"),
        pytest.param({}, "npm run --silent lint", id="no lock file"),
    ],
)
def test_the_lock_file_names_the_package_manager(more: dict[str, str], command: str) -> None:
    assert told_of(package({"lint": "eslint ."}) | more, Layer.LINT) == [f"{command} [eslint]"]


def test_what_is_declared_beats_the_lock_file() -> None:
    files = package({"lint": "eslint ."}, packageManager="pnpm@9.1.0") | {"yarn.lock": ""}
    assert told_of(files, Layer.LINT) == ["pnpm --silent run lint [eslint]"]


TOOLS = [
    pytest.param({"tsconfig.json": "{}"}, Layer.COMPILE, "tsc --noEmit -p . --pretty false [tsc]", id="tsconfig"),
    pytest.param({"eslint.config.mjs": ""}, Layer.LINT, "eslint . [eslint]", id="eslint's flat configuration"),
    pytest.param({".eslintrc.json": ""}, Layer.LINT, "eslint . [eslint]", id="eslint's older configuration"),
    pytest.param({"biome.json": "{}"}, Layer.LINT, "biome ci . [biome]", id="biome"),
    pytest.param({"jest.config.js": ""}, Layer.TEST, "jest [jest]", id="jest"),
    pytest.param({"vitest.config.ts": "", "jest.config.js": ""}, Layer.TEST, "vitest run [vitest]", id="vitest first"),
    pytest.param({".mocharc.json": ""}, Layer.TEST, "mocha [mocha]", id="mocha"),
    pytest.param({"a.test.js": ""}, Layer.TEST, "node --test [node-test]", id="node's own runner"),
    pytest.param({"test/a.mjs": ""}, Layer.TEST, "node --test [node-test]", id="a folder of tests"),
]


@pytest.mark.parametrize(("files", "layer", "command"), TOOLS)
def test_without_a_script_the_configured_tool_runs(files: dict[str, str], layer: Layer, command: str) -> None:
    assert told_of(package() | files, layer) == [command]


@pytest.mark.parametrize(("files", "layer", "command"), TOOLS)
def test_a_script_takes_the_tools_place(files: dict[str, str], layer: Layer, command: str) -> None:
    scripts = {"build": "make a", "lint": "make b", "test": "make c"}
    assert len(told_of(package(scripts) | files, layer)) == 1
    assert command not in told_of(package(scripts) | files, layer)


def test_a_declared_runner_needs_no_configuration() -> None:
    assert told_of(package(devDependencies={"mocha": "^10"}), Layer.TEST) == ["mocha [mocha]"]


def test_a_prettier_configuration_alone_checks_nothing() -> None:
    assert plan(package() | {".prettierrc": "{}"}).checks == ()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            package({"lint": "eslint src --max-warnings 0"}), ["eslint src --max-warnings 0 --fix"], id="eslint"
        ),
        pytest.param(
            package({"lint": "eslint . && prettier --check src"}), ["eslint . --fix", "prettier src --write"], id="both"
        ),
        pytest.param(package({"format:check": "prettier -c 'src/**'"}), ["prettier 'src/**' --write"], id="a pattern"),
        pytest.param(package() | {"eslint.config.js": ""}, ["eslint . --fix"], id="configured, no script"),
        pytest.param(package({"lint": "biome ci src"}), ["biome check --write src"], id="biome in a script"),
        pytest.param(package() | {"biome.jsonc": ""}, ["biome check --write ."], id="biome's configuration"),
        pytest.param(package({"lint": "biome lint --reporter=github ."}), ["biome lint --write ."], id="a reporter"),
        pytest.param(package({"lint": "tslint ."}), [], id="a tool without a known fixer"),
        pytest.param(package({"lint": "eslint $(git ls-files)"}), [], id="shell that is not understood"),
        pytest.param(package() | {".prettierrc": "{}"}, [], id="prettier that no check uses"),
    ],
)
def test_a_lint_command_turns_into_its_fixer(files: dict[str, str], expected: list[str]) -> None:
    assert [line.removeprefix("sh -c ") for line in fixers(files)] == expected


WORKSPACE = {
    "package.json": json.dumps({"workspaces": ["packages/*"], "scripts": {"lint": "eslint ."}}),
    "packages/a/package.json": json.dumps({"scripts": {"lint": "eslint src", "test": "jest"}}),
    "packages/b/package.json": json.dumps({"scripts": {"test": "vitest run"}}),
    "site/package.json": json.dumps({"scripts": {"lint": "eslint ."}}),
    "packages/a/node_modules/x/package.json": json.dumps({"scripts": {"test": "jest"}}),
}


def test_a_workspaces_own_script_stands_for_its_members() -> None:
    assert told_of(WORKSPACE, Layer.LINT) == ["npm run --silent lint [eslint]", "site: npm run --silent lint [eslint]"]


def test_members_run_what_the_workspace_does_not() -> None:
    assert told_of(WORKSPACE, Layer.TEST) == [
        "packages/a: npm run --silent test [jest]",
        "packages/b: npm run --silent test [vitest]",
    ]


def test_members_use_the_workspaces_package_manager() -> None:
    files = WORKSPACE | {"pnpm-lock.yaml": "", "pnpm-workspace.yaml": ""}
    assert told_of(files, Layer.TEST)[0] == "packages/a: pnpm --silent run test [jest]"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": []}', '{"workspaces": 1}', "[" * 100_000])
def test_a_broken_manifest_is_an_empty_one(text: str) -> None:
    assert plan({"package.json": text}).checks == ()


@pytest.mark.parametrize(
    ("script", "doubled"),
    [
        pytest.param("npm run test --workspaces", False, id="npm's workspaces"),
        pytest.param("pnpm -r test", False, id="pnpm's recursion"),
        pytest.param("turbo run test", False, id="turbo"),
        pytest.param("yarn workspaces foreach -A run test", False, id="yarn's foreach"),
        pytest.param("jest", False, id="a runner that looks into all folders"),
        pytest.param("node scripts/check-licences.js", True, id="something of the root's own"),
        pytest.param("mocha", True, id="a runner that looks into its own folder alone"),
    ],
)
def test_a_root_script_stands_for_the_members_where_it_runs_for_them(script: str, doubled: bool) -> None:
    files = {
        "package.json": json.dumps({"workspaces": ["packages/*"], "scripts": {"test": script}}),
        "packages/a/package.json": json.dumps({"scripts": {"test": "jest"}}),
    }
    assert len(told_of(files, Layer.TEST)) == (2 if doubled else 1)
    reasons = [one.why for one in plan(files).passed_over]
    assert reasons == ([] if doubled else ["the workspace's package.json scripts.test runs for its members"])


PNPM = "# a comment\npackages:\n  - 'packages/*'\n  - \"!packages/old\"\ncatalog:\n  x: 1\n"


@pytest.mark.parametrize(
    ("listed", "members"),
    [
        pytest.param(PNPM, {"packages/a"}, id="a list with an exception"),
        pytest.param("packages: [packages/a]\n", {"packages/a"}, id="a flow list"),
        pytest.param("packages: *anchor\n", {"packages/a", "packages/old", "site"}, id="what is not understood"),
        pytest.param("packages:\n- packages/*\n", {"packages/a", "packages/old"}, id="a list at the margin"),
    ],
)
def test_pnpms_members_are_those_that_it_lists(listed: str, members: set[str]) -> None:
    files = {
        f"{path}/package.json": json.dumps({"scripts": {"test": "jest"}})
        for path in ("packages/a", "packages/old", "site")
    }
    files |= {"pnpm-workspace.yaml": listed, **package({"test": "pnpm -r test"})}
    alone = {check.project for check in plan(files).checks if check.project != "."}
    assert alone == {"packages/a", "packages/old", "site"} - members


def test_a_tsconfig_without_a_package_is_a_project() -> None:
    files = {"web/tsconfig.json": "{}", "web/src/tsconfig.json": "{}", "web/a.ts": ""}
    assert told_of(files, Layer.COMPILE) == ["web: tsc --noEmit -p . --pretty false [tsc]"]
    assert told_of(files | {"package.json": "{}"}, Layer.COMPILE) == []


@pytest.mark.parametrize(
    ("files", "checked"),
    [
        pytest.param({"index.js": "const a = 1;"}, ["*.mjs", "*.cjs", "*.js"], id="scripts"),
        pytest.param({"index.js": "import a from 'a';", "b.mjs": ""}, ["*.mjs", "*.cjs"], id="modules by syntax alone"),
        pytest.param({"index.js": "export const a = 1;"}, [], id="nothing that node takes for what it is"),
        pytest.param({"index.js": "", "tsconfig.json": "{}"}, [], id="something else compiles"),
        pytest.param({"index.js": "", ".babelrc": ""}, [], id="babel compiles"),
        pytest.param({"README.md": ""}, [], id="no JavaScript"),
    ],
)
def test_plain_javascript_is_checked_by_node_where_node_understands_it(
    files: dict[str, str], checked: list[str]
) -> None:
    found = [check for check in plan(package() | files).checks if check.tool == "node-check"]
    assert len(found) == (1 if checked else 0)
    for check in found:
        patterns = [f"-name '{pattern}'" for pattern in ("*.mjs", "*.cjs", "*.js")]
        assert [one for one in patterns if one in check.command[2]] == [f"-name '{pattern}'" for pattern in checked]


def test_modules_are_checked_where_the_package_says_that_they_are() -> None:
    (check,) = plan(package(type="module") | {"index.js": "import a from 'a';"}).checks
    assert (check.tool, "'*.js'" in check.command[2]) == ("node-check", True)


@pytest.mark.parametrize("name", ["react", "@babel/core", "vite", "typescript", "flow-bin"])
def test_a_package_that_something_compiles_is_not_checked_by_node(name: str) -> None:
    assert plan(package(devDependencies={name: "1"}) | {"index.js": ""}).checks == ()


NEEDS = package(dependencies={"a": "1"})


@pytest.mark.parametrize(
    ("files", "setup"),
    [
        pytest.param(package(), "", id="nothing to install"),
        pytest.param(NEEDS, "npm install", id="no lock file"),
        pytest.param(NEEDS | {"package-lock.json": ""}, "npm ci", id="npm"),
        pytest.param(NEEDS | {"pnpm-lock.yaml": ""}, "pnpm install --frozen-lockfile", id="pnpm"),
        pytest.param(NEEDS | {"yarn.lock": "__metadata:\n"}, "yarn install --immutable", id="yarn"),
        pytest.param(NEEDS | {"yarn.lock": "# yarn lockfile v1\n"}, "yarn install --frozen-lockfile", id="yarn 1"),
        pytest.param(
            package(packageManager="yarn@1.22.22") | {"yarn.lock": ""}, "yarn install --frozen-lockfile", id="declared"
        ),
        pytest.param(NEEDS | {"bun.lock": ""}, "bun install --frozen-lockfile", id="bun"),
    ],
)
def test_what_would_install_the_packages_is_suggested(files: dict[str, str], setup: str) -> None:
    assert [root.setup for root in plan(files).projects] == [setup]


def test_a_workspace_is_installed_once_at_its_root() -> None:
    assert [root.setup for root in plan(WORKSPACE | {"package-lock.json": ""}).projects] == ["npm ci", "", "", ""]


def test_scripts_that_are_no_checks_are_named_with_the_reason() -> None:
    files = package({"test": 'echo "Error: no test specified" && exit 1', "lint": "eslint --fix ."})
    assert [(one.what, one.why, one.layer) for one in plan(files).passed_over] == [
        ("package.json scripts.lint", "it rewrites files", Layer.LINT),
        ("package.json scripts.test", "it is what npm init writes where there is no test", Layer.TEST),
    ]


def test_both_ecosystems_are_found_in_one_repository() -> None:
    files = WORKSPACE | {"api/pyproject.toml": "", "api/app.py": ""}
    assert plan(files).project_type == "python+node"
    assert [check.project for check in plan(files).checks if check.layer is Layer.COMPILE] == ["api"]
