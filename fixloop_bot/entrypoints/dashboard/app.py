"""The dashboard as a Starlette application, to be served or mounted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from fixloop_bot.entrypoints.dashboard.access import Access, Guarded, person_cookie, user_of
from fixloop_bot.entrypoints.dashboard.answering import Who, read_form, take_answer
from fixloop_bot.entrypoints.dashboard.drawing import HTMX, Draw, drawer, htmx, stylesheet
from fixloop_bot.entrypoints.dashboard.pages import (
    Values,
    decisions_page,
    health_page,
    metrics_page,
    run_page,
    runs_page,
)
from fixloop_bot.entrypoints.dashboard.sessions import cookie_name
from fixloop_bot.entrypoints.dashboard.sign_in import SignIn
from fixloop_bot.entrypoints.dashboard.sources import Sources
from fixloop_bot.entrypoints.dashboard.tokens import COOKIE, Tokens, new_session, session_in

MENU = (("/", "Runs"), ("/decisions", "Decisions"), ("/productivity", "Metrics"), ("/health", "Health"))
EVERY = 5
"""Seconds between two views of a run that is watched."""


def dashboard(sources: Sources, access: Access, sign_in: SignIn | None = None) -> Starlette:
    """Return the application; where it is mounted, its links follow. With `sign_in` come `access.sessions` of it."""
    pages = _Pages(sources, access, drawer(sources.redact))
    style, script = stylesheet(), htmx()

    def styled(_request: Request) -> Response:
        return Response(style, media_type="text/css", headers={"Cache-Control": "max-age=300"})

    def scripted(_request: Request) -> Response:
        return Response(script, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    def refused(request: Request, error: Exception) -> Response:
        told = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "A fault of fixloop.")
        return pages.message(request, *told)

    return Starlette(
        routes=[
            Route("/", pages.page("runs.html", runs_page)),
            Route("/decisions", pages.page("decisions.html", decisions_page)),
            Route("/productivity", pages.page("metrics.html", metrics_page)),
            Route("/health", pages.page("health.html", health_page)),
            Route("/style.css", styled),
            Route(f"/{HTMX}", scripted),
            *(sign_in.routes(pages.drawn) if sign_in else ()),
            Route("/runs/{source:int}/{run_id}", pages.page("run.html", run_page)),
            Route("/runs/{source:int}/{run_id}/answer", pages.answer, methods=["POST"]),
        ],
        middleware=[Middleware(Guarded, access)],
        exception_handlers={HTTPException: refused, 500: refused},
    )


@dataclass(frozen=True, slots=True)
class _Pages:
    sources: Sources
    access: Access
    draw: Draw
    tokens: Tokens = field(default_factory=Tokens)

    def page(self, template: str, values: Callable[[Request, Sources], Values]) -> Callable[[Request], Response]:
        """Return the answer to a request for a page; Starlette calls it in a thread of its own."""

        def answered(request: Request) -> Response:
            found = values(request, self.sources)
            if found.get("seen") == request.query_params.get("seen", ""):
                return Response(status_code=204)  # htmx leaves what it has
            return self.drawn(request, template, found)

        return answered

    async def answer(self, request: Request) -> Response:
        """Take an answer, and say what became of it."""
        form = await read_form(request)
        who = Who(user_of(request.headers, self.access), self._session(request))
        told = await run_in_threadpool(take_answer, request, form, who, self.sources, self.tokens)
        return await run_in_threadpool(self.message, request, 200, told)

    def message(self, request: Request, code: int, text: str) -> Response:
        """Return a page that says one thing."""
        back = request.url.path.removesuffix("/answer") if request.url.path.endswith("/answer") else ""
        return self.drawn(request, "message.html", {"code": code, "text": text, "back": back}, code)

    def drawn(self, request: Request, template: str, values: Values, code: int = 200) -> Response:
        """Return a page, with a cookie for a browser that has none yet."""
        known = self._session(request)
        session = known or new_session()
        base, user = request.scope.get("root_path", ""), user_of(request.headers, self.access)
        frame = {
            "base": base,
            "here": request.url.path.removeprefix(base),
            "menu": MENU if user or self.access.sessions is None else (),
            "every": EVERY,
            "htmx": HTMX,
            "user": user,
            "may_leave": bool(user) and self.access.sessions is not None,
            "named": bool(user),
            "token": lambda one: self.tokens.made(session, one.run_id, one.standing.end.question),
            "urlencode": urlencode,
            "live": False,
        }
        response = HTMLResponse(self.draw(template, {**frame, **values}), code)
        if not known and self.access.sessions is None:
            secure = self.access.secure or request.url.scheme == "https"
            response.set_cookie(self._cookie, session, httponly=True, samesite="strict", secure=secure)
        return response

    def _session(self, request: Request) -> str:
        """Return what a form's token is bound to: the signed-in person's cookie, else one of the browser's own."""
        if self.access.sessions is not None:
            known = user_of(request.headers, self.access)
            return person_cookie(request.headers, self.access.sessions) if known else ""
        return session_in(request.cookies.get(self._cookie))

    @property
    def _cookie(self) -> str:
        """Return the name of the cookie of a browser whose person does not sign in here."""
        return cookie_name(COOKIE, secure=self.access.secure)
