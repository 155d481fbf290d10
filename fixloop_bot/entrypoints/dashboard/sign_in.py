"""Signing in and out: the pages' half of the web flow."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fixloop_bot.adapters.github.sign_in import Person, SignInAccess, SignInError, begin, finish
from fixloop_bot.entrypoints.dashboard.access import LOOPBACK, host_name, person_cookie
from fixloop_bot.entrypoints.dashboard.key import same
from fixloop_bot.entrypoints.dashboard.pending import ON_THE_WAY_S, OnTheWay, Seal
from fixloop_bot.entrypoints.dashboard.sessions import LIFETIME_S, WAY_COOKIE, Sessions, cookie_name

AT_ONCE: Final = 4
"""Returns from GitHub that are finished at a time: GitHub is asked, and strangers must not hold every thread."""

_PLACE = re.compile(r"/(?:[\w.~-]+(?:/[\w.~-]+)*/?)?(?:\?[\w.~=&%+-]*)?", re.ASCII)
_WORD = re.compile(r"[a-z_]{1,60}")

DrawPage = Callable[[Request, str, dict[str, object], int], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who may read the dashboard."""

    users: frozenset[str] = frozenset()
    """Logins in small letters."""
    organization: str = ""
    """Whose members may, too; empty: nobody's."""

    def include(self, person: Person) -> bool:
        """Return whether the person is one of them."""
        return person.login.lower() in self.users or (bool(self.organization) and person.in_organization)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """GitHub's App, who may come in, and who is here."""

    access: SignInAccess
    readers: Readers
    public_url: str = ""
    """Address of the dashboard without a slash at its end; empty: this machine's browsers alone come."""
    sessions: Sessions = field(default_factory=Sessions)
    seal: Seal = field(default_factory=Seal)
    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(AT_ONCE))

    def routes(self, draw: DrawPage) -> list[Route]:
        """Return the pages; `draw` fills a template."""

        def page(request: Request) -> Response:
            place = own_place(request.query_params.get("next", ""))
            return draw(request, "sign_in.html", {"place": place, "readers": self.readers}, 200)

        return [
            Route("/sign-in", page),
            Route("/sign-in/github", self.start),
            Route("/sign-in/done", self.done),
            Route("/sign-out", self.leave, methods=["POST"]),
        ]

    def start(self, request: Request) -> Response:
        """Send the browser to GitHub, with a cookie by which its return is known."""
        begun = begin(self.access, f"{self._address(request)}/sign-in/done")
        sealed = self.seal.closed(OnTheWay(begun, own_place(request.query_params.get("next", ""))))
        response = RedirectResponse(begun.url, 303)
        self._set(response, self._way, sealed, ON_THE_WAY_S)
        return response

    def done(self, request: Request) -> Response:
        """Take the browser that comes back from GitHub. Raises HTTPException for one that may not come in."""
        on_the_way = self.seal.opened(request.cookies.get(self._way, ""))
        asked = request.query_params
        if on_the_way is None or not same(asked.get("state", ""), on_the_way.begun.state):
            raise HTTPException(400, "This sign-in was not begun here, or too long ago. Begin again.")
        if "code" not in asked:
            word = asked.get("error", "")
            raise HTTPException(403, f"GitHub did not sign you in ({word if _WORD.fullmatch(word) else 'no code'}).")
        person = self._person(on_the_way, asked["code"][:200])
        if not self.readers.include(person):
            raise HTTPException(403, f"{person.login} is not among those who may read this dashboard.")
        response = RedirectResponse(request.scope.get("root_path", "") + on_the_way.place, 303)
        self._set(response, self.sessions.cookie, self.sessions.people.keep(person.login), LIFETIME_S)
        self._unset(response, self._way)
        return response

    def leave(self, request: Request) -> Response:
        """Sign the person out, here and not only in the browser."""
        self.sessions.people.take(person_cookie(request.headers, self.sessions))
        response = RedirectResponse(f"{request.scope.get('root_path', '')}/sign-in", 303)
        self._unset(response, self.sessions.cookie)
        return response

    def _person(self, on_the_way: OnTheWay, code: str) -> Person:
        """Return whom GitHub names. Raises HTTPException."""
        with self._turn():
            try:
                return finish(self.access, on_the_way.begun, code, organization=self.readers.organization)
            except SignInError as error:
                raise HTTPException(502, str(error)) from None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let a few ask GitHub; who comes then does not wait in a thread. Raises HTTPException."""
        if not self.turns.acquire(blocking=False):
            raise HTTPException(503, "Others are signing in at this moment. Load this page again.")
        try:
            yield
        finally:
            self.turns.release()

    @property
    def _way(self) -> str:
        """Return the name of the cookie of a sign-in under way."""
        return cookie_name(WAY_COOKIE, secure=self.sessions.secure)

    def _address(self, request: Request) -> str:
        """Return the dashboard's address as this browser knows it; the guard has checked the `Host`."""
        host = request.headers["host"]
        if self.public_url and host_name(host) not in LOOPBACK:
            return self.public_url
        return f"{request.url.scheme}://{host}{request.scope.get('root_path', '')}"

    def _set(self, response: Response, name: str, value: str, seconds: float) -> None:
        """Set a cookie. `Lax`: a `Strict` one is not sent when GitHub sends the browser back."""
        secure = self.sessions.secure
        response.set_cookie(name, value, max_age=int(seconds), httponly=True, samesite="lax", secure=secure)

    def _unset(self, response: Response, name: str) -> None:
        response.delete_cookie(name, httponly=True, samesite="lax", secure=self.sessions.secure)


def own_place(place: str) -> str:
    """Return a path of the dashboard; anything that could lead elsewhere is the first page."""
    return place if len(place) <= 300 and _PLACE.fullmatch(place) else "/"
