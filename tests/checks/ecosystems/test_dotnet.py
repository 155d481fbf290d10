"""What validates a .NET repository."""

import json

import pytest

from fixloop_bot.checks.ecosystems.dotnet import ENV, detect
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, snapshot, told_of

TEST_PACKAGE = '<ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk"/></ItemGroup>'
TESTS = f'<Project Sdk="Microsoft.NET.Sdk">{TEST_PACKAGE}</Project>'
LIBRARY = '<Project Sdk="Microsoft.NET.Sdk"/>'
SHOP = {"Shop.sln": "", "src/Shop/Shop.csproj": LIBRARY, "tests/Shop.Tests/Shop.Tests.csproj": TESTS}


def test_a_solution_is_built_and_tested() -> None:
    assert told_of(SHOP, Layer.COMPILE) == ["dotnet build Shop.sln [dotnet-build]"]
    assert told_of(SHOP, Layer.LINT) == []
    assert told_of(SHOP, Layer.TEST) == ["dotnet test Shop.sln --logger trx [dotnet-test]"]
    assert plan(SHOP).project_type == "dotnet"


def test_plain_messages_in_english_are_asked_for() -> None:
    assert {tuple(check.env.items()) for check in plan(SHOP).checks} == {tuple(ENV.items())}


def test_without_a_test_project_nothing_is_tested() -> None:
    assert told_of({"Shop.slnx": "", "Shop/Shop.csproj": LIBRARY}, Layer.TEST) == []


@pytest.mark.parametrize("where", [".editorconfig", "src/.editorconfig"])
def test_an_editorconfig_brings_the_formatter_as_check_and_fixer(where: str) -> None:
    files = {f"src/{path}": text for path, text in SHOP.items()} | {where: "root = true\n"}
    assert told_of(files, Layer.LINT) == ["src: dotnet format Shop.sln --verify-no-changes [dotnet-build]"]
    assert fixers(files) == ["dotnet format Shop.sln"]


def test_projects_without_a_solution_stand_for_themselves() -> None:
    files = {"a/A.csproj": LIBRARY, "b/B.fsproj": TESTS, "samples/S.csproj": LIBRARY}
    assert told_of(files, Layer.COMPILE) == [
        "a: dotnet build A.csproj [dotnet-build]",
        "b: dotnet build B.fsproj [dotnet-build]",
    ]
    assert told_of(files, Layer.TEST) == ["b: dotnet test B.fsproj --logger trx [dotnet-test]"]


def test_of_several_solutions_in_a_folder_one_is_built() -> None:
    files = SHOP | {"Shop.Everything.sln": "", "src/Inner.sln": ""}
    assert told_of(files, Layer.COMPILE) == ["dotnet build Shop.sln [dotnet-build]"]


def test_the_new_runner_is_not_given_the_old_ones_option() -> None:
    files = SHOP | {"global.json": json.dumps({"test": {"runner": "Microsoft.Testing.Platform"}})}
    assert told_of(files, Layer.TEST) == ["dotnet test Shop.sln [dotnet-test]"]


def test_it_says_what_would_fetch_the_packages() -> None:
    assert [found.setup for found in detect(snapshot(SHOP))] == ["dotnet restore"]


def test_loose_sources_are_no_project() -> None:
    assert plan({"Program.cs": ""}).project_type == "unknown"
