"""Permissions as the API tells them."""

import pytest

from fixloop_bot.core.permissions import to_permission
from fixloop_bot.model.ticket import Permission


@pytest.mark.parametrize(
    ("permission", "role_name", "meant"),
    [
        ("admin", "admin", Permission.ADMIN),
        ("write", "maintain", Permission.MAINTAIN),
        ("write", "write", Permission.WRITE),
        ("write", "push", Permission.WRITE),
        ("read", "triage", Permission.TRIAGE),
        ("read", "read", Permission.READ),
        ("none", "", Permission.NONE),
        ("write", "Release Captain", Permission.WRITE),
        ("read", "Security Reader", Permission.READ),
        ("owner", "god", Permission.NONE),
        ("", "", Permission.NONE),
    ],
)
def test_role_name_says_more_and_an_own_role_counts_as_its_permission(
    permission: str, role_name: str, meant: Permission
) -> None:
    assert to_permission(permission, role_name) is meant


def test_permissions_have_an_order() -> None:
    assert sorted(Permission, key=lambda one: one.rank) == list(Permission)
    assert Permission.MAINTAIN.rank > Permission.WRITE.rank > Permission.TRIAGE.rank
