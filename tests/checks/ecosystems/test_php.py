"""What validates a PHP repository."""

import json

import pytest

from fixloop_bot.checks.ecosystems import php
from fixloop_bot.core.command_files import command_files
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

RUN = "composer run-script --no-interaction --timeout=0"


def package(scripts: dict[str, object] | None = None, **more: object) -> dict[str, str]:
    return {"composer.json": json.dumps({"scripts": scripts or {}, **more}), "src/App.php": ""}


def test_every_project_is_checked_for_syntax_without_naming_its_files_one_by_one() -> None:
    (check,) = plan(package()).checks
    assert (check.layer, check.tool, check.source) == (Layer.COMPILE, "php-lint", "default for PHP")
    line = check.command[2]
    assert line.startswith("php --version >/dev/null && find src -type d ")
    assert "php -d display_errors=1 -d log_errors=0 -l " in line
    assert command_files(plan(package()), ["src/App.php", "src"]) == (), "the sources stay editable"


@pytest.mark.parametrize(
    ("name", "script", "layer", "tool"),
    [
        ("test", "phpunit --colors=never", Layer.TEST, "phpunit"),
        ("test", ["@putenv XDEBUG_MODE=off", "@php vendor/bin/phpunit"], Layer.TEST, "phpunit"),
        ("tests", "pest", Layer.TEST, "pest"),
        ("lint", "phpcs src", Layer.LINT, "phpcs"),
        ("cs", "php-cs-fixer fix --dry-run --diff", Layer.LINT, "php-cs-fixer"),
        ("format:check", "pint --test", Layer.LINT, "php-cs-fixer"),
        ("stan", "phpstan analyse", Layer.COMPILE, "phpstan"),
        ("analyse", ["@php -d memory_limit=-1 vendor/bin/phpstan"], Layer.COMPILE, "phpstan"),
        ("psalm", "psalm", Layer.COMPILE, "psalm"),
    ],
)
def test_a_script_runs_in_its_layer_and_is_read_by_its_tool(name: str, script: object, layer: Layer, tool: str) -> None:
    assert told_of(package({name: script}), layer)[-1] == f"{RUN} {name} [{tool}]"


def test_a_script_stays_as_it_is_and_says_where_it_comes_from() -> None:
    check = plan(package({"test": "phpunit"})).checks[-1]
    assert (check.source, check.composed) == ("composer.json scripts.test", False)


def test_the_tool_is_found_through_scripts_that_call_others() -> None:
    scripts: dict[str, object] = {"test": ["@unit"], "unit": ["@run"], "run": ["phpunit"]}
    assert told_of(package(scripts), Layer.TEST) == [f"{RUN} test [phpunit]"]


def test_scripts_that_call_each_other_do_not_hang() -> None:
    scripts: dict[str, object] = {"test": ["@unit", "@unit"], "unit": ["@test", "phpunit", "@unit"]}
    assert told_of(package(scripts), Layer.TEST) == [f"{RUN} test [phpunit]"]


@pytest.mark.parametrize(
    "script",
    [
        "php-cs-fixer fix",
        "phpcbf",
        "pint",
        "ecs check --fix",
        "rector process",
        ["@fixit"],
        pytest.param(3, id="a script that is no text"),
        pytest.param([], id="an empty script"),
    ],
)
def test_a_script_that_rewrites_files_or_does_nothing_is_no_check(script: object) -> None:
    assert told_of(package({"lint": script, "fixit": "pint"}), Layer.LINT) == []


