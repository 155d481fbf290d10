"""Whatever lies in a repository's manifests, detection ends in a plan, and in the same one each time."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixloop_bot.checks.ecosystems.dependencies import declared_dependencies
from fixloop_bot.checks.ecosystems.registry import ECOSYSTEMS, detect
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.registry import TOOLS
from tests.hostile.families import GENERAL

TYPICAL = {
    "package.json": '{"name": "a", "scripts": {"test": "jest", "lint": "eslint . && tsc", "build": "npm run x -w b"},'
    ' "workspaces": ["packages/*"], "devDependencies": {"jest": "1"}, "packageManager": "pnpm@9.0.0"}',
    "pnpm-workspace.yaml": 'packages:\n  - "packages/*"\n  - "!**/test"\n',
    "tsconfig.json": '{"references": [{"path": "./a"}], "compilerOptions": {}}',
    "lerna.json": '{"packages": ["packages/*"]}',
    "turbo.json": '{"tasks": {"test": {}}}',
    "pyproject.toml": '[project]\nname = "a"\ndependencies = ["b>=1"]\n[tool.ruff]\n[tool.pytest.ini_options]\n'
    '[tool.hatch.envs.default.scripts]\ntest = "pytest"\n[tool.poe.tasks]\nlint = "ruff check"\n[tool.pdm.scripts]\n',
    "setup.cfg": "[flake8]\nmax-line-length = 100\n[tool:pytest]\n[mypy]\n[options.extras_require]\ntest = pytest\n",
    "tox.ini": "[tox]\nenvlist = py311,lint\n[testenv]\ncommands = pytest\n[pytest]\n",
    "noxfile.py": "@nox.session(name='tests')\ndef tests(session):\n    session.run('pytest')\n",
    "requirements.txt": "pytest==8\n-r more.txt\n# x\nmypy\n",
    "Makefile": "test: build\n\tpytest\nlint:\n\truff check .\n%.o: %.c\n\tcc $<\n",
    "justfile": "test arg='x':\n    pytest\nlint:\n    ruff check\n",
    "Taskfile.yml": "version: '3'\ntasks:\n  test:\n    cmds: [go test ./...]\n  lint: {internal: true}\n",
    ".pre-commit-config.yaml": "repos:\n- repo: x\n  hooks:\n  - id: black\n    args: [--check, -l, '100']\n",
    ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n    - run: |\n        mypy --strict src\n        npm test\n",
    "go.mod": "module example.com/x\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n",
    "go.work": "go 1.22\nuse (\n\t./a\n\t./b\n)\nuse ./c\n",
    ".golangci.yml": "linters:\n  enable: [govet]\n",
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n[package]\nname = "a"\n[dependencies]\nserde = "1"\n',
    "pom.xml": "<project><modules><module>a</module></modules><build><plugins><plugin><artifactId>"
    "maven-checkstyle-plugin</artifactId></plugin></plugins></build></project>",
    "build.gradle": "plugins { id 'java'\n id 'checkstyle' }\ntest { useJUnitPlatform() }\n",
    "settings.gradle": "include ':a', ':b:c'\nincludeBuild 'd'\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(a)\nenable_testing()\nadd_subdirectory(b)\n",
    "CMakePresets.json": '{"version": 3, "configurePresets": [{"name": "d"}], "testPresets": [{"name": "t"}]}',
    "meson.build": "project('a', 'c')\ntest('x', exe)\n",
    "Gemfile": "source 'https://rubygems.org'\ngem 'rspec'\ngemspec\n",
    "Rakefile": "Rake::TestTask.new(:unit)\ntask default: :unit\nRuboCop::RakeTask.new\n",
    "a.gemspec": "Gem::Specification.new { |s| s.add_development_dependency 'minitest' }\n",
    "composer.json": '{"scripts": {"test": "phpunit", "lint": ["phpcs", "@x"]}, "require-dev": {"pestphp/pest": "1"}}',
    "phpunit.xml": "<phpunit><testsuites/></phpunit>",
    "phpstan.neon": "parameters:\n  level: 5\n",
    "a.csproj": "<Project><ItemGroup><PackageReference Include='xunit'/><ProjectReference Include='..\\b\\b.csproj'/>"
    "</ItemGroup></Project>",
    "a.sln": 'Project("{X}") = "a", "a\\a.csproj", "{Y}"\nEndProject\n',
    "run.sh": "#!/bin/bash\necho $1\n",
    "test/a.bats": "@test 'a' {\n  true\n}\n",
    "src/lib.rs": "#[cfg(test)]\nmod t { #[test] fn a() {} }\n",
    "a_test.go": "package x\nfunc TestA(t *testing.T) {}\n",
    "tests/test_a.py": "def test_a(): pass\n",
    "src/a.php": "<?php echo 1;\n",
    "lib/a.rb": "puts 1\n",
    "src/main/java/A.java": "class A {}\n",
    "src/main.c": "int main(void) { return 0; }\n",
}
FOLDERS = st.sampled_from(["", "", "", "packages/a/", "services/b c/", "-x/", "\u00e9/", "a/b/c/d/", "node_modules/x/"])
ODD = st.text(max_size=40) | st.sampled_from(["", "\0", "\ufeff{}", "[", "---\n- - -\n", "\t" * 99, "null", "3", '"a"'])
KEYS = {word for text in TYPICAL.values() if text.startswith("{") for word in json.loads(text)}
NAMES = sorted(KEYS | {"test", "lint", "build"})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(["../..", "./*", "jest && "]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=9,
).map(json.dumps)


@st.composite
def texts(draw: st.DrawFn, name: str) -> str:
    """What may stand in a manifest: what usually does, a part of that amid anything, or another file's content."""
    usual = draw(st.sampled_from([TYPICAL[name]] * 3 + list(TYPICAL.values())))
    if draw(st.booleans()):
        return usual
    at = draw(st.integers(0, len(usual)))
    return draw(st.sampled_from([usual[:at] + draw(ODD) + usual[at + 3 :], usual * 3, draw(ODD), draw(JSON)]))


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, str]:
    names = draw(st.lists(st.sampled_from(sorted(TYPICAL)), max_size=9))
    return {draw(FOLDERS) + name: draw(texts(name)) for name in names}


