"""`fixloop serve`: the GitHub App's webhook receiver and its workers."""

import argparse
import asyncio
import fcntl
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from platformdirs import user_state_path

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.job_queue import JobQueue, open_queue
from fixloop_bot.adapters.store import StoreError
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.dispatcher import Dispatcher
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings, load_service_settings
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets
from fixloop_bot.entrypoints.webhook import Desk


def serve_command(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT. Raises `SettingsError` for settings, a place or a port that cannot be used."""
    settings = load_service_settings()
    secrets = (*known_secrets(environment()), settings.webhook_secret.get_secret_value(), settings.private_key())
    log = ServiceLog(redactor(secrets))
    root = Path(arguments.state_dir).absolute() if arguments.state_dir else user_state_path("fixloop") / "service"
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with _only_one(root), open_queue(root / "run-state.db", SystemClock()) as queue:
            log.note("recovered", jobs=queue.recover())
            asyncio.run(_serve(arguments, settings, queue, root, log))
    except StoreError as error:
        raise SettingsError(str(error)) from None
    return ExitCode.DONE


async def _serve(
    arguments: argparse.Namespace, settings: ServiceSettings, queue: JobQueue, root: Path, log: ServiceLog
) -> None:
    dispatcher = Dispatcher(queue, root, arguments.workers, log)
    secret = settings.webhook_secret.get_secret_value()
    desk = Desk(queue=queue, secret=secret, log=log, wake=dispatcher.wake)
    config = uvicorn.Config(
        desk.app(), log_config=None, access_log=False, server_header=False, h11_max_incomplete_event_size=32_768,
        limit_concurrency=200, timeout_keep_alive=15, timeout_graceful_shutdown=5, lifespan="off",
    )  # fmt: skip
    server = uvicorn.Server(config)
    with _listening(arguments.host, arguments.port) as listener:
        log.note("listening", host=arguments.host, port=listener.getsockname()[1], workers=arguments.workers)
        working = asyncio.create_task(dispatcher.run())
        serving = asyncio.create_task(server.serve([listener]))
        await _asked_to_stop(serving, working)
        log.note("closing")
        desk.open = False
        dispatcher.close()
        server.should_exit = True
        await asyncio.gather(serving, working)


async def _asked_to_stop(*tasks: "asyncio.Task[None]") -> None:
    """Wait for a signal, or for a part of the service that ended by itself."""
    asked = asyncio.Event()
    await asyncio.sleep(0)  # uvicorn takes the signals when it starts; these come after
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    waiting = asyncio.create_task(asked.wait())
    await asyncio.wait([*tasks, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be listened on: {error.strerror}") from None
    with listener:
        yield listener


@contextmanager
def _only_one(root: Path) -> Iterator[None]:
    with (root / "service.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SettingsError(f"another `fixloop serve` works in {root}") from None
        yield
