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

from fixloop_bot.entrypoints.dashboard.access import Access, Guarded, user_of
from fixloop_bot.entrypoints.dashboard.answering import read_form, take_answer
from fixloop_bot.entrypoints.dashboard.drawing import Draw, drawer, stylesheet
from fixloop_bot.entrypoints.dashboard.pages import (
    Values,
    decisions_page,
    health_page,
    metrics_page,
    run_page,
    runs_page,
)
from fixloop_bot.entrypoints.dashboard.sources import Sources
from fixloop_bot.entrypoints.dashboard.tokens import COOKIE, Tokens, new_session, session_in

MENU = (("/", "Runs"), ("/decisions", "Decisions"), ("/productivity", "Metrics"), ("/health", "Health"))
EVERY = 5
"""Seconds between two views of a run that is watched."""


def dashboard(sources: Sources, access: Access) -> Starlette:
    """Return the application; where it is mounted, its links follow."""
    pages = _Pages(sources, access, drawer(sources.redact))
    style = stylesheet()

    def styled(_request: Request) -> Response:
        return Response(style, media_type="text/css", headers={"Cache-Control": "max-age=300"})

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
            return self._drawn(request, template, values(request, self.sources))

        return answered

    async def answer(self, request: Request) -> Response:
        """Take an answer, and say what became of it."""
        form = await read_form(request)
        user = user_of(request.headers, self.access)
        told = await run_in_threadpool(take_answer, request, form, user, self.sources, self.tokens)
        return await run_in_threadpool(self.message, request, 200, told)

    def message(self, request: Request, code: int, text: str) -> Response:
        """Return a page that says one thing."""
        back = request.url.path.removesuffix("/answer") if request.url.path.endswith("/answer") else ""
        return self._drawn(request, "message.html", {"code": code, "text": text, "back": back}, code)

    def _drawn(self, request: Request, template: str, values: Values, code: int = 200) -> Response:
        known = session_in(request.cookies.get(COOKIE))
        session = known or new_session()
        frame = {
            "base": request.scope.get("root_path", ""),
            "here": request.url.path.removeprefix(request.scope.get("root_path", "")),
            "menu": MENU,
            "every": EVERY,
            "user": user_of(request.headers, self.access),
            "token": lambda one: self.tokens.made(session, one.run_id, one.standing.end.question),
            "urlencode": urlencode,
            "live": False,
        }
        response = HTMLResponse(self.draw(template, {**frame, **values}), code)
        if not known:
            secure = request.url.scheme == "https"
            response.set_cookie(COOKIE, session, httponly=True, samesite="strict", secure=secure)
        return response
