"""Tests of what the Action makes of the variables that the runner hands in."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fixloop_bot.entrypoints.action import what_happened
from fixloop_bot.entrypoints.action_inputs import read_inputs
from fixloop_bot.entrypoints.action_stage import action_settings, to_access
from fixloop_bot.entrypoints.actions_job import EVENT_LIMIT, ActionsJob, read_job
from fixloop_bot.entrypoints.settings import SettingsError, load_settings
from fixloop_bot.model.event import DispatchTrigger, Ignored, ScheduleTrigger


def job_in(folder: Path, event: str = "schedule", payload: str = "{}") -> ActionsJob:
    """Return a job with this event."""
    path = folder / "event.json"
    path.write_text(payload)
    output = folder / "output"
    output.touch()
    env = {"GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(path), "GITHUB_REPOSITORY": "octo/shop"}
    return read_job(env | {"GITHUB_OUTPUT": str(output)})


def test_empty_inputs_count_as_not_given() -> None:
    inputs = read_inputs({"INPUT_MAX-RETRIES": "", "INPUT_BRANCH": "   ", "INPUT_SANDBOX": ""})
    assert (inputs.max_retries, inputs.branch, inputs.sandbox, inputs.mode) == (None, None, None, "auto")


def test_names_keep_their_hyphens() -> None:
    inputs = read_inputs({"INPUT_MAX-RETRIES": " 5 ", "INPUT_SKIP-COMPILE": "TRUE", "INPUT_PULL-REQUEST": "7"})
    assert (inputs.max_retries, inputs.skip_compile, inputs.pull_request) == ("5", True, 7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("INPUT_SKIP-COMPILE", "perhaps", id="neither true nor false"),
        pytest.param("INPUT_PULL-REQUEST", "0", id="no number of a pull request"),
        pytest.param("INPUT_PULL-REQUEST", "seven", id="a number in words"),
        pytest.param("INPUT_MODE", "turbo", id="a mode that is none"),
        pytest.param("INPUT_SANDBOX", "soft", id="a level that is none"),
        pytest.param("INPUT_MODEL-PROVIDER", "acme", id="a provider that is none"),
    ],
)
def test_a_wrong_input_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name.removeprefix("INPUT_").lower()):
        read_inputs({name: value})


def test_a_key_shows_in_no_text_of_the_inputs() -> None:
    inputs = read_inputs({"INPUT_ANTHROPIC-API-KEY": "sk-secret", "INPUT_GITHUB-TOKEN": "ghs-secret"})
    assert "secret" not in repr(inputs)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        pytest.param({}, 1.0, id="as GitHub asks"),
        pytest.param({"write_every": "0"}, 0.0, id="for a server without limits"),
    ],
)
def test_changes_on_github_keep_the_distance_that_is_set(
    given: Mapping[str, str], seconds: float, tmp_path: Path
) -> None:
    access = to_access(job_in(tmp_path), "ghs", load_settings(given))
    assert access.patience.between_writes_s == seconds


def test_inputs_go_before_the_environment_s_settings() -> None:
    settings = action_settings(read_inputs({"INPUT_MAX-RETRIES": "99", "INPUT_ANTHROPIC-API-KEY": "k"}))
    assert settings.max_retries == 10, "clamped"
    assert settings.anthropic_api_key is not None
    assert settings.anthropic_api_key.get_secret_value() == "k"
    assert settings.model_provider == "anthropic"
    assert action_settings(read_inputs({"INPUT_MODEL-PROVIDER": "vertex"})).model_provider == "vertex"


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        pytest.param("[1]", "no JSON object", id="a list"),
        pytest.param("{", "cannot be read", id="half an object"),
        pytest.param("[" * 200_000, "cannot be read", id="deep nesting"),
        pytest.param('"' + "x" * EVENT_LIMIT + '"', "larger than", id="a huge payload"),
    ],
)
def test_an_event_that_is_none_is_refused(tmp_path: Path, payload: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        job_in(tmp_path, payload=payload)


def test_outside_of_a_job_it_says_what_is_missing() -> None:
    with pytest.raises(SettingsError, match="GITHUB_EVENT_NAME, GITHUB_EVENT_PATH"):
        read_job({"GITHUB_REPOSITORY": "octo/shop"})


def test_an_output_of_many_lines_cannot_set_another(tmp_path: Path) -> None:
    job = job_in(tmp_path)
    job.set_outputs({"status": "DONE\nEOF\ncommits=evil\n"})
    written = (tmp_path / "output").read_text().splitlines()
    assert written[0].startswith("status<<fixloop_")
    assert written[-1] == written[0].partition("<<")[2], "all lines are inside one fence that nobody can guess"


@pytest.mark.parametrize(
    ("event", "given", "kind"),
    [
        pytest.param("schedule", {}, ScheduleTrigger, id="a schedule"),
        pytest.param("push", {"INPUT_MODE": "sweep"}, ScheduleTrigger, id="a push in mode sweep"),
        pytest.param("schedule", {"INPUT_BRANCH": "a/b"}, DispatchTrigger, id="a job of the matrix"),
        pytest.param("push", {}, Ignored, id="a push"),
        pytest.param("schedule", {"INPUT_BRANCH": "a", "INPUT_PULL-REQUEST": "1"}, Ignored, id="two targets"),
    ],
)
def test_what_an_event_comes_to(tmp_path: Path, event: str, given: dict[str, str], kind: type) -> None:
    assert isinstance(what_happened(read_inputs(given), job_in(tmp_path, event)), kind)
