"""One request on its way to a route, and the reply on its way back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.github.state.accounts import Token
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.urls import Urls

if TYPE_CHECKING:
    from tests.fakes.github.state.world import World

DOCS = "https://docs.github.com/rest"
GRAPHQL = ("/graphql", "/api/graphql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it came in, and as a test finds it in `github.requests`."""

    method: str
    path: str
    """Without query and without the API's prefix; percent-encoding as sent."""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    raw: bytes = b""
    actor: str | None = None
    """The login that the credential stands for (an App's slug for its own JSON web token), or None."""
    urls: Urls = field(default_factory=lambda: Urls("http://127.0.0.1"))

    @property
    def body(self) -> Any:
        """Return the JSON body, or None where there is none."""
        try:
            return json.loads(self.raw) if self.raw else None
        except ValueError:
            return None

    @property
    def is_write(self) -> bool:
        """Tell whether this asks for a change (minting a token, asking by GraphQL and fetching by git are none)."""
        if self.path in GRAPHQL:
            return "mutation" in str((self.body or {}).get("query"))
        return self.method != "GET" and not self.path.endswith(("/git-upload-pack", "/access_tokens"))

    def __str__(self) -> str:
        return f"{self.method} {self.path} as {self.actor or 'nobody'}"


@dataclass(slots=True, kw_only=True)
class Reply:
    """What goes back. A `body` that is bytes is sent as it is, anything else as JSON; None sends nothing."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class ApiError(Exception):
    """A refusal in GitHub's form."""

    def __init__(
        self, status: int, message: str, *, errors: list[Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        self.errors = errors
        self.headers = dict(headers or {})

    def to_reply(self) -> Reply:
        """Return it as a reply."""
        body: dict[str, Any] = {"message": self.message, "documentation_url": DOCS, "status": str(self.status)}
        if self.errors is not None:
            body["errors"] = self.errors
        return Reply(status=self.status, body=body, headers=self.headers)


def not_found() -> ApiError:
    """Return the refusal that also hides what the caller may not see."""
    return ApiError(404, "Not Found")


def invalid(message: str = "Validation Failed", /, **error: Any) -> ApiError:
    """Return a 422; the keywords (`resource`, `field`, `code`, `message`) describe the one error."""
    return ApiError(422, message, errors=[{"code": "custom", **error}] if error else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a route gets: the request, checked and authenticated."""

    world: "World"
    request: Request
    token: Token
    params: Mapping[str, str]
    """The placeholders of the path, decoded."""
    repository: Repository | None = None

    @property
    def repo(self) -> Repository:
        """Return the repository that the path names."""
        if self.repository is None:
            raise not_found()
        return self.repository

    @property
    def urls(self) -> Urls:
        """Return the builder of addresses."""
        return self.request.urls

    @property
    def body(self) -> Mapping[str, Any]:
        """Return the JSON body, empty where there is none."""
        return self.request.body or {}

    @property
    def query(self) -> Mapping[str, str]:
        """Return the query."""
        return self.request.query

    def number(self, name: str) -> int:
        """Return a placeholder that is a number; anything else is not found."""
        if not self.params[name].isdigit():
            raise not_found()
        return int(self.params[name])
