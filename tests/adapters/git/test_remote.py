"""Speaking with the forge's git: which addresses, with what environment, and where the token never goes."""

import base64
import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.checkout import CheckoutRequest, checkout, fetch_head
from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.push import push
from fixloop_bot.adapters.git.remote import Remote, RemoteError, check_address
from fixloop_bot.model.delivery import BranchHead, Checkout, CheckoutProblem, Landed, PushOrder, RemoteTrouble
from tests.adapters.git.forge import files_below, fix
from tests.fakes.github import FakeGitHub

TOKEN = "ghs_" + "S3cr3tT0ken" * 3
HEADER = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()


def request(tmp_path: Path, sha: str = "1" * 40) -> CheckoutRequest:
    return CheckoutRequest(head=BranchHead("feature"), head_sha=sha, base_branch="main", folder=tmp_path / "clone")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/octo/shop.git",
        "https://ghe.example.org:8443/prefix/octo/shop.git",
        "http://127.0.0.1:8080/octo/shop.git",
        "http://localhost/octo/shop",
        "http://[::1]:9/octo/shop",
    ],
)
def test_https_anywhere_and_http_on_this_machine_are_spoken_to(url: str) -> None:
    check_address(Remote(url=url))


@pytest.mark.parametrize(
    "url",
    [
        "http://github.com/octo/shop.git",
        "http://127.0.0.1.example.org/octo/shop",
        f"https://x-access-token:{TOKEN}@github.com/octo/shop.git",
        f"https://{TOKEN}@github.com/octo/shop.git",
        "https://*.example.org/octo/shop.git",
        "https://github.com/octo/shop.git?x=1",
        "https://github.com/octo/shop.git\nhttps://evil.example.org/",
        "ext::sh -c id",
        "ssh://git@github.com/octo/shop.git",
        "git@github.com:octo/shop.git",
        "git://github.com/octo/shop.git",
        "file:///etc",
        "/srv/shop.git",
        "--upload-pack=id",
        "https:///octo/shop",
        "",
    ],
)
def test_no_other_address_is_and_no_credential_in_one_is_repeated(tmp_path: Path, url: str) -> None:
    with pytest.raises(RemoteError) as caught:
        check_address(Remote(url=url))
    assert caught.value.problem.kind is RemoteTrouble.BAD_ADDRESS
    assert TOKEN not in str(caught.value)
    problem = checkout(Remote(url=url), request(tmp_path))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is RemoteTrouble.BAD_ADDRESS


def test_proxies_and_certificates_come_along_and_nothing_else() -> None:
    process = {
        "https_proxy": "http://proxy:1",
        "NO_PROXY": "localhost",
        "SSL_CERT_FILE": "/ca.pem",
        "GIT_SSH_COMMAND": "evil",
        "GIT_CONFIG_PARAMETERS": "'a.b=c'",
        "ANTHROPIC_API_KEY": "sk-x",
        "GIT_TRACE_CURL": "1",
    }
    env = Remote(url="https://github.com/o/s", network_env=process).env()
    own = {name: value for name, value in env.items() if not name.startswith("GIT_CONFIG_")}
    assert own == {
        "https_proxy": "http://proxy:1",
        "no_proxy": "localhost",
        "GIT_SSL_CAINFO": "/ca.pem",
        "GIT_ALLOW_PROTOCOL": "https",
    }
    assert "a.b" not in str(env)


