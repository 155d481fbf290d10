"""git over HTTP: `git http-backend` behind GitHub's rules."""

import os
import re
import subprocess
from typing import TYPE_CHECKING

from tests.fakes.github import access
from tests.fakes.github.call import ApiError, Reply, Request
from tests.fakes.github.receive_pack import RefUpdate, parse_updates, refused_report
from tests.fakes.github.state.accounts import Token
from tests.fakes.github.state.git_store import git_environment
from tests.fakes.github.state.repository import Repository

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

_PATH = re.compile(r"/([^/]+/[^/]+?)(?:\.git)?/(info/refs|git-upload-pack|git-receive-pack)")


def is_git(path: str) -> bool:
    """Tell whether a path is one that git asks for."""
    return _PATH.fullmatch(path) is not None


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return the reply to a request of git's own; refusals are plain text, which git shows after `remote:`."""
    try:
        return _served(github, request)
    except ApiError as error:
        headers = {"Content-Type": "text/plain"}
        if error.status == 401:
            headers["WWW-Authenticate"] = 'Basic realm="GitHub"'
        return Reply(status=error.status, body=f"{error.message}\n".encode(), headers=headers)


def _served(github: "FakeGitHub", request: Request) -> Reply:
    found = _PATH.fullmatch(request.path)
    repository = github.repositories.get(found.group(1).lower()) if found else None
    pushing = "git-receive-pack" in (request.query.get("service", ""), request.path.rpartition("/")[2])
    token = _token(github, request)
    if token is None and (pushing or repository is None or repository.private):
        raise ApiError(401, "Invalid username or token. Password authentication is not supported for Git operations.")
    if found is None or repository is None or (token and not access.may_see(token, repository)):
        raise ApiError(404, "Repository not found.")
    if token and pushing:
        _check_push_right(github, repository, token)
    elif token and token.permissions is not None:
        access.authorise(token, repository, ("contents:read",))
    with github.lock:
        _refresh(repository)
        if pushing and request.method == "POST" and token is not None:
            return _push(github, repository, token, request)
        return _backend(repository, found.group(2), request, token)


def _token(github: "FakeGitHub", request: Request) -> Token | None:
    return access.authenticate(github, request.headers) if access.credential(request.headers) is not None else None


def _check_push_right(github: "FakeGitHub", repository: Repository, token: Token) -> None:
    denied = ApiError(403, f"Permission to {repository.full_name}.git denied to {token.account.login}.")
    if repository.refuses_pushes:
        raise ApiError(403, repository.refuses_pushes)
    if token.permissions is None:
        if not (repository.allows(token.account, "write") or _maintains(repository, token)):
            raise denied
        return
    if not token.grants("contents:write") or repository.full_name not in (token.repositories or ()):
        raise denied


def _maintains(fork: Repository, token: Token) -> bool:
    """Tell whether a maintainer of the base may push to the fork, as its pull request allows."""
    pulls = fork.parent.pulls.values() if fork.parent else ()
    return any(
        pull.head_repo is fork
        and pull.state == "open"
        and pull.maintainer_can_modify
        and pull.base_repo.allows(token.account, "write")
        for pull in pulls
    )


def _push(github: "FakeGitHub", repository: Repository, token: Token, request: Request) -> Reply:
    updates = parse_updates(request.raw)
    report = refused_report(repository, token, updates)
    if report is not None:
        return Reply(body=report, headers={"Content-Type": "application/x-git-receive-pack-result"})
    before = repository.git.refs("refs/")
    reply = _backend(repository, "git-receive-pack", request, token)
    _announce(github, repository, token, before)
    return reply


def _announce(github: "FakeGitHub", repository: Repository, token: Token, before: dict[str, str]) -> None:
    after = repository.git.refs("refs/")
    for ref in sorted(before.keys() | after.keys()):
        if before.get(ref) != after.get(ref) and ref.startswith(("refs/heads/", "refs/tags/")):
            github.pushed(repository, RefUpdate(ref, before.get(ref), after.get(ref)), token)


def _refresh(repository: Repository) -> None:
    """Bring refs/pull/N/head up to date: a fork's branch may have moved."""
    for pull in repository.pulls.values():
        pull.head_sha  # noqa: B018 - reading it publishes it


def _backend(repository: Repository, service: str, request: Request, token: Token | None) -> Reply:
    environment = {
        **git_environment(),
        "GIT_PROJECT_ROOT": str(repository.git.path.parent),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{repository.git.path.name}/{service}",
        "QUERY_STRING": "&".join(f"{name}={value}" for name, value in request.query.items()),
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(request.raw)),
        "HTTP_CONTENT_ENCODING": request.headers.get("content-encoding", ""),
        "GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        "REMOTE_USER": token.account.login if token else "",
        "REMOTE_ADDR": "127.0.0.1",
    }
    done = subprocess.run(
        ["git", "http-backend"], env=environment, input=request.raw, capture_output=True, check=True, cwd=os.sep
    )
    return _parse_cgi(done.stdout)


def _parse_cgi(output: bytes) -> Reply:
    head, _, body = output.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
    status = int(headers.pop("Status", "200").split()[0])
    return Reply(status=status, body=body, headers=headers)
