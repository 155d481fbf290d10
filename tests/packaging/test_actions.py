"""The container action, the host action and the code that reads them say the same."""

import re

import pytest

from fixloop_bot.entrypoints.action_inputs import ActionInputs, input_variable
from tests.packaging import ACTIONS, load, read

OUTPUTS = ["status", "terminal-state", "iterations", "commits", "cost-usd", "state-dir", "targets"]
CONTAINER, HOST = (load(name) for name in ACTIONS)


def test_there_are_at_most_twelve_inputs_and_the_code_reads_each() -> None:
    assert list(CONTAINER["inputs"]) == [name.replace("_", "-") for name in ActionInputs.model_fields]
    assert len(CONTAINER["inputs"]) <= 12


def test_only_the_two_secrets_are_required() -> None:
    required = [name for name, given in CONTAINER["inputs"].items() if given["required"] is True]
    assert required == ["github-token", "anthropic-api-key"]


@pytest.mark.parametrize(("name", "given"), CONTAINER["inputs"].items(), ids=lambda value: str(value)[:20])
def test_an_optional_input_says_its_default_and_leaves_it_to_the_code(name: str, given: dict[str, str]) -> None:
    assert "default" not in given, "a default here would go before .fixloop.yml"
    if not given["required"]:
        assert re.search(r" Default: [^.]", given["description"]), name


@pytest.mark.parametrize("name", ["mode", "model_provider", "sandbox"])
def test_an_input_with_few_values_names_them_all(name: str) -> None:
    options = re.findall(r"'(\w+)'", str(ActionInputs.model_fields[name].annotation))
    described = CONTAINER["inputs"][name.replace("_", "-")]["description"]
    assert options
    assert [option for option in options if f"`{option}`" not in described] == []


def test_both_actions_offer_the_same_inputs_and_outputs() -> None:
    assert HOST["inputs"] == CONTAINER["inputs"]
    assert {name: given["description"] for name, given in HOST["outputs"].items()} == {
        name: given["description"] for name, given in CONTAINER["outputs"].items()
    }
    assert list(CONTAINER["outputs"]) == OUTPUTS


def test_the_host_action_hands_every_input_on_as_the_runner_would() -> None:
    (step,) = [step for step in HOST["runs"]["steps"] if step.get("id") == "fixloop"]
    expected = {
        input_variable(field): f"${{{{ inputs.{field.replace('_', '-')} }}}}" for field in ActionInputs.model_fields
    }
    assert step["env"] == expected
    assert {name: given["value"] for name, given in HOST["outputs"].items()} == {
        name: f"${{{{ steps.fixloop.outputs.{name} }}}}" for name in OUTPUTS
    }


def test_no_shell_line_of_the_host_action_holds_an_expression() -> None:
    assert [step["run"] for step in HOST["runs"]["steps"] if "${{" in step["run"]] == []


def test_both_start_the_same_entrypoint_away_from_the_workspace_s_modules() -> None:
    (line,) = [line for line in read("Dockerfile").splitlines() if line.startswith("ENTRYPOINT")]
    (step,) = [step for step in HOST["runs"]["steps"] if step.get("id") == "fixloop"]
    assert line.endswith('"/opt/fixloop/bin/python", "-I", "/opt/fixloop/entrypoint.py"]')
    assert step["run"] == 'exec "$RUNNER_TEMP/fixloop/bin/python" -I "$GITHUB_ACTION_PATH/../entrypoint.py"'
    assert len(read("entrypoint.py").splitlines()) <= 10
