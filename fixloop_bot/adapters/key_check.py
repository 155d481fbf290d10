"""Whether the model provider accepts a key, asked for free: by the list of models."""

from fixloop_bot.model.doctor import Key

TIMEOUT_S = 15.0


def check_key(api_key: str, base_url: str) -> tuple[Key, str]:
    """Return what is known of the key now, and what the provider said where it was not accepted."""
    import anthropic  # noqa: PLC0415 - one to three seconds that nobody pays who does not ask

    with anthropic.Anthropic(api_key=api_key, base_url=base_url or None, max_retries=1, timeout=TIMEOUT_S) as client:
        try:
            client.models.list(limit=1)
        except (anthropic.AuthenticationError, anthropic.PermissionDeniedError) as error:
            return Key.REFUSED, f"HTTP {error.status_code}"
        except anthropic.APIStatusError as error:
            return Key.UNREACHED, f"HTTP {error.status_code}"
        except anthropic.APIError as error:
            return Key.UNREACHED, type(error).__name__
        except (ValueError, TypeError):
            return Key.UNREACHED, "the answer is not what the API's description promises"
    return Key.ACCEPTED, ""
