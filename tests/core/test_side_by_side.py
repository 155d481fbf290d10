"""Which checks run at the same time, and which wait for each other."""

from collections.abc import Mapping

import pytest

from fixloop_bot.core.side_by_side import MOST_READ, rounds, self_contained
from fixloop_bot.model.command import Check
from fixloop_bot.model.layer import Layer


def check(project: str, command: str = "x") -> Check:
    return Check(layer=Layer.TEST, command=tuple(command.split()), tool="generic", project=project)


def among(projects: str, files: Mapping[str, str] | None = None, command: str = "x") -> set[str]:
    found = files or {}
    return set(self_contained([check(project, command) for project in projects.split()], tuple(found), found.get))


@pytest.mark.parametrize(
    ("projects", "expected"),
    [
        pytest.param("api web", [["api", "web"]], id="two folders"),
        pytest.param("x/api x/apiary", [["x/api", "x/apiary"]], id="one name begins the other"),
        pytest.param(". web api", [["."], ["web"], ["api"]], id="the root holds all others"),
        pytest.param("web web/widgets", [["web"], ["web/widgets"]], id="one in the other"),
        pytest.param("web web/deep/er api ui", [["web"], ["web/deep/er"], ["api", "ui"]], id="one deep in the other"),
        pytest.param("web", [["web"]], id="one has nothing to run beside"),
        pytest.param("a a b c a b", [["a", "b", "c"], ["a", "b"], ["a"]], id="each project's in their order"),
    ],
)
def test_only_projects_with_separate_folders_run_beside_each_other(projects: str, expected: list[list[str]]) -> None:
    checks = [check(name) for name in projects.split()]
    told = [[one.project for one in together] for together in rounds(checks, set(projects.split()))]
    assert told == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("package.json", '{"dependencies": {"core": "file:../core"}}', id="npm's path"),
        pytest.param("package.json", '{"dependencies": {"core": "workspace:*"}}', id="a workspace's member"),
        pytest.param("tsconfig.json", '{"extends": "../tsconfig.base.json"}', id="a shared configuration"),
        pytest.param("pyproject.toml", 'core = {path = "../core"}', id="poetry's path"),
        pytest.param("requirements.txt", "-e ../core\n", id="pip's editable"),
        pytest.param("go.mod", "replace shop/core => ../core\n", id="go's replace"),
        pytest.param("Cargo.toml", 'core = { path = "../core" }', id="cargo's path"),
        pytest.param("Api.csproj", '<ProjectReference Include="..\\Core\\Core.csproj" />', id=".NET's reference"),
        pytest.param("Makefile", "OUT := ../../build\n", id="a build folder at the root"),
        pytest.param("build.gradle", "buildDir = new File(rootProject.buildDir, name)", id="gradle's, in other words"),
        pytest.param("build.sh", "cd ..\nmake\n", id="a script that goes there"),
        pytest.param("build.sh", 'cd "$(git rev-parse --show-toplevel)"\n', id="a script that asks git where that is"),
    ],
)
def test_a_project_that_names_something_outside_waits_for_the_others(name: str, text: str) -> None:
    assert among("api web tools", {f"api/{name}": text, f"web/{name}": "plain", f"web/src/{name}": text}) == {
        "web",
        "tools",
    }


def test_a_command_that_goes_outside_waits_for_the_others() -> None:
    assert among("api web", command="sh -c cd ..; make") == set()


def test_a_project_of_more_files_than_are_read_waits_for_the_others() -> None:
    many = {f"api/{number}.json": "{}" for number in range(MOST_READ + 1)}
    assert among("api web tools", many) == {"web", "tools"}


def test_the_checks_of_the_others_keep_their_place() -> None:
    checks = [check(name) for name in ["a", "b", "c", "leaning", "a", "b"]]
    told = [[one.project for one in together] for together in rounds(checks, {"a", "b", "c"})]
    assert told == [["a", "b", "c"], ["leaning"], ["a", "b"]]
