"""A GitHub App's own key, read once a process: reading it costs more than signing with it a hundred times."""

from functools import lru_cache
from typing import Any, Final

import jwt
from github import Auth

from fixloop_bot.adapters.github.access import AppAccess

_ALGORITHM: Final = "RS256"
"""docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt"""


def to_app_auth(credential: AppAccess) -> Auth.AppAuth:
    """Return what signs as the App. Signing raises `jwt.exceptions.InvalidKeyError` for what is no key."""
    return Auth.AppAuth(credential.app_id, sign_func=lambda payload: _signed(payload, credential.private_key))


def _signed(payload: dict[str, Any], pem: str) -> str:
    return jwt.encode(payload, key=_prepared(pem), algorithm=_ALGORITHM)


@lru_cache(maxsize=4)
def _prepared(pem: str) -> Any:  # noqa: ANN401 - cryptography's, which is loaded when it is needed
    return jwt.get_algorithm_by_name(_ALGORITHM).prepare_key(pem)
