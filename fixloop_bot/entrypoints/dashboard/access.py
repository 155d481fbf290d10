"""Who may speak to the dashboard: the names it is called by, the proxy before it, and what a browser may do with it."""

import ipaddress
import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fixloop_bot.entrypoints.dashboard.key import Key, same
from fixloop_bot.entrypoints.dashboard.sessions import Sessions

OPEN_PATHS = frozenset({"/style.css", "/sign-in", "/sign-in/github", "/sign-in/done"})
"""What is answered before somebody is signed in."""
OF_PROXIES = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
PROXY_SHOWS = "x-fixloop-proxy-secret"
"""Header in which the proxy shows that it is the proxy: whoever reaches the port can send the other one."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with `no-referrer` browsers send `Origin: null` with a form (Fetch, 3.1)
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request must have."""

    names: frozenset[str] = frozenset()
    """Names besides the loopback ones that the `Host` header may have, without a port."""
    proxy_header: str = ""
    """Header in which the proxy before the dashboard names the person; empty: there is none."""
    proxy_secret: str = field(default="", repr=False)
    """What the proxy sends besides; where it is empty, no proxy is believed."""
    sessions: Sessions | None = None
    """Who is signed in; None: nobody has to be."""
    direct: bool = False
    """Nobody is asked who they are, so that whoever comes through a proxy is refused."""
    key: Key | None = None
    """What a browser must have been given; None: who it is, is known in another way."""
    secure: bool = False
    """Browsers come by HTTPS."""

    def knows(self, host: str) -> bool:
        """Return whether a `Host` header names this dashboard; another name that leads here is rebound DNS."""
        return host_name(host) in LOOPBACK | self.names

    def is_own(self, origin: str, host: str) -> bool:
        """Return whether an `Origin` header is the dashboard's own, asked for under this `Host`."""
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and bool(place) and (place == host or place.lower() in self.names)


def host_name(host: str) -> str:
    """Return the name in a `Host` header (RFC 9110, 7.2), in small letters; empty for what is none."""
    found = _HOST.fullmatch(host)
    return found[1].lower() if found else ""


def is_loopback(host: str) -> bool:
    """Return whether nobody but this machine can connect to an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guarded:
    """Refuses requests that must not be answered, and puts the security headers on every response."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI 3)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = refused(Headers(scope=scope), scope["method"], self._access) or self._keyless(scope)
        refusal = refusal or self._unknown(scope)
        await (refusal or self._app)(scope, receive, protected)

    def _keyless(self, scope: Scope) -> Response | None:
        return self._access.key.checked(scope) if self._access.key else None

    def _unknown(self, scope: Scope) -> Response | None:
        """Return where a person is sent who has to sign in first."""
        base = scope.get("root_path", "")
        path = scope["path"].removeprefix(base)
        if self._access.sessions is None or path in OPEN_PATHS or user_of(Headers(scope=scope), self._access):
            return None
        if "hx-request" in Headers(scope=scope):  # htmx would put the sign-in page into the run's
            return Response(status_code=401, headers={"HX-Refresh": "true"})
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("You are not signed in any more. Sign in, and load the page again.\n", 401)
        return RedirectResponse(f"{base}/sign-in?{urlencode({'next': path})}", 303)


def person_cookie(headers: Headers, sessions: Sessions) -> str:
    """Return the secret name under which a person is signed in; empty: there is none."""
    return cookie_parser(headers.get("cookie", "")).get(sessions.cookie, "")


def refused(headers: Headers, method: str, access: Access) -> PlainTextResponse | None:
    """Return the refusal of a request, None for one that may be answered."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not access.knows(hosts[0]):
        return PlainTextResponse("The dashboard is not known by this name; see --public-name.\n", 421)
    if access.direct and any(name in headers for name in OF_PROXIES):
        return PlainTextResponse("The dashboard is open to this machine alone, not to what a proxy passes on.\n", 403)
    if access.proxy_header and not user_of(headers, access):
        return PlainTextResponse("The dashboard is reached through its proxy alone.\n", 401)
    if method in ("GET", "HEAD"):
        return None
    own = access.is_own(headers.get("origin", ""), hosts[0])
    if not own or headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return PlainTextResponse("This request does not come from the dashboard's own page.\n", 403)
    return None


def user_of(headers: Headers, access: Access) -> str:
    """Return who is signed in, or whom the proxy names; empty for nobody, and where a proxy names several."""
    if access.sessions is not None:
        return access.sessions.login(person_cookie(headers, access.sessions))
    named = headers.getlist(access.proxy_header) if access.proxy_header and _is_proxy(headers, access) else []
    return named[0].strip()[:200] if len(named) == 1 and named[0].isprintable() else ""


def _is_proxy(headers: Headers, access: Access) -> bool:
    """Return whether the proxy's secret came with the request, once."""
    shown = headers.getlist(PROXY_SHOWS)
    return bool(access.proxy_secret) and len(shown) == 1 and same(shown[0], access.proxy_secret)
