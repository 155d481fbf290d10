"""Tests of which level of the sandbox is reached."""

import pytest

from fixloop_bot.core.sandbox_level import NotGranted, SandboxLevel, granted


@pytest.mark.parametrize("level", ["best", "off"])
def test_what_is_reached_is_said_in_words(level: SandboxLevel) -> None:
    reached = granted(level, network=True)
    assert isinstance(reached, str)
    assert reached.startswith(level)
    assert "own user" in reached, "what is not reached is said too"


@pytest.mark.parametrize(
    ("level", "network", "word"),
    [
        pytest.param("strict", True, "strict", id="the strict level"),
        pytest.param("best", False, "network", id="no network"),
        pytest.param("off", False, "network", id="no network without a sandbox"),
    ],
)
def test_what_cannot_be_had_is_refused_by_name(level: SandboxLevel, network: bool, word: str) -> None:
    refused = granted(level, network=network)
    assert isinstance(refused, NotGranted)
    assert word in refused.reason
    assert refused.advice
