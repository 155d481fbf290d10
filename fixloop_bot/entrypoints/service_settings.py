"""Settings of the bot service: who the GitHub App is, and where GitHub is."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from fixloop_bot.core.schedule import cron_problem
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.spending import Budgets
from fixloop_bot.ports.jobs import Capacity


def _bound(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() == "none" else value


Dollars = Annotated[Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, BeforeValidator(_bound)]
"""US dollars; the word `none` is no bound."""


def _cron(line: str) -> str:
    if problem := cron_problem(line) if line else "":
        raise ValueError(problem)
    return line


class ServiceSettings(BaseSettings):
    """What the environment says; secrets show in no `repr`."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True)

    webhook_secret: SecretStr = Field(alias="FIXLOOP_WEBHOOK_SECRET", min_length=8)
    app_id: int = Field(alias="FIXLOOP_APP_ID", gt=0)
    app_private_key: SecretStr | None = Field(None, alias="FIXLOOP_APP_PRIVATE_KEY")
    app_private_key_file: Path | None = Field(None, alias="FIXLOOP_APP_PRIVATE_KEY_FILE")
    database_url: SecretStr = Field(SecretStr(""), alias="FIXLOOP_DATABASE_URL")
    """Empty: SQLite in the state folder."""
    max_runs: int = Field(0, alias="FIXLOOP_MAX_RUNS", ge=0)
    runs_per_repository: int = Field(0, alias="FIXLOOP_RUNS_PER_REPOSITORY", ge=0)
    """Runs at a time over all workers; 0: as many as the workers take."""
    stall_after: float = Field(1800.0, alias="FIXLOOP_STALL_AFTER_S", gt=0)
    """Seconds without progress after which a run is told of in the log and in the metrics."""
    budget_pull_request: Dollars = Field(10.0, alias="FIXLOOP_BUDGET_PULL_REQUEST_USD")
    budget_author_day: Dollars = Field(None, alias="FIXLOOP_BUDGET_AUTHOR_DAY_USD")
    budget_repository_day: Dollars = Field(25.0, alias="FIXLOOP_BUDGET_REPOSITORY_DAY_USD")
    budget_installation_day: Dollars = Field(50.0, alias="FIXLOOP_BUDGET_INSTALLATION_DAY_USD")
    budget_day: Dollars = Field(100.0, alias="FIXLOOP_BUDGET_DAY_USD")
    """What the model may cost, over all runs and workers; days are of UTC. 0: no paid call at all."""
    sweep_cron: Annotated[str, AfterValidator(_cron)] = Field("", alias="FIXLOOP_SWEEP_CRON")
    """When all repositories are swept: five fields, UTC; empty: never."""
    sweep_repositories: Literal["configured", "all"] = Field("configured", alias="FIXLOOP_SWEEP_REPOSITORIES")
    """`configured`: those whose `.fixloop.yml` has a section `sweep`."""
    accounts: str = Field("", alias="FIXLOOP_ACCOUNTS", pattern=r"[A-Za-z0-9_, -]*")
    """Owners whose repositories are served, with commas between; empty: of all that have installed the App."""
    api_url: str = Field("https://api.github.com", alias="GITHUB_API_URL")
    server_url: str = Field("https://github.com", alias="GITHUB_SERVER_URL")

    @property
    def account_names(self) -> frozenset[str]:
        """Return `accounts` in small letters."""
        return frozenset(name.strip().lower() for name in self.accounts.split(",") if name.strip())

    @property
    def capacity(self) -> Capacity:
        """Return how much may run at once."""
        return Capacity(runs=self.max_runs, runs_per_repository=self.runs_per_repository)

    @property
    def budgets(self) -> Budgets:
        """Return what may be spent."""
        return Budgets(
            pull_request=self.budget_pull_request,
            author_day=self.budget_author_day,
            repository_day=self.budget_repository_day,
            installation_day=self.budget_installation_day,
            day=self.budget_day,
        )

    def private_key(self) -> str:
        """Return the App's key as PEM. Raises `SettingsError` where there is none."""
        if self.app_private_key is not None:
            return self.app_private_key.get_secret_value().replace("\\n", "\n")
        if self.app_private_key_file is None:
            raise SettingsError("FIXLOOP_APP_PRIVATE_KEY or FIXLOOP_APP_PRIVATE_KEY_FILE must hold the App's key")
        try:
            return self.app_private_key_file.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"FIXLOOP_APP_PRIVATE_KEY_FILE cannot be read: {type(error).__name__}") from None


def load_service_settings() -> ServiceSettings:
    """Return the settings; raises `SettingsError` that names the variable at fault and never its value."""
    try:
        return ServiceSettings.model_validate({})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise SettingsError(f"{first['loc'][0]}: {first['msg']}") from None
