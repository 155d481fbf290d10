"""Webhook requests as GitHub sends them, signed."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A webhook request as GitHub sends it; names of headers in lower case."""

    headers: Mapping[str, str]
    body: bytes


def deliver(event: str, payload: Mapping[str, Any], *, secret: str, delivery_id: str | None = None) -> Delivery:
    """Sign a payload as GitHub does; `delivery_id` given again makes it a redelivery."""
    body = json.dumps(payload).encode()
    headers = {
        "content-type": "application/json",
        "user-agent": "GitHub-Hookshot/fake",
        "x-github-event": event,
        "x-github-delivery": delivery_id or str(uuid.uuid4()),
        "x-hub-signature-256": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
    }
    return Delivery(headers=headers, body=body)
