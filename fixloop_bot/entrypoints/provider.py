"""From settings to the model provider."""

from collections.abc import Callable

from fixloop_bot.adapters.anthropic_model import AnthropicModel, AnthropicSettings
from fixloop_bot.entrypoints.settings import Settings
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.ports import Clock


def anthropic_model(
    settings: Settings, config: RepoConfig, clock: Clock, *, redact: Callable[[str], str]
) -> AnthropicModel:
    """Return the model; ids and prices of the settings go before those of `.fixloop.yml`."""
    key = settings.anthropic_api_key
    return AnthropicModel(
        AnthropicSettings(
            api_key=key.get_secret_value() if key else "",
            base_url=settings.anthropic_base_url or "",
            ids={**config.models.ids, **settings.model_ids},
            prices={**config.models.prices, **settings.model_prices},
        ),
        clock,
        redact=redact,
    )
