"""What GitHub tells of an App's installation, recorded and made up."""

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from fixloop_bot.core.installation_events import INSTALLATION_EVENTS, parse_installation_event
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.installation import InstallationChange, Standing
from tests.core.github_events import recorded

PAYLOAD: dict[str, Any] = {
    "action": "suspend",
    "installation": {
        "id": 7,
        "account": {"login": "octo", "id": 3},
        "suspended_at": "2026-05-01T10:00:00Z",
        "updated_at": "2026-05-01T10:00:00Z",
    },
    "repositories_removed": [{"full_name": "octo/shop"}, {"full_name": "../../x"}],
}


def with_action(action: str, **installation: object) -> dict[str, Any]:
    made = deepcopy(PAYLOAD) | {"action": action, "repositories_removed": []}
    made["installation"] |= installation
    return made


def test_every_recorded_event_says_how_the_installation_stands() -> None:
    seen = Counter[tuple[str, str]]()
    for name, payload in recorded():
        if name in INSTALLATION_EVENTS:
            parsed = parse_installation_event(name, payload)
            assert isinstance(parsed, InstallationChange), (name, payload["action"], parsed)
            assert parsed.changed_at > 1_500_000_000
            seen[payload["action"], parsed.standing] += 1
    assert {action for action, _ in seen} >= {"created", "deleted", "added", "removed"}
    assert all((action == "deleted") == (standing is Standing.DELETED) for action, standing in seen)


@pytest.mark.parametrize(
    ("payload", "standing"),
    [
        pytest.param(with_action("suspend"), Standing.SUSPENDED, id="suspended"),
        pytest.param(with_action("suspend", suspended_at=None), Standing.SUSPENDED, id="suspended on an old server"),
        pytest.param(with_action("unsuspend", suspended_at=None), Standing.ACTIVE, id="let act again"),
        pytest.param(with_action("new_permissions_accepted", suspended_at=None), Standing.ACTIVE, id="new permissions"),
        pytest.param(with_action("added"), Standing.SUSPENDED, id="a repository added while it is suspended"),
        pytest.param(with_action("deleted", suspended_at=None), Standing.DELETED, id="deleted"),
        pytest.param(with_action("created", account={"slug": "big-corp"}), Standing.SUSPENDED, id="of an enterprise"),
    ],
)
def test_an_action_says_how_it_stands(payload: dict[str, Any], standing: Standing) -> None:
    parsed = parse_installation_event("installation", payload)
    assert isinstance(parsed, InstallationChange)
    assert (parsed.installation_id, parsed.standing, parsed.changed_at) == (7, standing, 1_777_629_600.0)


def test_repositories_that_are_taken_away_are_named_where_they_can_be_names() -> None:
    parsed = parse_installation_event("installation_repositories", PAYLOAD | {"action": "removed"})
    assert isinstance(parsed, InstallationChange)
    assert (parsed.account, parsed.removed) == ("octo", ("octo/shop",))


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({}, id="nothing"),
        pytest.param(PAYLOAD | {"action": "renamed"}, id="an action that GitHub may invent"),
        pytest.param(PAYLOAD | {"installation": [1]}, id="an installation of another kind"),
        pytest.param(with_action("created", id=-1), id="a negative number"),
        pytest.param(with_action("created", account={"login": "-x\n"}), id="an account that is an option"),
        pytest.param(with_action("created", updated_at="yesterday"), id="a time that is none"),
        pytest.param(with_action("created", updated_at=True), id="a time that is a truth"),
    ],
)
def test_what_cannot_be_used_is_ignored_with_a_reason(payload: dict[str, Any]) -> None:
    assert isinstance(parse_installation_event("installation", payload), Ignored)
