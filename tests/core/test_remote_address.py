"""A remote's URL, and the repository that it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.remote_address import RemoteAddress, is_full_name, parse_remote


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://github.com/octo/shop.git", "github.com"),
        ("https://github.com/octo/shop", "github.com"),
        ("https://github.com/octo/shop/", "github.com"),
        ("https://x-access-token:ghs_secret@GitHub.com/octo/shop.git", "github.com"),
        ("ssh://git@git.example:2222/octo/shop.git", "git.example"),
        ("git@github.com:octo/shop.git", "github.com"),
        ("github.com:octo/shop", "github.com"),
        ("http://127.0.0.1:8080/octo/shop.git", "127.0.0.1"),
    ],
)
def test_the_repository_is_read_and_the_password_left_behind(url: str, host: str) -> None:
    assert parse_remote(url) == RemoteAddress(host, "octo/shop")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/octo/shop.git",
        "../shop",
        "file:///srv/octo/shop",
        "https://github.com/shop",
        "https://h/a/b/c",
        "ext::sh -c x% octo/shop",
        "https://h/../..",
        "https://h/a/b?c=d",
        "-oProxyCommand=x:octo/shop y",
    ],
)
def test_what_names_no_repository_is_none(url: str) -> None:
    assert parse_remote(url) is None


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("octo/shop", True),
        ("octo/.github", True),
        ("", False),
        ("shop", False),
        ("a/b/c", False),
        ("a/..", False),
        ("a/b c", False),
        ("a/b\n", False),
        ("../b", False),
    ],
)
def test_a_full_name(text: str, is_name: bool) -> None:
    assert is_full_name(text) is is_name


@given(st.text(max_size=400))
def test_no_text_breaks_it(url: str) -> None:
    found = parse_remote(url)
    assert found is None or is_full_name(found.full_name)
