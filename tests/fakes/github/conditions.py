"""What goes wrong, and what happens meanwhile: faults, delays and hooks that a test orders."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tests.fakes.github.call import ApiError, Request

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


@dataclass(slots=True, kw_only=True)
class Order:
    """Something that befalls the next `times` matching requests after `skip` of them."""

    method: str = "*"
    """A method, `*`, or `write` for every request that asks for a change."""
    path: str = "*"
    times: int = 1
    skip: int = 0
    error: ApiError | None = None
    delay: float = 0.0
    action: Callable[[Request], object] | None = None

    def takes(self, request: Request) -> bool:
        """Tell whether this request is one of them, and count it."""
        wanted = request.is_write if self.method == "write" else fnmatchcase(request.method, self.method)
        if self.times < 1 or not wanted or not fnmatchcase(request.path, self.path):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


@dataclass(slots=True)
class Conditions:
    """The orders of one fake, in three lists: before an answer, in its place, after it."""

    before_: list[Order] = field(default_factory=list)
    faults: list[Order] = field(default_factory=list)
    after_: list[Order] = field(default_factory=list)

    def before(self, method: str, path: str, action: Callable[[Request], object], *, times: int = 1) -> None:
        """Call `action` before the next matching request is looked at: somebody else is quicker."""
        self.before_.append(Order(method=method, path=path, action=action, times=times))

    def after(self, method: str, path: str, action: Callable[[Request], object], *, times: int = 1) -> None:
        """Call `action` when the next matching request has been carried out, before its answer leaves."""
        self.after_.append(Order(method=method, path=path, action=action, times=times))

    def fail(
        self,
        *,
        status: int = 502,
        message: str = "Server Error",
        method: str = "*",
        path: str = "*",
        times: int = 1,
        skip: int = 0,
        retry_after: int | None = None,
    ) -> None:
        """Answer the next matching requests with an error, and do nothing of what they ask for."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        error = ApiError(status, message, headers=headers)
        self.faults.append(Order(method=method, path=path, times=times, skip=skip, error=error))

    def limit_writes(self, *, after: int = 0, retry_after: int = 1, times: int = 1) -> None:
        """Refuse a write after `after` more of them: GitHub's secondary limit, with Retry-After in seconds."""
        error = ApiError(403, SECONDARY, headers={"Retry-After": str(retry_after)})
        self.faults.append(Order(method="write", times=times, skip=after, error=error))

    def slow(self, seconds: float, *, method: str = "*", path: str = "*", times: int = 1) -> None:
        """Answer the next matching requests late."""
        self.faults.append(Order(method=method, path=path, times=times, delay=seconds))

    def due(self, orders: list[Order], request: Request) -> Iterator[Order]:
        """Yield the orders that this request meets; each is counted as it is reached."""
        return (order for order in list(orders) if order.takes(request))
