"""What the agent may write: product code and new tests, never what decides whether it passes."""

import pytest

from fixloop_bot.core.protect import CHECK, CI, CONFIGURED, FIXLOOP, GIT, TEST, TEST_DATA, TEST_FOLDER, Protection

PROTECTION = Protection(config_files=("ruff.toml", ".eslintrc*"), extra=("contracts/**", "/schema.sql"))


@pytest.mark.parametrize(
    "path",
    [
        "src/testing_utils_of_product.py",
        "latest.py",
        "contest.py",
        "oracle_db.py",
        "src/attest.go",
        "src/inspect.py",
        "src/Audit.java",
        "src/Split.java",
        "src/Latest.java",
        "src/manifest.php",
        "src/unit.kt",
        "src/snapshot.py",
        "src/fixtures.py",
        "src/spec/parser.py",
        "app/tasks.py",
        "lib/dockerfile_parser.py",
        "src/build.rs",
        "docs/schema.sql",
        "src/makefile_writer.py",
        "README.md",
        "a name with spaces/ünï.py",
    ],
)
def test_product_files_are_free(path: str) -> None:
    assert PROTECTION.rule(path) is None
    assert PROTECTION.rule_for_new(path) is None


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("tests/test_shop.py", TEST),
        ("shop/shop_test.go", TEST),
        ("src/button.test.tsx", TEST),
        ("src/button.spec.ts", TEST),
        ("spec/shop_spec.rb", TEST),
        ("src/test/java/ShopTest.java", TEST),
        ("shop/tests.py", TEST),
        ("tests/helpers.py", TEST_FOLDER),
        ("src/__tests__/data.ts", TEST_FOLDER),
        ("spec/support/db.rb", TEST_FOLDER),
        ("conftest.py", TEST_DATA),
        ("shop/conftest.py", TEST_DATA),
        ("tests/fixtures/test_one.py", TEST_DATA),
        ("src/__snapshots__/a.test.ts.snap", TEST_DATA),
        ("pkg/testdata/in.txt", TEST_DATA),
        ("pyproject.toml", CHECK),
        ("services/api/package.json", CHECK),
        ("tsconfig.build.json", CHECK),
        ("setup.cfg", CHECK),
        ("tox.ini", CHECK),
        ("noxfile.py", CHECK),
        ("web/taskfile.dist.yml", CHECK),
        ("hatch.toml", CHECK),
        ("bun.lock", CHECK),
        ("Makefile", CHECK),
        ("sub/ruff.toml", CHECK),
        (".eslintrc.cjs", CHECK),
        ("sitecustomize.py", CHECK),
        (".coveragerc", CHECK),
        (".github/workflows/ci.yml", CI),
        (".github/problem-matcher.json", CI),
        ("action.yml", CI),
        (".gitlab-ci.yml", CI),
        (".git/config", GIT),
        ("vendor/lib/.git/hooks/pre-commit", GIT),
        (".gitattributes", GIT),
        (".fixloop.yml", FIXLOOP),
        ("contracts/api/v1.yaml", CONFIGURED),
        ("schema.sql", CONFIGURED),
    ],
)
def test_what_decides_over_the_agent_is_protected(path: str, rule: str) -> None:
    assert PROTECTION.rule(path) == rule


@pytest.mark.parametrize("path", ["tests/test_new.py", "shop/new_test.go", "src/new.test.ts", "test/NewTest.java"])
def test_a_new_test_may_be_made(path: str) -> None:
    assert PROTECTION.rule(path) is not None
    assert PROTECTION.rule_for_new(path) is None


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("tests/conftest.py", id="it would run before every test"),
        pytest.param("tests/json.py", id="it would shadow a module for the other tests"),
        pytest.param("tests/__init__.py", id="it would change how the tests are found"),
        pytest.param("tests/fixtures/test_a.py", id="it would stand among the fixtures"),
        pytest.param("pytest.ini/../setup.cfg", id="it would configure the checks"),
        pytest.param("contracts/test_a.py", id="the repository says so"),
    ],
)
def test_no_file_may_be_made_that_changes_other_tests(path: str) -> None:
    assert PROTECTION.rule_for_new(path) is not None
