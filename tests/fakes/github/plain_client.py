"""A client without cleverness: one request, one answer, no redirect followed, nothing retried."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """Return the JSON body."""
        return json.loads(self.raw)

    @property
    def message(self) -> str:
        """Return an error's message."""
        return str(self.body["message"])


def ask(
    url: str,
    *,
    token: str | None = None,
    method: str = "GET",
    body: Any = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = 30,
) -> Answer:
    """Send one request to a whole address; `body` goes as JSON, or as it is where it is bytes."""
    split = urlsplit(url)
    sent = {"User-Agent": "plain", **({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection(str(split.hostname), split.port or 80, timeout=timeout)
    try:
        target = split.path + (f"?{split.query}" if split.query else "")
        connection.request(method, target, body=raw, headers={name: text for name, text in sent.items() if text})
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(status=response.status, headers=names, raw=response.read())
    finally:
        connection.close()
