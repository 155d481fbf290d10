"""Tests of which level of the sandbox is reached, and of what is refused."""

from dataclasses import replace

import pytest

from fixloop_bot.core.sandbox_level import NotGranted, all_is_had, granted, level_name
from fixloop_bot.model.sandbox import Demand, Reach, RunsAs, SandboxLevel

WHOLE = Reach(runs_as=RunsAs.OTHER, landlock=7, seccomp=True)
SHARED = Reach(runs_as=RunsAs.SELF, shortfall="fixloop is not root", advice="run it as root", landlock=7, seccomp=True)
BARE = Reach(runs_as=RunsAs.SELF)


@pytest.mark.parametrize(
    ("reach", "name"),
    [
        (WHOLE, "uid+landlock+seccomp"),
        (replace(WHOLE, runs_as=RunsAs.READER), "uid-that-reads+landlock+seccomp"),
        (replace(WHOLE, landlock=0), "uid+seccomp"),
        (SHARED, "landlock+seccomp"),
        (BARE, "environment only"),
    ],
)
def test_a_level_has_a_short_name(reach: Reach, name: str) -> None:
    assert level_name(reach) == name
    words = granted(Demand(), reach)
    assert isinstance(words, str)
    assert words.startswith(name)


def test_what_is_not_reached_is_said_too() -> None:
    words = granted(Demand(), replace(SHARED, landlock=0, seccomp=False))
    assert isinstance(words, str)
    for lack in ("fixloop is not root", "no Landlock", "no filter of system calls"):
        assert lack in words
    assert not all_is_had(SHARED)
    assert all_is_had(WHOLE)


@pytest.mark.parametrize("level", ["best", "strict"])
def test_the_whole_sandbox_serves_every_demand(level: SandboxLevel) -> None:
    words = granted(Demand(level=level, network=False), WHOLE)
    assert isinstance(words, str)
    assert "no network" in words


@pytest.mark.parametrize(
    ("demand", "reach", "reason", "advice"),
    [
        pytest.param(Demand(level="strict"), SHARED, "fixloop is not root", "run it as root", id="strict as a user"),
        pytest.param(
            Demand(level="strict"), replace(WHOLE, landlock=0), "no Landlock", "Linux", id="strict on an old kernel"
        ),
        pytest.param(
            Demand(level="strict"),
            replace(WHOLE, runs_as=RunsAs.READER),
            "`strict`",
            "`best`",
            id="one reading more",
        ),
        pytest.param(Demand(network=False), BARE, "network", "remove", id="no network on an old kernel"),
        pytest.param(Demand(level="off", network=False), WHOLE, "off", "`best`", id="no network and no sandbox"),
    ],
)
def test_what_cannot_be_had_is_refused_with_a_way_out(demand: Demand, reach: Reach, reason: str, advice: str) -> None:
    refused = granted(demand, reach)
    assert isinstance(refused, NotGranted)
    assert reason in refused.reason
    assert advice in refused.advice


def test_off_is_said_to_be_off() -> None:
    words = granted(Demand(level="off"), WHOLE)
    assert isinstance(words, str)
    assert words.startswith("off")
    assert "own user" in words
