"""Apps, installations, accounts and the rate limit."""

from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, invalid, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import accounts as render
from tests.fakes.github.render.repositories import repository as render_repository
from tests.fakes.github.state.accounts import App, Installation


def get_app(call: Call) -> Reply:
    app = _app(call)
    installed = sum(item.app is app for item in call.world.installations.values())
    return Reply(body={**render.app(call.urls, app), "installations_count": installed})


def convert_manifest(call: Call) -> Reply:
    """Hand a new App's secrets over, once and within an hour of its registration."""
    app, until = call.world.codes.pop(call.params["code"], (None, None))
    if app is None or until is None or until <= call.world.now():
        raise not_found()
    secrets = {"client_secret": app.client_secret, "webhook_secret": app.webhook_secret, "pem": app.private_key}
    return Reply(status=201, body={**render.app(call.urls, app), **secrets})


def list_installations(call: Call) -> Reply:
    own = [item for item in call.world.installations.values() if item.app is _app(call)]
    return page(call, own, lambda item: render.installation(call.urls, item))


def get_installation(call: Call) -> Reply:
    return Reply(body=render.installation(call.urls, _installation(call)))


def get_repository_installation(call: Call) -> Reply:
    for item in call.world.installations.values():
        if item.app is _app(call) and call.repo.full_name in item.repositories:
            return Reply(body=render.installation(call.urls, item))
    raise not_found()


def create_token(call: Call) -> Reply:
    """Mint an installation token, narrowed to what was asked for; asking for more is a 422."""
    installation = _installation(call)
    if installation.suspended_at is not None:
        raise ApiError(403, "This installation has been suspended")
    asked = call.body.get("permissions") or installation.permissions
    order = {"read": 1, "write": 2, "admin": 3}
    if any(order[level] > order.get(installation.permissions.get(name, ""), 0) for name, level in asked.items()):
        raise invalid("The permissions requested are not granted to this installation.")
    names = {f"{installation.account.login}/{name}" for name in call.body.get("repositories", [])}
    if not names <= installation.repositories:
        raise invalid("There is at least one repository that does not exist or is not accessible.")
    value = call.world.installation_token(installation, permissions=asked, repositories=names)
    token = call.world.tokens[value]
    body: dict[str, Any] = {
        "token": value,
        "expires_at": render.stamp(token.expires_at),
        "permissions": dict(asked),
        "repository_selection": "selected",
    }
    return Reply(status=201, body=body)


def list_installation_repositories(call: Call) -> Reply:
    visible = call.token.repositories or set()
    found = [item for item in call.world.repositories.values() if item.full_name in visible]
    reply = page(call, found, lambda item: render_repository(call.urls, item), wrap="repositories")
    reply.body["repository_selection"] = "selected"
    return reply


def get_user(call: Call) -> Reply:
    if call.token.permissions is not None:
        raise ApiError(403, "Resource not accessible by integration")
    return Reply(body=render.profile(call.urls, call.token.account))


def get_own_membership(call: Call) -> Reply:
    """Tell whether the person belongs to an organisation; what they are no part of is not found."""
    if call.token.permissions is not None:
        raise ApiError(403, "Resource not accessible by integration")
    found = call.world.accounts.get(call.params["org"].lower())
    state = call.world.members.get(call.params["org"].lower(), {}).get(call.token.account.login.lower())
    if found is None or state is None:
        raise not_found()
    return Reply(body=render.membership(call.urls, found, call.token.account, state))


def get_account(call: Call) -> Reply:
    account = call.world.accounts.get(call.params["username"].lower())
    if account is None:
        raise not_found()
    return Reply(body=render.profile(call.urls, account))


def _app(call: Call) -> App:
    if call.token.app is None:
        raise not_found()
    return call.token.app


def _installation(call: Call) -> Installation:
    found = call.world.installations.get(call.number("installation_id"))
    if found is None or found.app is not _app(call):
        raise not_found()
    return found