TOOLS = [
    pytest.param(
        {"phpstan.neon": "parameters:\n  paths:\n    - src\n"},
        Layer.COMPILE,
        "phpstan analyse --no-progress --memory-limit=-1 [phpstan]",
        id="phpstan that names its paths",
    ),
    pytest.param(
        {"phpstan.neon.dist": "parameters:\n  level: 5\n", "tests/ATest.php": ""},
        Layer.COMPILE,
        "phpstan analyse --no-progress --memory-limit=-1 src tests [phpstan]",
        id="phpstan without paths",
    ),
    pytest.param({"psalm.xml": ""}, Layer.COMPILE, "psalm --no-progress [psalm]", id="psalm"),
    pytest.param({"phpcs.xml": "<file>src</file>"}, Layer.LINT, "phpcs -s [phpcs]", id="phpcs that names its files"),
    pytest.param({".phpcs.xml.dist": ""}, Layer.LINT, "phpcs -s src [phpcs]", id="phpcs without files"),
    pytest.param(
        {".php-cs-fixer.dist.php": ""},
        Layer.LINT,
        "php-cs-fixer fix --dry-run --diff -v --using-cache=no [php-cs-fixer]",
        id="php-cs-fixer",
    ),
    pytest.param({"pint.json": "{}"}, Layer.LINT, "pint --test [php-cs-fixer]", id="pint"),
    pytest.param({"phpunit.xml.dist": ""}, Layer.TEST, "phpunit [phpunit]", id="phpunit"),
    pytest.param({"phpunit.xml": "", "tests/Pest.php": ""}, Layer.TEST, "pest [pest]", id="pest"),
    pytest.param({"phpunit.xml": "", "bin/phpunit": ""}, Layer.TEST, "php bin/phpunit [phpunit]", id="Symfony"),
]


@pytest.mark.parametrize(("files", "layer", "command"), TOOLS)
def test_without_a_script_the_configured_tool_runs(files: dict[str, str], layer: Layer, command: str) -> None:
    assert command in told_of(package() | files, layer)


@pytest.mark.parametrize(("files", "layer", "command"), TOOLS)
def test_a_script_takes_the_tools_place(files: dict[str, str], layer: Layer, command: str) -> None:
    scripts: dict[str, object] = {"stan": "make a", "lint": "make b", "test": "make c"}
    assert command not in told_of(package(scripts) | files, layer)


def test_a_required_phpunit_needs_no_configuration() -> None:
    files = package(None, **{"require-dev": {"phpunit/phpunit": "^11"}})
    assert told_of(files | {"tests/AppTest.php": ""}, Layer.TEST) == ["phpunit tests [phpunit]"]
    assert told_of(files, Layer.TEST) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({".php-cs-fixer.php": ""}, ["php-cs-fixer fix --using-cache=no"], id="php-cs-fixer"),
        pytest.param({"phpcs.xml": "<file>src</file>"}, ["phpcbf"], id="phpcs that names its files"),
        pytest.param({"phpcs.xml.dist": ""}, ["phpcbf src"], id="phpcs without files"),
        pytest.param({"pint.json": ""}, ["pint"], id="pint"),
        pytest.param({"phpunit.xml": ""}, [], id="no linter"),
    ],
)
def test_a_configured_linter_corrects_for_free(files: dict[str, str], expected: list[str]) -> None:
    assert fixers(package({"lint": "make lint"}) | files) == expected


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"scripts/once.php": "", "package.json": "{}"}, id="a stray script"),
        pytest.param({"composer.json": "{}"}, id="no PHP of its own"),
        pytest.param({"vendor/x/composer.json": "", "vendor/x/a.php": ""}, id="an installed package"),
    ],
)
def test_no_project(files: dict[str, str]) -> None:
    assert php.detect(snapshot(files)) == ()


def test_each_manifest_is_a_project_of_its_own() -> None:
    files = package() | {"api/composer.json": "{}", "api/index.php": "", "demo/composer.json": "{}", "demo/a.php": ""}
    found = php.detect(snapshot(files))
    assert [one.path for one in found] == [".", "api"]
    assert {one.setup for one in found} == {"composer install --no-interaction"}
    assert "find demo src " in found[0].checks[0].command[2]


def test_a_site_without_a_manifest_is_checked_for_syntax() -> None:
    (found,) = php.detect(snapshot({"index.php": "", "style.css": ""}))
    assert ([one.layer for one in found.checks], found.setup) == ([Layer.COMPILE], "")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": []}', '{"scripts": {"test": {}}}', "[" * 100_000])
def test_a_broken_manifest_is_an_empty_one(text: str) -> None:
    assert [one.tool for one in plan({"composer.json": text, "a.php": ""}).checks] == ["php-lint"]
