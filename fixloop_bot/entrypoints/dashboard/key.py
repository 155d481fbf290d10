"""A key of the process: on loopback, where nobody is asked who they are, only who was given the address comes in.

Any user of the machine, and any command of a pull request that has its network, can connect to loopback.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

PARAMETER = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A secret that is in no request but the first: a cookie that is derived from it takes its place."""

    place: str
    """Where a person finds the address with the key."""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def address(self, base: str) -> str:
        """Return the address of the first page with the key; `base` ends with a slash."""
        return f"{base}?{urlencode({PARAMETER: self.secret})}"

    def checked(self, scope: Scope) -> Response | None:
        """Return the answer to a request without the cookie, None for one with it.

        Who brings the key is given the cookie and sent to the same place without the key, so that it stands in no
        history, bookmark or `Referer`.
        """
        given = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        keys = [value for name, value in given if name == PARAMETER]
        if scope["method"] in ("GET", "HEAD") and len(keys) == 1 and same(keys[0], self.secret):
            return self._welcome(scope, [(name, value) for name, value in given if name != PARAMETER])
        if self._is_known(scope):
            return None
        headers = {"HX-Refresh": "true"} if "hx-request" in Headers(scope=scope) else None
        words = f"Open the dashboard with the address that holds its key, {self.place}. Each start makes a new key.\n"
        return PlainTextResponse(words, 401, headers=headers)

    def _welcome(self, scope: Scope, rest: Sequence[tuple[str, str]]) -> Response:
        path = "/" + quote(scope["path"].lstrip("/\\"))  # two slashes would begin the name of another host
        response = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303)
        base = scope.get("root_path", "") or "/"
        response.set_cookie(self._name(scope), self._derived(), path=base, httponly=True, samesite="strict")
        return response

    def _is_known(self, scope: Scope) -> bool:
        cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
        return same(cookies.get(self._name(scope), ""), self._derived())

    def _name(self, scope: Scope) -> str:
        """Return the cookie's name: browsers send it to all ports of a host, where another dashboard may be."""
        server = scope.get("server")
        return f"fixloop-key-{server[1] if server else 0}"

    def _derived(self) -> str:
        return hmac.new(self.secret.encode(), b"cookie", hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Return whether two texts are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))
