"""Settings: flags, then environment, then defaults; the only place that reads the environment."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from fixloop_bot.adapters.secret_files import read_secret_files
from fixloop_bot.model.config import ModelPrice
from fixloop_bot.model.sandbox import SandboxLevel

MAX_RETRIES_RANGE = (1, 10)


def _clamp(value: object) -> object:
    low, high = MAX_RETRIES_RANGE
    try:
        return min(max(int(str(value)), low), high)
    except ValueError:
        return value


class Settings(BaseSettings):
    """Everything a person or a workflow sets for a run; None: `.fixloop.yml`, else the product's default."""

    model_config = SettingsConfigDict(
        env_prefix="FIXLOOP_", env_ignore_empty=True, extra="ignore", frozen=True, populate_by_name=True
    )

    max_retries: Annotated[int, BeforeValidator(_clamp)] | None = Field(
        None, description="Attempts at most, 1 to 10; larger or smaller numbers are clamped.", examples=["3"]
    )
    max_cost_usd: float | None = Field(
        None, ge=0, allow_inf_nan=False, description="Dollars that the run may cost at most.", examples=["3.00"]
    )
    timeout: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="Seconds that the whole run may take.", examples=["2700"]
    )
    skip_compile: bool = Field(
        default=False, description="Start at lint; the final gate runs every layer all the same."
    )
    skip_visual: bool = Field(default=True, description="Leave the visual layer out.")
    story_id: str = Field("", description="Name of the work item, for the agent and the records.")
    story_branch: str = Field("", description="Name of the branch, for the agent and the records.")
    allow_dirty: bool = Field(default=False, description="Set uncommitted changes aside and put them back at the end.")
    sandbox: SandboxLevel | None = Field(
        None,
        description="How commands are locked in: `best`, `strict` (or nothing is run) or `off`.",
        examples=["best"],
    )
    state_dir: Path | None = Field(
        None, description="Where state and records live.", examples=["the platform's state folder"]
    )
    watch_every: float = Field(
        10.0,
        gt=0,
        allow_inf_nan=False,
        description="Seconds between two looks whether somebody asked the run to stop (on GitHub; 10 take 360 requests "
        "an hour of the 1,000 that a job's token has).",
    )
    write_every: float = Field(
        1.0,
        ge=0,
        allow_inf_nan=False,
        description="Seconds between two changes on GitHub, which asks for one; a GitHub Enterprise Server without "
        "rate limits needs none.",
    )
    model_provider: Literal["anthropic", "bedrock", "vertex"] = Field(
        "anthropic", description="Who serves the model: `anthropic`, `bedrock` or `vertex`."
    )
    model_ids: Mapping[str, str] = Field(
        default_factory=dict, description='Model ids by alias, as JSON: {"sonnet": "claude-…"}.'
    )
    model_prices: Mapping[str, ModelPrice] = Field(
        default_factory=dict,
        description='US dollars per million tokens by model id, as JSON: {"id": {"input": 2, "output": 10}}.',
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("ANTHROPIC_API_KEY"), description="Key of the model provider."
    )
    anthropic_base_url: str | None = Field(
        None, validation_alias=AliasChoices("ANTHROPIC_BASE_URL"), description="Another address of the provider."
    )


class Source(NamedTuple):
    """Where a setting's value comes from."""

    variable: str
    value: str
    """Ready to be shown; a secret is never in it."""
    origin: str
    """`environment` or `default`."""


class SettingsError(Exception):
    """A setting that cannot be used; the text names it and says what would do."""


def environment() -> Mapping[str, str]:
    """Return a copy of the process's environment: it is handed to whoever needs part of it."""
    return dict(os.environ)


def take_secret_files() -> None:
    """Let what lies in FIXLOOP_SECRETS_DIR and in systemd's CREDENTIALS_DIRECTORY stand in the environment.

    What the environment says itself counts. Raises SettingsError for a folder or file that cannot be read.
    """
    for variable_name in ("FIXLOOP_SECRETS_DIR", "CREDENTIALS_DIRECTORY"):
        if folder := os.environ.get(variable_name):
            try:
                found = read_secret_files(Path(folder))
            except (OSError, ValueError) as error:
                raise SettingsError(f"{variable_name}: {error}") from None
            os.environ.update({name: value for name, value in found.items() if not os.environ.get(name)})


def load_settings(flags: Mapping[str, Any]) -> Settings:
    """Return the settings; flags that are None count as not given. Raises SettingsError."""
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except (ValidationError, ValueError) as error:
        raise SettingsError(_explain(error)) from None


def _explain(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error).splitlines()[0]
    first = error.errors(include_input=False, include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    return f"{name.replace('_', '-')} ({variable(name)}): {first['msg']}"


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return name.upper() if name.startswith("anthropic_") else f"FIXLOOP_{name.upper()}"


def sources() -> Mapping[str, Source]:
    """Return every setting's variable, current value and where that comes from."""
    env = environment()
    found: dict[str, Source] = {}
    for name, field in Settings.model_fields.items():
        key = variable(name)
        if value := env.get(key):
            shown = "set" if field.annotation == SecretStr | None else value
            found[name] = Source(key, shown, "environment")
        else:
            default = field.get_default(call_default_factory=True, validated_data={})
            example = str(field.examples[0]) if field.examples else ""
            found[name] = Source(key, example or _plain(default), "default")
    return found


def _plain(default: object) -> str:
    return {"None": "unset", "{}": "none", "": "none", "False": "no", "True": "yes"}.get(str(default), str(default))


SECRET_VARIABLES = (
    "INPUT_GITHUB-TOKEN",
    "INPUT_ANTHROPIC-API-KEY",
    "ANTHROPIC_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
)


SECRET_NAME = re.compile(
    r"(?<!PUBLIC_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PAT)$", re.IGNORECASE
)
PLAIN_VALUE = re.compile(r"[/~.].*|\d+|true|false", re.IGNORECASE | re.DOTALL)
"""A path, a number, a switch: no secret, whatever its variable's name."""
SECRET_LENGTH = 12
"""Characters that the value of a variable must have to be taken for a secret by its name alone."""


def known_secrets(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of the environment that must never be shown: fixloop's own, and what is named like a secret."""
    own = [value for name in SECRET_VARIABLES if (value := env.get(name, "").strip())]
    named = [value.strip() for name, value in env.items() if SECRET_NAME.search(name)]
    others = [value for value in named if len(value) >= SECRET_LENGTH and not PLAIN_VALUE.fullmatch(value)]
    return tuple(dict.fromkeys([*own, *others]))
