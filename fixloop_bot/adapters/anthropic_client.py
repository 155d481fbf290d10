"""The SDK's client for each provider, with the cloud's own credentials found once.

Imports the SDK, which takes one to three seconds; the clouds' packages are optional and imported where they are used.
"""

from typing import TYPE_CHECKING

import anthropic
import httpx2

from fixloop_bot.adapters.anthropic_settings import AnthropicSettings, Provider

if TYPE_CHECKING:
    from botocore.credentials import ReadOnlyCredentials
    from google.auth.credentials import Credentials

_GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-platform"

Client = anthropic.Anthropic | anthropic.AnthropicBedrock | anthropic.AnthropicVertex


class SignInError(Exception):
    """The cloud's own credentials are absent or refused."""


def open_client(settings: AnthropicSettings, http_client: httpx2.Client) -> Client:
    """Return the client; nothing in it tries again by itself. Raises SignInError."""
    base_url = settings.base_url or None
    match settings.provider:
        case Provider.ANTHROPIC:
            key = settings.api_key.strip()
            return anthropic.Anthropic(api_key=key, base_url=base_url, max_retries=0, http_client=http_client)
        case Provider.BEDROCK:
            return _open_bedrock(settings, http_client)
        case Provider.VERTEX:
            return anthropic.AnthropicVertex(
                region=settings.region,
                project_id=settings.project,
                credentials=_google_credentials(),
                base_url=base_url,
                max_retries=0,
                http_client=http_client,
            )


def stream_errors(provider: Provider) -> tuple[type[Exception], ...]:
    """Return what the provider's decoder raises for bytes that are no stream of its kind."""
    if provider is not Provider.BEDROCK:
        return ()
    from botocore.eventstream import ParserError  # noqa: PLC0415 - optional
    from botocore.parsers import ResponseParserError  # noqa: PLC0415 - optional

    return (ParserError, ResponseParserError)


def _open_bedrock(settings: AnthropicSettings, http_client: httpx2.Client) -> anthropic.AnthropicBedrock:
    bearer = settings.api_key.strip()
    found = None if bearer else _amazon_credentials(settings.region)
    return anthropic.AnthropicBedrock(
        api_key=bearer or None,
        aws_access_key=found.access_key if found else None,
        aws_secret_key=found.secret_key if found else None,
        aws_session_token=found.token if found else None,
        aws_region=settings.region,
        base_url=settings.base_url or None,
        max_retries=0,
        http_client=http_client,
    )


def _amazon_credentials(region: str) -> "ReadOnlyCredentials":
    import boto3  # noqa: PLC0415 - optional
    from botocore.exceptions import BotoCoreError  # noqa: PLC0415 - optional

    try:
        found = boto3.Session(region_name=region).get_credentials()
        frozen = found.get_frozen_credentials() if found else None
    except BotoCoreError as error:
        raise SignInError(f"AWS: {error}") from None
    if frozen is None:
        raise SignInError("AWS: no credentials were found")
    return frozen


def _google_credentials() -> "Credentials":
    import google.auth  # noqa: PLC0415 - optional
    import requests  # noqa: PLC0415 - what the optional package asks by
    from google.auth.exceptions import GoogleAuthError  # noqa: PLC0415 - optional
    from google.auth.transport.requests import Request  # noqa: PLC0415 - optional

    try:
        with requests.Session() as session:
            credentials, _ = google.auth.default(scopes=[_GOOGLE_SCOPE], request=Request(session))
            credentials.refresh(Request(session))
    except GoogleAuthError as error:
        raise SignInError(f"Google: {error}") from None
    return credentials
