"""The fake itself: the state, its server, its log and its verdict."""

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.fakes.github import access, gateway, git_http, graphql, logs, oauth, registration
from tests.fakes.github.actions_runner import actions_environment
from tests.fakes.github.call import GRAPHQL, ApiError, Reply, Request
from tests.fakes.github.checkout import check_out
from tests.fakes.github.conditions import Conditions
from tests.fakes.github.payloads import Payloads
from tests.fakes.github.receive_pack import RefUpdate
from tests.fakes.github.server import Server
from tests.fakes.github.state.accounts import Account, Installation, Token
from tests.fakes.github.state.rate import Rate
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.world import World
from tests.fakes.github.urls import ENTERPRISE_PREFIX, Urls


class ContractViolationError(AssertionError):
    """Somebody spoke another language than GitHub's description of its API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushEvent:
    """A ref that moved by git or by the API, and who moved it."""

    repository: Repository
    update: RefUpdate
    actor: Account


class FakeGitHub(World):
    """A GitHub on loopback; a context manager whose end raises if the API's description was violated.

    `enterprise` puts `/api/v3` into `url`, as GitHub Enterprise Server does; both prefixes always work.
    """

    def __init__(self, *, enterprise: bool = False) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fake-github-", ignore_cleanup_errors=True)
        super().__init__(Path(self._folder.name))
        self.rate = Rate(reset_at=self.hour_from_now())
        self.conditions = Conditions()
        self.requests: list[Request] = []
        self.pushes: list[PushEvent] = []
        self.violations: list[str] = []
        self.lock = threading.RLock()
        self.closing = threading.Event()
        self._server = Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        site = f"http://127.0.0.1:{self._server.server_port}"
        self.urls = Urls(site, ENTERPRISE_PREFIX if enterprise else "")

    @property
    def url(self) -> str:
        """Return the base URL of the REST API."""
        return self.urls.api()

    @property
    def site(self) -> str:
        """Return the address under which people and git find repositories."""
        return self.urls.site

    @property
    def writes(self) -> list[Request]:
        """Return the requests that asked for a change, refused ones too."""
        return [request for request in self.requests if request.is_write]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._folder.cleanup()
        if error is None and self.violations:
            raise ContractViolationError("\n".join(self.violations))

    @property
    def payloads(self) -> Payloads:
        """Return the maker of webhook payloads, as workflows see them."""
        return Payloads(self, self.urls)

    def payloads_for(self, installation: Installation) -> Payloads:
        """Return the maker of webhook payloads, as an installed App gets them."""
        return Payloads(self, self.urls, installation)

    def actions_environment(
        self,
        repository: Repository,
        event_name: str,
        payload: Mapping[str, Any],
        *,
        folder: Path,
        inputs: Mapping[str, str] | None = None,
    ) -> dict[str, str]:
        """Return the environment of an Actions step that this event started; see `actions_runner`."""
        return actions_environment(self, repository, event_name, payload, folder=folder, inputs=inputs)

    def check_out(self, repository: Repository, environment: Mapping[str, str], token: str) -> Path:
        """Fill the step's workspace as actions/checkout does, and return it; see `checkout`."""
        return check_out(self, repository, environment, token)

    def clone_url(self, repository: Repository) -> str:
        """Return the address for git, without a credential."""
        return f"{self.site}/{repository.full_name}.git"

    def hour_from_now(self) -> datetime:
        """Return the end of a rate limit's hour."""
        return self.now() + timedelta(hours=1)

    def exhaust_rate(self, *, seconds: int = 60, status: int = 403) -> None:
        """Leave no request for the next `seconds`; `status` is 403 or 429."""
        self.rate.exhaust(reset_at=self.now() + timedelta(seconds=seconds), status=status)

    def violate(self, text: str) -> None:
        """Keep a violation; the end of the context reports it."""
        self.violations.append(text)

    def forgive(self, part: str) -> list[str]:
        """Take back the violations that contain `part`, for a test that provokes them; none is an error."""
        found = [text for text in self.violations if part in text]
        if not found:
            raise AssertionError(f"no violation says {part!r}: {self.violations}")
        self.violations = [text for text in self.violations if part not in text]
        return found

    def pushed(self, repository: Repository, update: RefUpdate, token: Token) -> None:
        """Keep a push, and start the repository's CI unless GITHUB_TOKEN pushed."""
        self.pushes.append(PushEvent(repository=repository, update=update, actor=token.account))
        branch = update.ref.removeprefix("refs/heads/")
        if update.new and repository.ci_workflow and token.app is not self.actions_app and branch != update.ref:
            repository.workflow_run(
                update.new,
                event="push",
                path=repository.ci_workflow,
                branch=branch,
                actor=token.account,
                status="queued",
            )

    def answer(self, request: Request) -> Reply:
        """Return the reply to any request; what a test ordered comes first."""
        request = replace(request, actor=self._actor(request))
        self.requests.append(request)
        for order in self.conditions.due(self.conditions.before_, request):
            if order.action:
                order.action(request)
        reply = self._fault(request) or self._dispatch(request)
        for order in self.conditions.due(self.conditions.after_, request):
            if order.action:
                order.action(request)
        return reply

    def _fault(self, request: Request) -> Reply | None:
        for order in self.conditions.due(self.conditions.faults, request):
            self.closing.wait(order.delay)
            if order.error:
                return order.error.to_reply()
        return None

    def _dispatch(self, request: Request) -> Reply:
        if request.path.startswith(logs.PREFIX):
            return logs.answer(self, request)
        if registration.is_form(request.path):
            with self.lock:
                return registration.answer(self, request)
        if request.path.startswith(oauth.PREFIX):
            with self.lock:
                return oauth.answer(self, request)
        if git_http.is_git(request.path):
            return git_http.answer(self, request)
        if request.method == "POST" and request.path in GRAPHQL:
            with self.lock:
                return graphql.answer(self, request)
        return gateway.answer(self, request)

    def _actor(self, request: Request) -> str | None:
        try:
            token = access.authenticate(self, request.headers)
        except ApiError:
            return None
        return token.app.slug if token.is_jwt and token.app else token.account.login