def plan_claims(files: dict[str, str]) -> None:
    plan = detect(Snapshot(tuple(files), files.get))
    assert plan == detect(Snapshot(tuple(reversed(files)), files.get)), "the order of the files decides"
    declared_dependencies(Snapshot(tuple(files), files.get))
    assert len(plan.checks) <= 40 * (len(files) + 1)
    for check in plan.checks:
        assert check.tool in TOOLS
        assert check.command
        assert all(isinstance(word, str) for word in check.command)
        assert check.project == "." or any(path.startswith(f"{check.project}/") for path in files)
    for root in plan.projects:
        assert not root.path.startswith(("/", ".."))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(repositories())
def test_a_repository_of_any_manifests_gets_one_plan(files: dict[str, str]) -> None:
    plan_claims(files)


@pytest.mark.parametrize("name", sorted(TYPICAL))
def test_a_manifest_that_is_cut_anywhere_is_read_as_far_as_it_goes(name: str) -> None:
    for end in range(0, len(TYPICAL[name]), 7):
        plan_claims({name: TYPICAL[name][:end], "src/a.py": ""})


@pytest.mark.parametrize("family", GENERAL.values(), ids=list(GENERAL))
def test_hostile_manifests_come_to_an_end(family: object) -> None:
    assert callable(family)
    plan_claims({f"{name}": family(20_000) for name in TYPICAL})


def test_every_ecosystem_is_met() -> None:
    found = detect(Snapshot(tuple(TYPICAL), TYPICAL.get)).project_type.split("+")
    assert set(found) == set(ECOSYSTEMS)
