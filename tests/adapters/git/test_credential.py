"""A token is one word, shown nowhere, for one address."""

import pytest

from fixloop_bot.adapters.git.credential import Credential, settings_env
from fixloop_bot.adapters.git.remote import Remote

TOKEN = "ghs_" + "S3cr3tT0ken" * 3


@pytest.mark.parametrize("token", ["", "a b", "a\nHost: evil", "a\r", "tökén", "a\0"])
def test_what_cannot_be_a_token_is_refused_at_once(token: str) -> None:
    with pytest.raises(ValueError, match="one word"):
        Credential(token)


def test_a_token_shows_in_no_repr() -> None:
    remote = Remote(
        url="https://github.com/o/s", credential=Credential(TOKEN), network_env={"HTTPS_PROXY": "http://u:p@x"}
    )
    assert TOKEN not in repr(remote)
    assert "u:p" not in repr(remote)


def test_the_token_goes_to_its_own_repository_alone() -> None:
    remote = Remote(url="https://github.com/octo/shop.git", credential=Credential(TOKEN))
    keys = [value for name, value in remote.env().items() if name.startswith("GIT_CONFIG_KEY_")]
    assert "http.https://github.com/octo/shop.git.extraHeader" in keys


def test_settings_are_numbered_as_git_reads_them() -> None:
    assert settings_env((("a.b", "1"), ("c.d", ""))) == {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "a.b",
        "GIT_CONFIG_VALUE_0": "1",
        "GIT_CONFIG_KEY_1": "c.d",
        "GIT_CONFIG_VALUE_1": "",
    }
