"""An HTTP server on loopback that speaks the streaming Messages API well enough for the real SDK.

It refuses what the real one refuses (unanswered tool calls, no key, turns out of order, four cache marks at most),
so a request that passes here is well formed.
"""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from fixloop_bot.model.agent import AssistantTurn, Usage
from tests.fakes import aws_event_stream
from tests.fakes.model_clouds import as_first_party, is_bedrock
from tests.fakes.model_script import (
    Fault,
    Scripted,
    create,
    edit,
    finish,
    overloaded,
    prompt_too_long,
    read,
    say,
    server_error,
    to_turn,
    too_many_requests,
    turn,
    unauthorised,
)

__all__ = [
    "Fault",
    "ModelServer",
    "RecordedRequest",
    "create",
    "edit",
    "finish",
    "overloaded",
    "prompt_too_long",
    "read",
    "say",
    "server_error",
    "too_many_requests",
    "turn",
    "unauthorised",
]


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the whole body as JSON text."""
        return json.dumps(self.body, ensure_ascii=False)


class ModelServer:
    """Plays `replies` in order, one per request; used as a context manager.

    When the script is over every further call is answered with a 400 that says so.
    `usage` fixes the numbers that every reply reports; without it they follow from the sizes. fixloop always streams,
    so that a call which does not is refused; `others` lets other programs have their answers in one piece.
    """

    def __init__(self, replies: Sequence[Scripted], *, usage: Usage | None = None, others: bool = False) -> None:
        self.replies = list(replies)
        self.requests: list[RecordedRequest] = []
        self.usage = usage
        self.others = others
        self.busy_s = 0.0
        """Seconds between a request's first byte and its answer's last, of all together."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_reply(self, request: RecordedRequest) -> Scripted:
        """Record a request and return what the script has for it."""
        with self._lock:
            self.requests.append(request)
            if self.replies:
                return self.replies.pop(0)
        return Fault(status=400, error_type="invalid_request_error", message="the script is over")


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that hangs up is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test output clean."""

    def do_POST(self) -> None:
        started = time.perf_counter()
        try:
            self._answer()
        finally:
            self.server.owner.busy_s += time.perf_counter() - started

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = RecordedRequest(self.path, headers, json.loads(raw or b"{}"))
        plain = RecordedRequest(*as_first_party(self.path, headers, request.body))
        complaint = _complaint(plain, others=self.server.owner.others)
        if complaint:
            self.server.owner.requests.append(request)
            self._answer_fault(Fault(status=400, error_type="invalid_request_error", message=complaint))
            return
        scripted = self.server.owner.next_reply(request)
        if isinstance(scripted, Fault):
            self._answer_fault(scripted)
        else:
            self._answer_turn(plain, to_turn(scripted))

    def _answer_turn(self, request: RecordedRequest, reply: AssistantTurn) -> None:
        usage = self.server.owner.usage or _usage(request, reply)
        if not request.body.get("stream"):
            self._answer_whole(Fault(), "application/json", json.dumps(_message(request, reply, usage)).encode())
            return
        self._start_stream()
        for event in _events(str(request.body["model"]), reply, usage):
            self._chunk(event)
        self.wfile.write(b"0\r\n\r\n")

    def _answer_fault(self, fault: Fault) -> None:
        if fault.kind == "status":
            error = {"type": "error", "error": {"type": fault.error_type, "message": fault.message}}
            self._answer_whole(fault, "application/json", json.dumps(error).encode())
        elif fault.kind == "garbage":
            self._answer_whole(fault, "text/html", b"<html>\xff\xfe not what you asked for</html>")
        elif fault.kind in ("silence", "drip"):
            self._hold(pings=fault.kind == "drip")
        else:
            self._answer_half(fault)

    def _answer_whole(self, fault: Fault, content_type: str, body: bytes) -> None:
        self.send_response(fault.status)
        for name, value in fault.headers.items():
            self.send_header(name, value)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def _answer_half(self, fault: Fault) -> None:
        self._start_stream()
        reply = AssistantTurn("This is half of what I wanted to say about the matter")
        for event in list(_events("claude-sonnet-5-5", reply, Usage(100, 20)))[:3]:
            self._chunk(event)
        if fault.kind == "error-event":
            error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
            self._chunk(_sse("error", error))
        if fault.kind != "cut":
            self.wfile.write(b"0\r\n\r\n")

    def _hold(self, *, pings: bool) -> None:
        if pings:
            self._start_stream()
        while not self.server.owner.closing.wait(0.05):
            if pings:
                self._chunk(_sse("ping", {"type": "ping"}))
        self.close_connection = True

    def _start_stream(self) -> None:
        self.send_response(200)
        framed = is_bedrock(self.path)
        kind = "application/vnd.amazon.eventstream" if framed else "text/event-stream; charset=utf-8"
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        if is_bedrock(self.path):
            data = aws_event_stream.framed(data)
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _sse(event: str, data: Mapping[str, Any]) -> bytes:
    return f"event: {event}\ndata: {json.dumps(data)}\n\n".encode()


def _events(model: str, reply: AssistantTurn, usage: Usage) -> Iterator[bytes]:
    message = _envelope(model, usage)
    yield _sse("message_start", {"type": "message_start", "message": message})
    for index, (block, deltas) in enumerate(_blocks(reply)):
        yield _sse("content_block_start", {"type": "content_block_start", "index": index, "content_block": block})
        for delta in deltas:
            yield _sse("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta})
        yield _sse("content_block_stop", {"type": "content_block_stop", "index": index})
    stop: dict[str, Any] = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    end = {"output_tokens": usage.output_tokens}
    yield _sse("message_delta", {"type": "message_delta", "delta": stop, "usage": end})
    yield _sse("message_stop", {"type": "message_stop"})


def _envelope(model: str, usage: Usage) -> dict[str, Any]:
    used = {
        "input_tokens": usage.input_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "output_tokens": 1,
    }
    message = {"id": "msg_fake", "type": "message", "role": "assistant", "model": model, "content": []}
    return message | {"stop_reason": None, "stop_sequence": None, "usage": used}


def _message(request: RecordedRequest, reply: AssistantTurn, usage: Usage) -> dict[str, Any]:
    """Return the answer in one piece."""
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    content += [
        {"type": "tool_use", "id": call.call_id, "name": call.name, "input": dict(call.arguments)}
        for call in reply.tool_calls
    ]
    envelope = _envelope(str(request.body["model"]), usage)
    used = envelope["usage"] | {"output_tokens": usage.output_tokens}
    return envelope | {"content": content, "stop_reason": _stop_reason(reply), "usage": used}


def _stop_reason(reply: AssistantTurn) -> str:
    return "tool_use" if reply.tool_calls else "end_turn"


def _blocks(reply: AssistantTurn) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    if reply.text:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": part} for part in _halves(reply.text)]
    for call in reply.tool_calls:
        written = json.dumps(dict(call.arguments))
        block = {"type": "tool_use", "id": call.call_id, "name": call.name, "input": {}}
        yield block, [{"type": "input_json_delta", "partial_json": part} for part in _halves(written)]


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [text[:middle], text[middle:]]


def _usage(request: RecordedRequest, reply: AssistantTurn) -> Usage:
    said = len(reply.text) + sum(len(json.dumps(dict(call.arguments))) for call in reply.tool_calls)
    return Usage(input_tokens=len(request.text) // 4, output_tokens=said // 4 + 1)


def _complaint(request: RecordedRequest, *, others: bool) -> str:
    body = request.body
    if not request.path.partition("?")[0].endswith("/v1/messages"):
        return f"no route {request.path}"
    if not _key(request) or not request.headers.get("anthropic-version"):
        return "a key and anthropic-version are required"
    if not (body.get("stream") or others) or not isinstance(body.get("max_tokens"), int) or not body.get("model"):
        return "model, max_tokens and stream are required"
    if request.text.count('"cache_control"') > 4:
        return "at most 4 blocks may have cache_control"
    return "" if others else _turns_complaint(body["messages"])


def _key(request: RecordedRequest) -> str:
    return request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")


def _turns_complaint(messages: Sequence[Mapping[str, Any]]) -> str:
    open_calls: set[str] = set()
    for index, message in enumerate(messages):
        if message["role"] != ("user" if index % 2 == 0 else "assistant"):
            return f"messages.{index}: roles must alternate, starting with user"
        blocks = message["content"] if isinstance(message["content"], list) else []
        if not message["content"] or any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return f"messages.{index}: text content must not be empty"
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if answered != open_calls:
            return f"messages.{index}: tool_use ids without tool_result blocks, or the reverse"
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
    return "" if messages and not open_calls else "the last message must be the user's"
