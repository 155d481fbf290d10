"""Who serves Anthropic's models and how that one is reached: account, model ids, prices, what to do when it refuses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.util import find_spec

from fixloop_bot.adapters.prices import PriceBook
from fixloop_bot.model.agent import ModelAlias, ProviderDown
from fixloop_bot.model.config import ModelPrice


class Provider(StrEnum):
    """Who serves the model."""

    ANTHROPIC = "anthropic"
    BEDROCK = "bedrock"
    VERTEX = "vertex"


HOW_TO_SET_KEY = (
    "Set the anthropic-api-key input from a repository secret (on GitHub) or ANTHROPIC_API_KEY (in a shell) to a key "
    "from the Anthropic Console."
)
HOW_TO_SIGN_IN: Mapping[Provider, str] = {
    Provider.ANTHROPIC: HOW_TO_SET_KEY,
    Provider.BEDROCK: (
        "Give AWS credentials that may call bedrock:InvokeModelWithResponseStream, such as AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY, AWS_PROFILE or AWS_BEARER_TOKEN_BEDROCK, and open the model for the account."
    ),
    Provider.VERTEX: (
        "Give Google's application default credentials (GOOGLE_APPLICATION_CREDENTIALS, or `gcloud auth "
        "application-default login`) of an account with the role Vertex AI User, and open the model for the project."
    ),
}
_REGION: Mapping[Provider, str] = {Provider.BEDROCK: "AWS_REGION", Provider.VERTEX: "CLOUD_ML_REGION"}
_SDK: Mapping[Provider, str] = {Provider.BEDROCK: "boto3", Provider.VERTEX: "google.auth"}
_ID_PREFIX: Mapping[Provider, str] = {Provider.BEDROCK: "global.anthropic."}
"""What the ids in Amazon's catalogue have before Anthropic's own; `global` routes to any region, at the list price."""
_PRICE_LIST: Mapping[Provider, str] = {Provider.BEDROCK: "aws", Provider.VERTEX: "google"}
_DEFAULT_IDS: Mapping[ModelAlias, str] = {
    ModelAlias.HAIKU: "claude-haiku-5-5",
    ModelAlias.SONNET: "claude-sonnet-5-5",
    ModelAlias.OPUS: "claude-opus-5-5",
}
_VERTEX_REGIONAL = 1.1
"""Google's regional and multi-regional endpoints cost a tenth more than `global`; the price library lists the latter
(cloud.google.com/vertex-ai/generative-ai/pricing, as that library's own notes say)."""
_REGION_SHAPE = re.compile(r"[a-z0-9-]{1,40}")
"""A region becomes part of a host name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicSettings:
    """How the provider is reached."""

    provider: Provider = Provider.ANTHROPIC
    api_key: str = field(default="", repr=False)
    """Anthropic's key, or Bedrock's bearer token; without one Bedrock and Vertex use the cloud's own credentials."""
    base_url: str = ""
    """Empty: the provider's own."""
    region: str = ""
    """Bedrock's or Vertex's, such as `eu-central-1` or `global`."""
    project: str = ""
    """Id of the Google Cloud project that pays for Vertex."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Model ids by alias, where they differ from the defaults."""
    prices: Mapping[str, ModelPrice] = field(default_factory=dict)
    """By model id or alias, for ids that the price library does not know."""
    patience_s: float = 300.0
    """Seconds after which no new try of one call starts."""

    def model_id(self, alias: ModelAlias) -> str:
        """Return the id that is asked for."""
        return self.ids.get(alias.value) or _ID_PREFIX.get(self.provider, "") + _DEFAULT_IDS[alias]

    def price_book(self) -> PriceBook:
        """Return what this provider charges."""
        regional = self.provider is Provider.VERTEX and self.region != "global"
        return PriceBook(
            self.prices,
            provider_id=_PRICE_LIST.get(self.provider, "anthropic"),
            factor=_VERTEX_REGIONAL if regional else 1.0,
        )

    def missing(self) -> ProviderDown | None:
        """Return what is to be set or installed before a call can be made; nothing is asked over the network."""
        if self.provider is Provider.ANTHROPIC:
            return _key_missing(self.api_key.strip())
        variable = _REGION[self.provider]
        if not _REGION_SHAPE.fullmatch(self.region):
            example = "us-east-1" if self.provider is Provider.BEDROCK else "global"
            return ProviderDown(f"no region for {self.provider}", f"Set {variable}, for example to {example}.")
        if self.provider is Provider.VERTEX and not self.project:
            return ProviderDown("no project for vertex", "Set ANTHROPIC_VERTEX_PROJECT_ID to the id of the project.")
        if not _installed(_SDK[self.provider]):
            return ProviderDown(
                f"the package {_SDK[self.provider]} for {self.provider} is not installed",
                f"Install it beside fixloop: pip install 'fixloop-bot[{self.provider}]'",
            )
        return None

    def advice(self, status: int) -> str:
        """Return what to do about a refusal with this HTTP status; empty where nothing is known."""
        if status in (401, 403):
            what = "key was" if self.provider is Provider.ANTHROPIC else "credentials were"
            return f"The {what} refused: mistyped, revoked or without access. {HOW_TO_SIGN_IN[self.provider]}"
        if status == 404:
            where = _REGION.get(self.provider)
            also = f", and whether {where} offers the model" if where else ""
            return f"The provider does not know the model or the address: see models.ids and anthropic-base-url{also}."
        return "The account has no credit left: add some in the Anthropic Console." if status == 402 else ""


def _key_missing(key: str) -> ProviderDown | None:
    if not key:
        return ProviderDown("no API key for Anthropic", HOW_TO_SET_KEY)
    if not (key.isascii() and key.isprintable() and " " not in key):
        return ProviderDown("the API key has characters that no key has", HOW_TO_SET_KEY)
    return None


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
