"""Connections that do not get to the point are closed; those that do are answered."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from fixloop_bot.entrypoints.hurried import HurriedProtocol

REQUEST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"


class Impatient(HurriedProtocol):
    hurry_s = 0.3


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await request.body())


@contextmanager
def served() -> Iterator[int]:
    config = uvicorn.Config(
        Starlette(routes=[Route("/", echo, methods=["POST"])]), http=Impatient, lifespan="off", log_config=None
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def said(port: int, *parts: bytes) -> bytes:
    """Send some bytes and return all that comes until the other side hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        for part in parts:
            connection.sendall(part)
        heard = b""
        while part := connection.recv(4096):
            heard += part
        return heard


def test_silence_and_half_a_request_are_hung_up_on() -> None:
    with served() as port:
        assert said(port) == b""
        assert said(port, REQUEST[:20]) == b""
        assert b"200 OK" not in said(port, REQUEST, b"ab")


def test_a_whole_request_is_answered() -> None:
    with served() as port:
        assert said(port, REQUEST.replace(b"Host: x", b"Host: x\r\nConnection: close"), b"abcd").endswith(b"abcd")
