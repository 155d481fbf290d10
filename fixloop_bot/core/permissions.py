"""A person's permission, as GitHub's API tells it."""

from fixloop_bot.model.ticket import Permission

_MEMBERS = {str(permission): permission for permission in Permission}
_OTHER_NAMES = {"push": Permission.WRITE, "pull": Permission.READ}


def to_permission(permission: str, role_name: str = "") -> Permission:
    """Return the permission that `GET /repos/{owner}/{repo}/collaborators/{username}/permission` means.

    `permission` knows neither triage nor maintain (they read as `read` and `write`); `role_name` does, but may be an
    organisation's own role, which then counts as what `permission` says. What is unknown counts as none.
    """
    for name in (role_name.lower(), permission.lower()):
        if found := _MEMBERS.get(name) or _OTHER_NAMES.get(name):
            return found
    return Permission.NONE
