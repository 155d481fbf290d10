"""From settings to the model provider."""

from collections.abc import Callable, Mapping

from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings, Provider
from fixloop_bot.entrypoints.settings import Settings, environment
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.ports import Clock

_REGION: Mapping[Provider, tuple[str, ...]] = {
    Provider.BEDROCK: ("AWS_REGION", "AWS_DEFAULT_REGION"),
    Provider.VERTEX: ("CLOUD_ML_REGION",),
}
_PROJECT = ("ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_CLOUD_PROJECT")


def anthropic_model(
    settings: Settings, config: RepoConfig, clock: Clock, *, redact: Callable[[str], str]
) -> AnthropicModel:
    """Return the model of the provider that the settings name."""
    return AnthropicModel(provider_settings(settings, config, environment()), clock, redact=redact)


def provider_settings(settings: Settings, config: RepoConfig, env: Mapping[str, str]) -> AnthropicSettings:
    """Return how the provider is reached; ids and prices of the settings go before those of `.fixloop.yml`.

    A cloud's region, project and bearer token come from the variables that its own tools read.
    """
    provider = Provider(settings.model_provider)
    return AnthropicSettings(
        provider=provider,
        api_key=_key(settings, provider, env),
        base_url=settings.anthropic_base_url or "",
        region=_first(env, _REGION.get(provider, ())),
        project=_first(env, _PROJECT) if provider is Provider.VERTEX else "",
        ids={**config.models.ids, **settings.model_ids},
        prices={**config.models.prices, **settings.model_prices},
    )


def _key(settings: Settings, provider: Provider, env: Mapping[str, str]) -> str:
    if provider is Provider.BEDROCK:
        return env.get("AWS_BEARER_TOKEN_BEDROCK", "")
    key = settings.anthropic_api_key if provider is Provider.ANTHROPIC else None
    return key.get_secret_value() if key else ""


def _first(env: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := env.get(name, "").strip())), "")
