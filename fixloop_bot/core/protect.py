"""Which paths the fix agent may not write: whatever decides whether its work passes."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from pathspec import GitIgnoreSpec

TEST: Final = "test"
TEST_FOLDER: Final = "among the tests"
TEST_DATA: Final = "test data"
CHECK: Final = "check configuration"
CI: Final = "CI configuration"
GIT: Final = "git configuration"
FIXLOOP: Final = "fixloop configuration"
CONFIGURED: Final = "protected by .fixloop.yml"
EXECUTED: Final = "executed by a check"

# gitwildmatch: a pattern without a slash matches in any folder, one that ends in a slash matches a whole folder.
_PATTERNS: Mapping[str, tuple[str, ...]] = {
    TEST: (
        "test_*.py", "*_test.py", "tests.py", "test_*.pyi", "*.test.*", "*.spec.*", "*-test.js", "*-test.ts",
        "*.cy.*", "*.e2e.*", "*_test.go", "*_spec.rb", "*_test.rb", "test_*.rb",
        "*Test.java", "*Tests.java", "*TestCase.java", "*IT.java", "*Test.kt", "*Tests.kt", "*Spec.kt",
        "*Spec.scala", "*Spec.groovy", "*Test.php", "*Test.cs", "*Tests.cs", "*Tests.swift",
        "*_test.c", "*_test.cc", "*_test.cpp", "*_unittest.cc", "test_*.c", "test_*.cc", "test_*.cpp",
        "*.bats", "*_test.sh", "test_*.sh", "*_test.exs", "*.feature", "*.t", "*_test.rs", "*_tests.rs", "tests.rs",
    ),
    TEST_FOLDER: (
        "test/", "tests/", "Test/", "Tests/", "__tests__/", "/spec/", "/specs/", "spec/**/*.rb", "e2e/", "cypress/",
        "testsuite/", "/benches/", "*.Tests/", "*.UnitTests/", "*.IntegrationTests/",
    ),
    TEST_DATA: (
        "conftest.py", "fixtures/", "__fixtures__/", "testdata/", "test-data/", "test_data/", "__snapshots__/",
        "__image_snapshots__/", "__screenshots__/", "__mocks__/", "*.snap", "*.snap.*", "*.ambr", "*.golden",
        "golden/", "goldens/", "*.approved.*", "*.verified.*", "cassettes/", "spec_helper.rb", "rails_helper.rb",
    ),
    CHECK: (
        "pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "tox.toml", "hatch.toml", "noxfile.py", "/tasks.py",
        "sitecustomize.py", "pdm.lock", "bun.lock", "bun.lockb",
        "usercustomize.py", "*.pth", "requirements*.txt", "constraints*.txt", "Pipfile", "Pipfile.lock",
        "poetry.lock", "uv.lock", "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock",
        "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "deno.json",
        "deno.jsonc", "tsconfig*.json", "jsconfig*.json", "nx.json", "turbo.json", "lerna.json", "wallaby.*",
        "babel.config.*", ".babelrc*", "vite.config.*", "webpack.config.*", "rollup.config.*", "karma.conf.*",
        "Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", ".justfile", "[Tt]askfile*.yml",
        "[Tt]askfile*.yaml", "CMakeLists.txt", "*.cmake", "CMakePresets.json", "meson.build", "BUILD.bazel", "*.bzl",
        ".bazelrc", "go.mod", "go.sum", "go.work", "Cargo.toml", "Cargo.lock", ".cargo/", "rust-toolchain",
        "rust-toolchain.toml", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle",
        "settings.gradle.kts", "gradle.properties", "/gradle/", ".mvn/", "gradlew", "mvnw", "Gemfile",
        "Gemfile.lock", "Rakefile", "*.gemspec", "composer.json", "composer.lock", "*.csproj", "*.fsproj", "*.sln",
        "*.runsettings", "Directory.*.props", "Directory.*.targets", "global.json", "mix.exs", "*.sbt",
        "Package.swift", ".editorconfig", ".pre-commit-config.yaml", ".pre-commit-config.yml", "lefthook.yml",
        "lefthook.yaml", ".husky/", ".lintstagedrc*", "lint-staged.config.*", ".python-version", ".nvmrc",
        ".node-version", ".tool-versions", ".ruby-version", "mise.toml", ".mise.toml", ".env", ".env.*", ".envrc",
        "deny.toml", "tarpaulin.toml", ".simplecov", ".reek.yml", "pmd*.xml", "spotbugs*.xml", "lombok.config",
        ".stylelintrc*", "stylelint.config.*", ".oxlintrc.json", "ava.config.*", "playwright.config.*",
        "cypress.config.*", "cypress.json", ".swiftlint.yml", ".swift-format", ".globalconfig", "stylecop.json",
        "pytype.cfg", ".bandit", ".yamllint*", ".hadolint.y*ml", ".markdownlint*", ".semgrep*", "semgrep.y*ml",
        ".coveragerc", "codecov.yml", "codecov.yaml", ".codecov.yml", ".codecov.yaml", ".nycrc*", ".c8rc*",
        "*problem-matcher*.json", "sonar-project.properties", ".codeclimate.yml", "/script/test", "/script/lint",
        "/scripts/test", "/scripts/test.*", "/scripts/lint", "/scripts/lint.*", "/scripts/check", "/scripts/check.*",
        "/scripts/validate", "/scripts/validate.*", "/scripts/ci", "/scripts/ci.*", "/bin/test", "/bin/lint",
    ),
    CI: (
        ".github/", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".gitlab/", ".circleci/", ".travis.yml", ".appveyor.yml",
        "appveyor.yml", ".buildkite/", "Jenkinsfile", "Jenkinsfile.*", "azure-pipelines*.yml", ".azure-pipelines/",
        "bitbucket-pipelines.yml", ".drone.yml", ".woodpecker.yml", ".woodpecker/", ".cirrus.yml", "cloudbuild.yaml",
        ".teamcity/", ".semaphore/", ".ci/", "/ci/", "renovate.json*", ".renovaterc*", "action.yml", "action.yaml",
        "CODEOWNERS", "Dockerfile", "Dockerfile.*", "*.Dockerfile", "docker-compose*.yml", "docker-compose*.yaml",
        "compose.yml", "compose.yaml", ".devcontainer/",
    ),
    GIT: (".git", ".gitattributes", ".gitignore", ".gitmodules", ".gitconfig", ".githooks/", ".mailmap"),
    FIXLOOP: (".fixloop.yml", ".fixloop.yaml", ".fixloop/"),
}  # fmt: skip


class Protection:
    """The protected paths of one repository.

    `config_files` are the check tools' own configuration, `extra` what the base branch's `.fixloop.yml` adds,
    `executed` the programs that the checks run (`core.command_files`); all are gitwildmatch patterns. Paths are POSIX,
    relative to the worktree. Nothing is compiled, nor `executed` asked for, before the first path is judged: a run
    in which nothing is written needs none of it.
    """

    def __init__(
        self,
        *,
        config_files: Iterable[str] = (),
        extra: Iterable[str] = (),
        executed: Callable[[], Iterable[str]] = tuple[str, ...],
    ) -> None:
        self._config_files, self._extra, self._executed = tuple(config_files), tuple(extra), executed

    @cached_property
    def _specs(self) -> Mapping[str, GitIgnoreSpec]:
        own = {CONFIGURED: self._extra, EXECUTED: tuple(self._executed())}
        groups = {**_PATTERNS, CHECK: (*_PATTERNS[CHECK], *self._config_files), **own}
        strongest = (CONFIGURED, EXECUTED, FIXLOOP, GIT, CI, CHECK, TEST_DATA, TEST, TEST_FOLDER)
        return {rule: GitIgnoreSpec.from_lines(groups[rule]) for rule in strongest}

    def rule(self, path: str) -> str | None:
        """Return why the path is protected, None where the agent may write."""
        return next((rule for rule, spec in self._specs.items() if spec.match_file(path)), None)

    def is_test(self, path: str) -> bool:
        """Return whether the file is a test by its own name: a new one is allowed."""
        return self.rule(path) == TEST

    def is_of_tests(self, path: str) -> bool:
        """Return whether the file is a test, or something that only tests read."""
        return self.rule(path) in (TEST, TEST_FOLDER, TEST_DATA)

    def rule_for_new(self, path: str) -> str | None:
        """Return why no file may be made at the path.

        A new test may be, by its own name: any other file in a folder of tests could change what the others see.
        """
        return None if self.is_test(path) else self.rule(path)

    def rule_for_change(self, path: str, *, is_new: bool) -> str | None:
        """Return why a changed file breaks the protection, None where it does not; a new test does not."""
        return self.rule_for_new(path) if is_new else self.rule(path)

    def broken_by(self, changed: Mapping[str, str]) -> tuple[str, ...]:
        """Return the protected files among changes (path → git's status letter), a clause each; a new test is none."""
        judged = ((path, self.rule_for_change(path, is_new=letter == "A")) for path, letter in changed.items())
        return tuple(f"{path} was changed, which is protected ({why})" for path, why in sorted(judged) if why)
