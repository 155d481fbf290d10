"""Who is asking, and whether GitHub would let them."""

import base64
import binascii
from collections.abc import Mapping

import jwt

from tests.fakes.github.call import ApiError, not_found
from tests.fakes.github.state.accounts import App, Token
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.world import World

_LEVELS = {"read": "read", "write": "write", "admin": "admin"}
_OPEN_TO_READERS = {"issues:write", "pull_requests:write"}
"""What a person may do on a public repository with read access: open, comment, react."""


def credential(headers: Mapping[str, str]) -> str | None:
    """Return the secret of an Authorization header (`token`, `Bearer`, or `Basic` as git sends it), or None."""
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() in {"token", "bearer"}:
        return value.strip()
    if kind.lower() == "basic":
        try:
            decoded = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return ""
        return decoded.partition(":")[2]
    return None


def nobody(world: World) -> Token:
    """Return who asks without a credential, where GitHub wants none."""
    return Token(value="", account=world.account("ghost"))


def authenticate(world: World, headers: Mapping[str, str]) -> Token:
    """Return the token of a request; without a good one it is a 401."""
    value = credential(headers)
    if value is None:
        raise ApiError(401, "Requires authentication")
    token = _app_token(world, value) if value.count(".") == 2 else world.tokens.get(value)
    if token is None:
        raise ApiError(401, "Bad credentials")
    if token.expires_at and token.expires_at <= world.now():
        raise ApiError(401, "Bad credentials")
    if token.installation and token.installation.suspended_at:
        raise ApiError(403, "This installation has been suspended")
    return token


def authorise(token: Token, repository: Repository | None, needs: tuple[str, ...]) -> None:
    """Refuse what the token may not do; one of `needs` (`checks:write`) is enough.

    `app` wants an App's own JSON web token, `installation` an installation's token, nothing wants any token.
    """
    if "nobody" in needs:
        return
    if "app" in needs:
        if not token.is_jwt:
            raise ApiError(401, "A JSON web token could not be decoded")
        return
    if token.is_jwt:
        raise ApiError(403, "Resource not accessible by integration")
    if repository is not None and not may_see(token, repository):
        raise not_found()
    if "installation" in needs and token.permissions is None:
        raise ApiError(403, "You must authenticate with an installation access token in order to list repositories.")
    if repository is not None:
        _check_rights(token, repository, needs)


def may_see(token: Token, repository: Repository) -> bool:
    """Tell whether the repository exists for this token."""
    if token.permissions is not None:
        return token.repositories is None or repository.full_name in token.repositories or not repository.private
    return not repository.private or repository.allows(token.account, "read")


def _check_rights(token: Token, repository: Repository, needs: tuple[str, ...]) -> None:
    if token.permissions is None:
        if not any(_person_may(token, repository, need) for need in needs):
            raise ApiError(403, "Must have admin rights to Repository.")
        return
    foreign = token.repositories is not None and repository.full_name not in token.repositories
    allowed = any(token.grants(need) and not (foreign and need.endswith(":write")) for need in needs)
    if needs and not allowed:
        raise ApiError(403, "Resource not accessible by integration")


def _person_may(token: Token, repository: Repository, need: str) -> bool:
    if need in _OPEN_TO_READERS:
        return not repository.private or repository.allows(token.account, "read")
    level = _LEVELS[need.rpartition(":")[2]]
    if need.startswith("administration:"):
        level = "admin"
    return (level == "read" and not repository.private) or repository.allows(token.account, level)


def _app_token(world: World, value: str) -> Token | None:
    """Return the App that signed a JSON web token, if it is one of ours, signed RS256 and good for 10 minutes."""
    for app in world.apps.values():
        if app is not world.actions_app and _signed_by(app, value):
            return Token(value=value, account=app.bot, app=app)
    return None


def _signed_by(app: App, value: str) -> bool:
    try:
        claims = jwt.decode(value, app.public_key, algorithms=["RS256"], options={"require": ["iat", "exp", "iss"]})
    except jwt.PyJWTError:
        return False
    issuers = {str(app.id), f"Iv1.{app.id:016x}"}
    return str(claims["iss"]) in issuers and int(claims["exp"]) - int(claims["iat"]) <= 660
