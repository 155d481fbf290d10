"""The way of an API request: recorded, let through or refused, carried out, judged, answered."""

import hashlib
import json
import traceback
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tests.fakes.github import access, contract, media
from tests.fakes.github.call import ApiError, Call, Reply, Request, not_found
from tests.fakes.github.routes.table import ROUTES, Route
from tests.fakes.github.state.accounts import Token

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return the reply to a request of the REST API; faults of either side are kept as violations."""
    found = contract.find(request.method, request.path)
    try:
        reply = _served(github, request, found)
    except ApiError as error:
        reply = error.to_reply()
    except Exception:  # noqa: BLE001 - a fault of the fake's own must fail the test and not hang its client
        github.violate(f"the fake broke on {request}: {traceback.format_exc()}")
        reply = ApiError(500, "Server Error").to_reply()
    if found and reply.status != 304 and not isinstance(reply.body, bytes):
        for fault in contract.response_faults(found[0], reply.status, reply.body):
            github.violate(f"response: {fault}")
    return _with_headers(github, request, reply)


def _served(github: "FakeGitHub", request: Request, found: tuple[contract.Operation, dict[str, str]] | None) -> Reply:
    if "user-agent" not in request.headers:
        raise ApiError(403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent")
    if found is None:
        github.violate(f"request: {request} is not a listed operation")
        raise not_found()
    operation, encoded = found
    if operation.name == "GET /rate_limit":
        return Reply(body=_rate_limit(github))
    route = ROUTES.get(operation.name)
    is_open = route is not None and route.needs == ("nobody",)
    token = access.nobody(github) if is_open else access.authenticate(github, request.headers)
    _count(github)
    if route is None:
        github.violate(f"request: {request} is listed, but this fake does not serve it")
        raise ApiError(501, "Not Implemented")
    params = {name: unquote(value) for name, value in encoded.items()}
    call = _call(github, request, token, params)
    _authorise(call, route)
    _check_request(github, operation, call)
    with github.lock:
        reply = route.handle(call)
    reply.body = media.rendered(reply.body, request.headers.get("accept", ""))
    return _unless_known(request, reply)


def _call(github: "FakeGitHub", request: Request, token: Token, params: dict[str, str]) -> Call:
    repository = None
    if "repo" in params:
        repository = github.repositories.get(f"{params['owner']}/{params['repo']}".lower())
        if repository is None:
            raise not_found()
    return Call(world=github, request=request, token=token, params=params, repository=repository)


def _authorise(call: Call, route: Route) -> None:
    try:
        access.authorise(call.token, call.repository, route.needs)
    except ApiError as error:
        if error.status == 403 and route.needs:
            wanted = "; ".join(need.replace(":", "=") for need in route.needs)
            error.headers["X-Accepted-GitHub-Permissions"] = wanted
        raise


def _check_request(github: "FakeGitHub", operation: contract.Operation, call: Call) -> None:
    """Hold a request against the description, and against the rule that it misses."""
    request = call.request
    if request.raw and request.body is None:
        github.violate(f"request: {request} has a body that is no JSON")
        raise ApiError(400, "Problems parsing JSON")
    accept = request.headers.get("accept", "")
    if "diff" in accept or "patch" in accept:
        github.violate(f"request: {request} asks for {accept}, which this fake does not serve")
    faults = _check_run_faults(operation.name, request.body) or contract.request_faults(
        operation, params=call.params, query=request.query, body=request.body
    )
    for fault in faults:
        github.violate(f"request: {fault}")
    if faults:
        raise ApiError(422, "Invalid request.\n\n" + "\n".join(faults))


def _check_run_faults(name: str, body: Any) -> list[str]:
    about = "/check-runs" in name and isinstance(body, dict)
    if about and body.get("status") == "completed" and not body.get("conclusion"):
        return [f'{name}: "conclusion" wasn\'t supplied though the status is completed']
    return []


def _count(github: "FakeGitHub") -> None:
    """Take one request off the allowance; a new hour fills it up."""
    rate = github.rate
    if rate.reset_at <= github.now():
        rate.used, rate.reset_at = 0, github.hour_from_now()
    if not rate.remaining:
        raise ApiError(rate.status, "API rate limit exceeded for user ID 1.")
    rate.used += 1


def _unless_known(request: Request, reply: Reply) -> Reply:
    """Give a JSON answer its ETag, and leave it out where the client has it already."""
    if request.method != "GET" or reply.status != 200:
        return reply
    digest = hashlib.sha256(json.dumps(reply.body, sort_keys=True).encode()).hexdigest()
    reply.headers["ETag"] = f'W/"{digest}"'
    if request.headers.get("if-none-match") == reply.headers["ETag"]:
        return Reply(status=304, headers=reply.headers)
    return reply


def _with_headers(github: "FakeGitHub", request: Request, reply: Reply) -> Reply:
    token = github.tokens.get(access.credential(request.headers) or "")
    if token is not None and token.permissions is None:
        reply.headers["X-OAuth-Scopes"] = ", ".join(sorted(token.scopes))
    reply.headers.update(github.rate.to_headers())
    reply.headers["X-GitHub-Request-Id"] = f"FAKE:{len(github.requests):06X}"
    reply.headers["X-GitHub-Media-Type"] = "github.v3; format=json"
    return reply


def _rate_limit(github: "FakeGitHub") -> dict[str, Any]:
    rate = github.rate
    core = {
        "limit": rate.limit,
        "used": rate.used,
        "remaining": rate.remaining,
        "reset": int(rate.reset_at.timestamp()),
    }
    search = {"limit": 30, "used": 0, "remaining": 30, "reset": core["reset"]}
    return {"resources": {"core": core, "search": search, "graphql": core}, "rate": core}
