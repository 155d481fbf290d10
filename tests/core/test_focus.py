"""What is looked at between two gates: the projects that a change touches."""

import pytest

from fixloop_bot.core.focus import UNTOUCHED, focused
from fixloop_bot.model.command import Check, Fixer, Plan, ProjectRoot
from fixloop_bot.model.layer import Layer


def one(layer: Layer, project: str) -> Check:
    return Check(layer=layer, command=("x",), tool="generic", project=project)


PLAN = Plan(
    project_type="python+node",
    checks=(
        one(Layer.COMPILE, "services/api"),
        one(Layer.COMPILE, "web"),
        one(Layer.COMPILE, "web/widgets"),
        one(Layer.LINT, "web"),
        one(Layer.TEST, "services/api"),
        one(Layer.TEST, "web"),
        one(Layer.TEST, "web/widgets"),
    ),
    fixers=(Fixer(layer=Layer.LINT, command=("x",), project="web"),),
    projects=(ProjectRoot(ecosystem="go", path="tools/gen"),),
)
ALL = [f"{check.layer} {check.project}" for check in PLAN.checks]


def told(plan: Plan) -> list[str]:
    return [f"{check.layer} {check.project}" for check in plan.checks]


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        pytest.param(["services/api/app.py"], ["compile services/api", "test services/api"], id="one project"),
        pytest.param(
            ["services/api/deep/er/app.py", "services/api/x.py"],
            ["compile services/api", "test services/api"],
            id="several files deep in it",
        ),
        pytest.param(
            ["web/widgets/a.ts"],
            ["compile web/widgets", "lint web", "test web/widgets"],
            id="a nested project, and the layer that only the one around it has",
        ),
        pytest.param(["web/a.ts"], ["compile web", "lint web", "test web"], id="a file of the outer project alone"),
        pytest.param(
            ["services/api/a.py", "web/a.ts"],
            [name for name in ALL if "widgets" not in name],
            id="two projects",
        ),
        pytest.param(["README.md"], ALL, id="a path outside of every project"),
        pytest.param(["webby/a.ts"], ALL, id="a folder whose name merely begins alike"),
        pytest.param([], ALL, id="nothing is known"),
        pytest.param(["services/api/a.py", "Makefile"], ALL, id="one path in a project, one outside"),
    ],
)
def test_the_checks_of_touched_projects_stay(changed: list[str], kept: list[str]) -> None:
    assert told(focused(PLAN, changed)) == kept


def test_a_layer_that_no_touched_project_has_says_so_and_runs_no_fixer() -> None:
    plan = focused(PLAN, ["services/api/a.py"])
    assert plan.skipped == {Layer.LINT: UNTOUCHED}
    assert plan.fixers == ()


def test_a_project_without_any_check_leaves_nothing_but_reasons() -> None:
    plan = focused(PLAN, ["tools/gen/main.go"])
    assert told(plan) == []
    assert set(plan.skipped) == {Layer.COMPILE, Layer.LINT, Layer.TEST}


def test_the_whole_is_the_very_plan() -> None:
    assert focused(PLAN, ["README.md"]) is PLAN
    assert focused(PLAN, ["web/a.ts", "web/widgets/b.ts", "services/api/a.py"]) is PLAN


def test_a_project_at_the_top_is_around_everything() -> None:
    plan = Plan(project_type="x", checks=(one(Layer.TEST, "."), one(Layer.TEST, "web")))
    assert told(focused(plan, ["web/a.ts"])) == ["test web"]
    assert told(focused(plan, ["src/a.py"])) == ["test ."]


def test_a_runner_of_the_repositorys_own_is_never_narrowed() -> None:
    plan = Plan(project_type="x", checks=PLAN.checks, runner="validate.sh")
    assert focused(plan, ["web/a.ts"]) is plan
