"""Which requests are sent again, and when."""

from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

from github import GithubException, GithubRetry, RateLimitExceededException
from urllib3 import BaseHTTPResponse
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError, NewConnectionError

from fixloop_bot.adapters.github.access import Patience

_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"})


def to_retry(patience: Patience) -> "BoundedRetry":
    """Return PyGithub's own retry, for every method: 5xx, rate limits, secondary limits, lost connections."""
    return BoundedRetry(**_settings(patience))


def to_careful_retry(patience: Patience) -> "CarefulRetry":
    """Return the retry for requests that make something new."""
    return CarefulRetry(**_settings(patience))


def _settings(patience: Patience) -> dict[str, Any]:
    return {
        "total": patience.retries,
        "backoff_factor": patience.backoff_s,
        "secondary_rate_wait": patience.secondary_wait_s,
        "max_rate_limit_wait": patience.longest_wait_s,
        "retry_after_max": int(patience.longest_wait_s),
        "allowed_methods": _METHODS,
    }


class BoundedRetry(GithubRetry):
    """Fails at once where GitHub asks for a longer wait than there is patience for: a shorter one would be in vain."""

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        """Count a retry, or raise; the signature is urllib3's."""
        if _pool is not None and not self.may_repeat(method, error):
            raise MaxRetryError(_pool, url or "", error)
        asked = self.get_retry_after(response) if response is not None else None
        if response is not None and asked is not None and asked >= self.retry_after_max:
            response.drain_conn()  # nobody else reads it any more
            said = {"message": f"wait {asked:.0f} seconds or more"}
            if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise GithubException(response.status, said)
            raise RateLimitExceededException(response.status, said)
        return super().increment(method, url, response, error, _pool, _stacktrace)  # type: ignore[arg-type,return-value]

    def may_repeat(self, method: str | None, error: Exception | None) -> bool:  # noqa: ARG002 - of this kind
        """Return whether a request that got no answer is sent again."""
        return True


class CarefulRetry(BoundedRetry):
    """Sends a POST again only when GitHub surely did nothing: after a rate limit, or when no connection was made.

    After a 502 the comment may be there all the same; who wrote it looks for it before writing again.
    """

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:  # noqa: FBT001, FBT002
        """Return whether an answer with this status is asked for again; the signature is urllib3's."""
        if method == "POST" and status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return False
        return super().is_retry(method, status_code, has_retry_after)

    def may_repeat(self, method: str | None, error: Exception | None) -> bool:
        """Return whether a request that got no answer surely did nothing."""
        return method != "POST" or error is None or isinstance(error, ConnectTimeoutError | NewConnectionError)
