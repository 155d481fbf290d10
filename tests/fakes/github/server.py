"""The socket: bytes in, bytes out, a thread per connection."""

import json
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.github.call import Reply, Request
from tests.fakes.github.urls import ENTERPRISE_PREFIX, Urls

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub


class Server(ThreadingHTTPServer):
    """Listens on a free port of the loopback interface."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, github: "FakeGitHub") -> None:
        self.github = github
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the caller names them
        """Keep what broke; a client that hangs up is part of the play."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            self.github.violate(f"the fake broke: {traceback.format_exc()}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "github.com"
    timeout = 30
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self._send(self.server.github.answer(self._request()))

    def do_POST(self) -> None:
        self.do_GET()

    def do_PATCH(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def _request(self) -> Request:
        split = urlsplit(self.path)
        host = self.headers.get("Host") or f"127.0.0.1:{self.server.server_port}"
        enterprise = split.path == ENTERPRISE_PREFIX or split.path.startswith(f"{ENTERPRISE_PREFIX}/")
        prefix = ENTERPRISE_PREFIX if enterprise else ""
        return Request(
            method=self.command,
            path=split.path.removeprefix(prefix),
            query=dict(parse_qsl(split.query, keep_blank_values=True)),
            headers={name.lower(): value for name, value in self.headers.items()},
            raw=self._body(),
            urls=Urls(f"http://{host}", prefix),
        )

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts: list[bytes] = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            continue
        return b"".join(parts)

    def _send(self, reply: Reply) -> None:
        body = reply.body if isinstance(reply.body, bytes) else b""
        headers = dict(reply.headers)
        if reply.body is not None and not isinstance(reply.body, bytes):
            body = json.dumps(reply.body).encode()
            headers.setdefault("Content-Type", "application/json; charset=utf-8")
        self.send_response(reply.status)
        for name, value in headers.items():
            self.send_header(name, value)
        if reply.status not in {204, 304}:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
