"""`.fixloop.yml` over what was detected, layer by layer and project by project."""

from collections.abc import Mapping

import pytest

from fixloop_bot.core.plan import combine
from fixloop_bot.model.command import Check, Fixer, Plan
from fixloop_bot.model.config import LayerConfig, ProjectConfig, RepoConfig
from fixloop_bot.model.layer import Layer


def found(layer: Layer, project: str = ".") -> Check:
    return Check(layer=layer, command=("found", layer.value), tool="t", project=project)


DETECTED = Plan(
    project_type="python+node",
    checks=(found(Layer.COMPILE), found(Layer.LINT), found(Layer.LINT, "web"), found(Layer.TEST, "web")),
    fixers=(Fixer(layer=Layer.LINT, command=("mend",)), Fixer(layer=Layer.LINT, command=("mend",), project="web")),
)


def planned(layers: Mapping[Layer, LayerConfig], *projects: ProjectConfig, detected: Plan = DETECTED) -> Plan:
    return combine(detected, RepoConfig(layers=layers, projects=projects), lambda line: line.split()[0])


def told(plan: Plan) -> list[str]:
    return [f"{check.project} {check.layer}: {' '.join(check.command)}" for check in plan.checks]


def test_without_configuration_everything_detected_runs() -> None:
    assert planned({}).checks == DETECTED.checks
    assert planned({}).fixers == DETECTED.fixers
    assert planned({}).project_type == "python+node"


def test_a_layers_own_commands_replace_all_that_was_detected_for_it() -> None:
    plan = planned({Layer.LINT: LayerConfig(run=("a one", "b two"))})
    assert told(plan) == [
        ". compile: found compile",
        ". lint: sh -c a one",
        ". lint: sh -c b two",
        "web test: found test",
    ]
    assert [(c.tool, c.after_success, c.source) for c in plan.checks if c.layer is Layer.LINT] == [
        ("a", False, ".fixloop.yml layers.lint"),
        ("b", True, ".fixloop.yml layers.lint"),
    ]
    assert plan.fixers == DETECTED.fixers, "what the project is configured for may still mend"


def test_what_is_replaced_is_told_with_the_reason() -> None:
    project = ProjectConfig(path="web", layers={Layer.TEST: LayerConfig(run=("x",))})
    plan = planned({Layer.LINT: LayerConfig()}, project)
    assert [(one.project, one.layer, one.why) for one in plan.passed_over] == [
        (".", Layer.LINT, ".fixloop.yml layers.lint turns the layer off"),
        ("web", Layer.LINT, ".fixloop.yml layers.lint turns the layer off"),
        ("web", Layer.TEST, ".fixloop.yml projects web layers.test replaces it"),
    ]


def test_a_projects_own_commands_replace_that_projects_alone() -> None:
    project = ProjectConfig(path="./web/", layers={Layer.LINT: LayerConfig(run=("x",))})
    assert told(planned({}, project))[1:3] == [". lint: found lint", "web lint: sh -c x"]


def test_a_projects_own_commands_run_beside_the_whole_worktrees() -> None:
    project = ProjectConfig(path="web", layers={Layer.TEST: LayerConfig(run=("x",))})
    plan = planned({Layer.TEST: LayerConfig(run=("y",))}, project)
    assert told(plan)[3:] == [". test: sh -c y", "web test: sh -c x"]


@pytest.mark.parametrize(
    ("layer", "timeout"), [(Layer.COMPILE, 600.0), (Layer.LINT, 600.0), (Layer.TEST, 1800.0), (Layer.VISUAL, 600.0)]
)
def test_a_command_has_its_layers_limit(layer: Layer, timeout: float) -> None:
    (check,) = (c for c in planned({layer: LayerConfig(run=("x",))}).checks if c.layer is layer)
    assert (check.timeout_s, check.idle_timeout_s) == (timeout, 300.0)


def test_limits_and_variables_are_the_repositorys() -> None:
    said = LayerConfig(run=("x",), fix=("y",), timeout=5, idle_timeout=2, env={"A": "1"})
    plan = planned({Layer.TEST: said})
    (check,) = (c for c in plan.checks if c.layer is Layer.TEST)
    (fixer,) = (f for f in plan.fixers if f.layer is Layer.TEST)
    assert (check.timeout_s, check.idle_timeout_s, check.env) == (5, 2, {"A": "1"})
    assert (fixer.timeout_s, fixer.idle_timeout_s, fixer.env) == (5, 2, {"A": "1"})
    assert (fixer.command, fixer.source) == (("sh", "-c", "y"), ".fixloop.yml layers.test.fix")


def test_limits_alone_apply_to_what_was_detected() -> None:
    plan = planned({Layer.LINT: LayerConfig(timeout=5, env={"A": "1"})})
    lint = [check for check in plan.checks if check.layer is Layer.LINT]
    assert [(c.command, c.timeout_s, c.idle_timeout_s, c.env) for c in lint] == [
        (("found", "lint"), 5, 300.0, {"A": "1"})
    ] * 2
    assert plan.fixers == DETECTED.fixers


def test_a_fixer_alone_leaves_the_detected_check() -> None:
    plan = planned({Layer.LINT: LayerConfig(fix=("y",))})
    assert told(plan) == told(DETECTED)
    assert [fixer.command for fixer in plan.fixers] == [("sh", "-c", "y")]


def test_an_empty_layer_is_off_and_says_so() -> None:
    plan = planned({Layer.LINT: LayerConfig()})
    assert Layer.LINT not in plan.layers
    assert plan.fixers == ()
    assert plan.skipped == {Layer.LINT: "`layers.lint` in .fixloop.yml is empty, which turns the layer off"}


def test_a_layer_without_a_command_says_what_would_change_that() -> None:
    plan = planned({}, detected=Plan(project_type="unknown"))
    assert list(plan.skipped) == [Layer.COMPILE, Layer.LINT, Layer.TEST]
    assert plan.skipped[Layer.TEST] == (
        "no command for this layer was found; name one under `layers.test` in .fixloop.yml"
    )


def test_a_runner_of_the_repositorys_own_takes_all_layers() -> None:
    plan = combine(DETECTED, RepoConfig(runner="validate.sh"), str)
    assert (plan.runner, plan.skipped) == ("validate.sh", {})
    assert plan.layers == (Layer.COMPILE, Layer.LINT, Layer.TEST)