class Watched:
    """A git that writes down how it was called, and whom it called in turn, before it does its work."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        real = shutil.which("git")
        assert real is not None
        self.calls, self.trace = folder / "calls", folder / "trace"
        program = folder / "git"
        program.write_text(
            f"#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{self.calls}'\n"
            f"GIT_TRACE2_EVENT='{self.trace}' exec '{real}' \"$@\"\n"
        )
        program.chmod(0o755)
        self.path = f"{folder}{os.pathsep}{os.environ['PATH']}"

    def children(self) -> set[str]:
        events = [json.loads(line) for line in self.trace.read_text().splitlines()]
        return {Path(event["argv"][0]).name for event in events if event["event"] in {"start", "child_start"}}


def test_the_token_is_in_no_argument_file_or_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(tmp_path / "bin")
    monkeypatch.setenv("PATH", watched.path)
    with FakeGitHub() as github:
        github.user("pat", permission="write")
        shop = github.repository("octo/shop", files={"app.py": "x = 1\n"}, private=True)
        sha = shop.commit("feature", {"app.py": "x = \n"}, author="pat")
        token = github.actions_token(shop)
        header = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        remote = Remote(url=github.clone_url(shop), credential=Credential(token))
        clone = checkout(remote, request(tmp_path, sha))
        assert isinstance(clone, Checkout), clone
        assert fetch_head(clone, remote, BranchHead("feature")) == sha
        commit = fix(clone, "app.py", "x = 2\n")
        order = PushOrder(commit=commit, onto=sha, branch="feature", expected_old=sha)
        assert push(clone, order, remote) == Landed(commit)
        shop.protect("feature")
        again = fix(clone, "app.py", "x = 3\n")
        refused = push(clone, PushOrder(commit=again, onto=sha, branch="feature", expected_old=commit), remote)
        absent = checkout(replace(remote, url=f"{github.site}/octo/none.git"), request(tmp_path / "other"))
    assert "git-remote-http" in watched.children()
    assert len(watched.calls.read_text().splitlines()) > 50
    seen = [
        path
        for path in files_below(tmp_path)
        if token.encode() in path.read_bytes() or header.encode() in path.read_bytes()
    ]
    assert seen == []
    assert token not in repr((clone, refused, absent))


class Echo(BaseHTTPRequestHandler):
    """Answers as the test says, and shows in its body what it was sent."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, EchoServer)
        server.may_answer.wait(20)
        sent = self.headers.get("Authorization", "")
        server.sent.append(sent)
        body = f"you sent {sent} and {TOKEN}\n".encode()
        self.send_response(server.status)
        if server.location:
            self.send_header("Location", server.location + self.path)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class EchoServer(ThreadingHTTPServer):
    """One answer for all."""

    def __init__(self, status: int, location: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Echo)
        self.status, self.location, self.sent = status, location, list[str]()
        self.may_answer = threading.Event()
        self.may_answer.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving(status: int, location: str = "") -> Iterator[EchoServer]:
    server = EchoServer(status, location)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, RemoteTrouble.NO_PERMISSION),
        (403, RemoteTrouble.NO_PERMISSION),
        (404, RemoteTrouble.NOT_FOUND),
        (429, RemoteTrouble.NETWORK),
        (500, RemoteTrouble.NETWORK),
        (503, RemoteTrouble.NETWORK),
        (200, RemoteTrouble.OTHER),
    ],
)
def test_each_answer_is_told_apart_and_an_echoed_token_is_masked(
    tmp_path: Path, status: int, kind: RemoteTrouble
) -> None:
    with serving(status) as server:
        remote = Remote(url=f"{server.url}/octo/shop.git", credential=Credential(TOKEN))
        problem = checkout(remote, request(tmp_path))
    assert isinstance(problem, CheckoutProblem)
    assert problem.kind is kind, problem
    assert TOKEN not in problem.detail
    assert HEADER not in problem.detail
    assert f"basic {HEADER}" in server.sent


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_token_does_not_follow_a_redirect(tmp_path: Path, status: int) -> None:
    with serving(200) as other, serving(status, other.url) as server:
        remote = Remote(url=f"{server.url}/octo/shop.git", credential=Credential(TOKEN))
        problem = checkout(remote, request(tmp_path))
        assert isinstance(problem, CheckoutProblem)
        assert problem.kind is RemoteTrouble.REDIRECTED, problem
        assert other.sent == []


def test_a_forge_that_never_answers_ends_at_the_limit(tmp_path: Path) -> None:
    with serving(200) as server:
        server.may_answer.clear()
        remote = Remote(url=f"{server.url}/octo/shop.git", timeout_s=0.5)
        problem = checkout(remote, request(tmp_path))
        server.may_answer.set()
    assert problem == CheckoutProblem(RemoteTrouble.TIMEOUT, "no end after 0.5 s")
