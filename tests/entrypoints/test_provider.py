"""Where a provider's region, project and key come from, and what of them is never shown."""

import pytest

from fixloop_bot.adapters.anthropic_settings import Provider
from fixloop_bot.entrypoints.doctor import model_facts
from fixloop_bot.entrypoints.provider import provider_settings
from fixloop_bot.entrypoints.settings import known_secrets, load_settings
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.doctor import Key

ENV = {
    "AWS_DEFAULT_REGION": "eu-west-1",
    "AWS_BEARER_TOKEN_BEDROCK": "bearer",
    "CLOUD_ML_REGION": " global ",
    "GOOGLE_CLOUD_PROJECT": "another",
    "ANTHROPIC_VERTEX_PROJECT_ID": "shop-1",
}


@pytest.mark.parametrize(
    ("name", "region", "project", "key", "model_id"),
    [
        ("anthropic", "", "", "sk-ant-1", "claude-sonnet-5-5"),
        ("bedrock", "eu-west-1", "", "bearer", "global.anthropic.claude-sonnet-5-5"),
        ("vertex", "global", "shop-1", "", "claude-sonnet-5-5"),
    ],
)
def test_each_provider_gets_what_is_its_own(name: str, region: str, project: str, key: str, model_id: str) -> None:
    settings = load_settings({"model_provider": name, "anthropic_api_key": "sk-ant-1"})
    found = provider_settings(settings, RepoConfig(), ENV)
    assert (found.provider, found.region, found.project, found.api_key) == (Provider(name), region, project, key)
    assert found.model_id(ModelAlias.SONNET) == model_id


def test_amazon_s_own_variable_for_the_region_goes_first() -> None:
    settings = load_settings({"model_provider": "bedrock", "model_ids": {"sonnet": "eu.anthropic.claude-sonnet-5-5"}})
    found = provider_settings(settings, RepoConfig(), ENV | {"AWS_REGION": "us-east-1"})
    assert (found.region, found.model_id(ModelAlias.SONNET)) == ("us-east-1", "eu.anthropic.claude-sonnet-5-5")


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"])
def test_a_cloud_s_secret_is_known_as_one(name: str) -> None:
    assert known_secrets({name: "a-secret-of-the-cloud"}) == ("a-secret-of-the-cloud",)


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("NPM_TOKEN", "abcdefghijkl", True),
        ("DATABASE_PASSWORD", "correct horse battery", True),
        ("FIXLOOP_APP_PRIVATE_KEY", "-----BEGIN KEY-----\nabc", True),
        ("SOME_SECRET", "short", False),
        ("SSH_KEY", "/home/pat/.ssh/id_ed25519", False),
        ("CACHE_KEY", "123456789012345", False),
        ("SIGNING_PUBLIC_KEY", "abcdefghijklmnop", False),
        ("KEYBOARD_LAYOUT", "abcdefghijklmnop", False),
    ],
)
def test_what_is_named_like_a_secret_is_one(name: str, value: str, is_secret: bool) -> None:
    assert (known_secrets({name: value}) == (value,)) is is_secret


@pytest.mark.parametrize("name", ["bedrock", "vertex"])
def test_a_check_up_says_what_a_cloud_lacks(name: str) -> None:
    facts = model_facts(load_settings({"model_provider": name}), None, online=False)
    assert (facts.key, facts.said) == (Key.CLOUD, f"no region for {name}")
    assert facts.mend.startswith("Set ")
    assert all(facts.priced.values())
