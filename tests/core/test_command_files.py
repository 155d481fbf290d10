"""Which files of the repository decide a verdict because the checks execute them."""

import pytest

from fixloop_bot.core.command_files import command_files
from fixloop_bot.core.protect import EXECUTED, Protection
from fixloop_bot.model.command import Check, Plan
from fixloop_bot.model.layer import Layer

TRACKED = frozenset(("tools/run.sh", "scripts/check.py", "src/a.c", "app/main.py", "web/bin/test", "a b.sh"))


def shell(line: str) -> tuple[str, ...]:
    return ("sh", "-c", line)


@pytest.mark.parametrize(
    ("command", "project", "protected"),
    [
        pytest.param(shell("sh tools/run.sh"), ".", ["tools/run.sh"], id="behind a shell"),
        pytest.param(
            shell("set -e; ./tools/run.sh --all"), ".", ["tools/run.sh"], id="by its own path, second command"
        ),
        pytest.param(shell("CI=1 python -X dev scripts/check.py"), ".", ["scripts/check.py"], id="behind options"),
        pytest.param(shell("gcc src/a.c -o a && ./a"), ".", [], id="a compiler's sources stay editable"),
        pytest.param(("python", "-m", "pytest", "app/main.py"), ".", [], id="a tool's subjects stay editable"),
        pytest.param(shell("bin/test"), "web", ["web/bin/test"], id="relative to its project"),
        pytest.param(shell("sh 'a b.sh'"), ".", ["a b.sh"], id="a name with a blank"),
        pytest.param(shell("sh 'tools/run.sh"), ".", [], id="a line that no shell takes"),
        pytest.param(shell("true\nsh tools/run.sh"), ".", ["tools/run.sh"], id="several lines"),
    ],
)
def test_what_a_check_executes_is_protected(command: tuple[str, ...], project: str, protected: list[str]) -> None:
    plan = Plan(project_type="any", checks=(Check(layer=Layer.TEST, command=command, tool="generic", project=project),))
    protection = Protection(executed=lambda: command_files(plan, TRACKED))
    assert [path for path in sorted(TRACKED) if protection.rule(path) == EXECUTED] == protected


def test_the_repository_s_own_runner_is_protected() -> None:
    plan = Plan(project_type="any", runner="tools/run.sh")
    assert Protection(executed=lambda: command_files(plan, TRACKED)).rule("tools/run.sh")
