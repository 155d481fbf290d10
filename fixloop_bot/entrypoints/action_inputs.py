"""The Action's inputs, as GitHub hands them in: `INPUT_` variables whose names keep their hyphens."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from fixloop_bot.entrypoints.settings import SettingsError

TRUE = frozenset(("true", "yes", "1", "on"))
FALSE = frozenset(("false", "no", "0", "off"))


class ActionInputs(BaseModel):
    """All that `action.yml` offers; what is empty there counts as not given (None)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    github_token: SecretStr | None = Field(None, description="Token that reads, pushes and reports.")
    anthropic_api_key: SecretStr | None = Field(None, description="Key of the model provider.")
    mode: Literal["auto", "sweep", "doctor"] = Field(
        "auto", description="What to do: by event, a sweep, or a check-up."
    )
    pull_request: int | None = Field(None, gt=0, description="Number of the pull request to repair.")
    branch: str | None = Field(None, description="Name of the branch to repair.")
    max_retries: str | None = Field(None, description="Attempts at most, 1 to 10.")
    max_cost_usd: str | None = Field(None, description="Dollars that a run may cost at most.")
    skip_compile: bool = Field(default=False, description="Start at lint; the final gate runs every layer.")
    story_id: str | None = Field(None, description="Name of the work item, for the agent and the records.")
    model_provider: Literal["anthropic", "bedrock", "vertex"] | None = Field(None, description="Who serves the model.")
    anthropic_base_url: str | None = Field(None, description="Another address of the provider.")
    sandbox: Literal["best", "strict", "off"] | None = Field(None, description="How hard commands are locked in.")


def input_variable(name: str) -> str:
    """Return the environment variable of an input: `max_retries` arrives as `INPUT_MAX-RETRIES`."""
    return f"INPUT_{name.replace('_', '-').upper()}"


def read_inputs(env: Mapping[str, str]) -> ActionInputs:
    """Return the inputs; raises SettingsError that names the input at fault."""
    given = {name: value.strip() for name in ActionInputs.model_fields if (value := env.get(input_variable(name)))}
    try:
        return ActionInputs.model_validate({name: _typed(name, value) for name, value in given.items() if value})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise SettingsError(f"input `{str(first['loc'][0]).replace('_', '-')}`: {first['msg']}") from None


def _typed(name: str, value: str) -> object:
    if name != "skip_compile":
        return value
    if value.lower() in TRUE | FALSE:
        return value.lower() in TRUE
    raise SettingsError(f"input `skip-compile`: {value!r} is neither true nor false")
