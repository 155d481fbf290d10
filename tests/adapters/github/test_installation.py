"""Tokens of an installation: no more than asked for, and none where the App may not act any more."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.github.forge import GitHubForge
from fixloop_bot.adapters.github.installation import mint_token, within
from fixloop_bot.core.app_manifest import API_PERMISSIONS, PUSH_PERMISSIONS
from fixloop_bot.model.forge import Comment, ForgeErrorKind
from fixloop_bot.ports.forge import ForgeError, NotInstalledError
from tests.adapters.github.scene import QUICK, Scene
from tests.fakes.github.state.accounts import Token


def access(stage: Scene, permissions: Mapping[str, str] | None) -> GitHubAccess:
    credential = replace(stage.app(), permissions=permissions)
    return GitHubAccess(full_name=stage.shop.full_name, credential=credential, api_url=stage.github.url, patience=QUICK)


def minted(stage: Scene, given: GitHubAccess) -> Token:
    return stage.github.tokens[mint_token(given)]


def test_a_token_may_what_it_is_for_on_one_repository(stage: Scene) -> None:
    other = stage.github.repository("octo/other")
    given = access(stage, PUSH_PERMISSIONS)
    next(iter(stage.github.installations.values())).repositories.add(other.full_name)
    token = minted(stage, given)
    assert (token.permissions, token.repositories) == ({"contents": "write"}, {"octo/shop"})


def test_the_api_s_token_can_report_but_push_nothing_and_touch_no_workflow(stage: Scene) -> None:
    credential = replace(stage.app(), permissions=API_PERMISSIONS)
    assert stage.github.app("fixloop").permissions["workflows"] == "write"
    with stage.forge(app=credential) as forge:
        assert isinstance(forge.write_comment(1, "hello"), Comment)
        assert forge.may_change_workflows() is False
    (token,) = [one for one in stage.github.tokens.values() if one.installation]
    assert token.permissions == API_PERMISSIONS


def test_an_installation_that_has_not_granted_all_yet_gives_what_it_has(stage: Scene) -> None:
    given = access(stage, API_PERMISSIONS)
    (installation,) = stage.github.installations.values()
    installation.permissions = {"contents": "write", "checks": "read", "metadata": "read"}
    assert minted(stage, given).permissions == {"contents": "read", "checks": "read", "metadata": "read"}


def test_of_levels_the_lower_counts() -> None:
    assert within({"checks": "write", "issues": "read"}, {"checks": "read", "issues": "write"}) == {
        "checks": "read",
        "issues": "read",
    }
    assert within({"workflows": "write"}, None) == {"workflows": "write"}


@pytest.mark.parametrize("what", ["suspended", "removed from the repository", "deleted"])
def test_where_the_app_may_not_act_the_error_says_so_whoever_meets_it(stage: Scene, what: str) -> None:
    given = access(stage, API_PERMISSIONS)
    (installation,) = stage.github.installations.values()
    if what == "suspended":
        installation.suspended_at = stage.github.now()
    elif what == "deleted":
        stage.github.installations.clear()
    else:
        installation.repositories = {"octo/other"}
    with pytest.raises(NotInstalledError, match="installation"):
        mint_token(given)
    with GitHubForge(given) as forge:
        for asked in (forge.identity, lambda: forge.branch_head("main")):
            with pytest.raises(NotInstalledError):
                asked()


def test_a_rate_limit_is_no_suspension(stage: Scene) -> None:
    given = access(stage, API_PERMISSIONS)
    stage.github.exhaust_rate(seconds=3600)
    with pytest.raises(ForgeError) as caught:
        mint_token(given)
    assert (caught.value.kind, type(caught.value)) == (ForgeErrorKind.RATE_LIMITED, ForgeError)
