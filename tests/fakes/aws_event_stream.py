"""Amazon's event stream encoding: length-prefixed messages with two checksums, as its documents lay it out."""

import base64
import json
import struct
from binascii import crc32

STRING = 7
"""The type of a header whose value is text."""


def framed(event: bytes) -> bytes:
    """Return the message for one server-sent event; an error becomes Bedrock's own kind."""
    data = event.partition(b"data: ")[2].strip()
    if event.startswith(b"event: error"):
        return exception("throttlingException", json.loads(data)["error"]["message"])
    return chunk(data)


def chunk(data: bytes) -> bytes:
    """Return a message that carries one piece of a model's answer, as Bedrock's ResponseStream has it."""
    payload = json.dumps({"bytes": base64.b64encode(data).decode()}).encode()
    return message({":message-type": "event", ":event-type": "chunk", ":content-type": "application/json"}, payload)


def exception(kind: str, text: str) -> bytes:
    """Return a message that ends a stream with an error."""
    payload = json.dumps({"message": text}).encode()
    headers = {":message-type": "exception", ":exception-type": kind, ":content-type": "application/json"}
    return message(headers, payload)


def message(headers: dict[str, str], payload: bytes) -> bytes:
    """Return a message: total length, length of the headers, their checksum, headers, payload, checksum of it all."""
    named = b"".join(_header(name.encode(), value.encode()) for name, value in headers.items())
    lengths = struct.pack("!II", 12 + len(named) + len(payload) + 4, len(named))
    body = lengths + struct.pack("!I", crc32(lengths)) + named + payload
    return body + struct.pack("!I", crc32(body))


def _header(name: bytes, value: bytes) -> bytes:
    return bytes([len(name)]) + name + bytes([STRING]) + struct.pack("!H", len(value)) + value
