"""How the clouds wrap the Messages API: Vertex and Bedrock have the model in the path and a sign-in of their own."""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

VERTEX = re.compile(r".*/projects/[^/]+/locations/[^/]+/publishers/anthropic/models/(?P<model>[^/:]+):streamRawPredict")
BEDROCK = re.compile(r"/model/(?P<model>[^/]+)/invoke-with-response-stream")
ACCESS_TOKEN = "ya29.the-access-token"


def is_bedrock(path: str) -> bool:
    """Return whether the answer goes out in Amazon's framing."""
    return BEDROCK.fullmatch(path) is not None


def as_first_party(
    path: str, headers: Mapping[str, str], body: Mapping[str, Any]
) -> tuple[str, Mapping[str, str], Any]:
    """Return path, headers and body as Anthropic's own API would have had them; what is no cloud's stays."""
    found = VERTEX.fullmatch(path) or BEDROCK.fullmatch(path)
    if not found or "model" in body or ("stream" in body) == is_bedrock(path) or "x-api-key" in headers:
        return path, headers, body
    version = {"anthropic-version": str(body.get("anthropic_version", ""))}
    return "/v1/messages", {**headers, **version}, {**body, "model": unquote(found["model"]), "stream": True}


@contextmanager
def google_sign_in(folder: Path, *, refuse: bool = False) -> Iterator[Path]:
    """Yield a credentials file of a workload's identity, whose token a server on loopback takes or refuses.

    That is what a job on GitHub has after Google's own action for signing in.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Refusing if refuse else _Exchange)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    (folder / "identity").write_text("the-identity-token")
    path = folder / "google.json"
    account = {
        "type": "external_account",
        "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/github",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": f"http://127.0.0.1:{server.server_port}/v1/token",
        "credential_source": {"file": str(folder / "identity")},
    }
    path.write_text(json.dumps(account))
    try:
        yield path
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Exchange(BaseHTTPRequestHandler):
    refuse = False

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test output clean."""

    def do_POST(self) -> None:
        asked = parse_qs(self.rfile.read(int(self.headers.get("content-length", "0"))).decode())
        known = asked.get("subject_token") == ["the-identity-token"] and not self.refuse
        answer = {
            "access_token": ACCESS_TOKEN,
            "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
            "token_type": "Bearer",
            "expires_in": 3600,
        }
        refusal = {"error": "invalid_grant", "error_description": "The identity is not known."}
        raw = json.dumps(answer if known else refusal).encode()
        self.send_response(200 if known else 400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


class _Refusing(_Exchange):
    refuse = True
