"""How fast the bot service answers, stops and goes on."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

import psutil

from bench.table import Section
from tests.e2e.conftest import open_hub
from tests.e2e.github_stage import Hub
from tests.e2e.service_stage import Service, commented, opened, serving, working
from tests.e2e.test_service import ENDLESS, runs_tests
from tests.e2e.test_service_burst import ALL, a_burst
from tests.fakes.github import Delivery, FakeGitHub
from tests.fakes.model_server import ModelServer
from tests.fakes.until import LONGEST_S
from tests.system.postgres import BINARIES, Postgres, postgres

SENDERS = 40
ABOUT = (
    "`fixloop serve` as a process of its own, a GitHub beside it on the same machine. A burst of {all} deliveries from"
    " {senders} connections (a tenth repeated, a twentieth forged, a twentieth malformed), each answered after it is"
    " durably kept: time to the answer. A stop: from its delivery until the checks' last process is gone. A death:"
    " from the kill of one of two workers without a common disk until the other has begun to go on; others wait six"
    " seconds, as a restart of PostgreSQL looks the same."
)

Row = tuple[str, str, str, str]


def run(*, small: bool = False) -> Section:
    """Measure with SQLite, and with PostgreSQL where it is installed; `small` leaves PostgreSQL out."""
    rows = [*_burst("SQLite", ""), _stop(1 if small else 3)]
    installed = [] if small else list(BINARIES.glob("*/bin/initdb"))
    if installed:
        with postgres() as server:
            rows += _burst("PostgreSQL", server.fresh("burst"))
            rows.append(_death(server, 3))
    about = ABOUT.format(all=ALL, senders=SENDERS)
    return Section(name="service", about=about, head=("what", "median", "99th percentile", "longest"), rows=rows)


def _burst(name: str, url: str) -> list[Row]:
    with _hub() as hub:
        _, sent = a_burst(hub, Random(7))
        with serving(hub, None, url=url, workers=0) as service:
            started = time.monotonic()
            with ThreadPoolExecutor(SENDERS) as senders:
                times = list(senders.map(lambda one: _timed(service, one), sent))
            wall = time.monotonic() - started
            memory = psutil.Process(service.process.pid).memory_info().rss / 1e6
    rows = [_row(f"{name}: the answer to a delivery, {len(sent) / wall:.0f} a second", times)]
    return [*rows, (f"{name}: memory of `fixloop serve` after it", f"{memory:.0f} MB", "", "")]


def _timed(service: Service, delivery: Delivery) -> float:
    started = time.monotonic()
    service.send(delivery)
    return time.monotonic() - started


def _stop(rounds: int) -> Row:
    times = []
    for _ in range(rounds):
        with _hub() as hub, ModelServer([]) as model, serving(hub, model) as service:
            pull = hub.break_it(files=ENDLESS)
            service.send(opened(hub, pull))
            _wait(lambda: runs_tests(service))
            stop = commented(hub, pull, "/fixloop stop")
            started = time.monotonic()
            service.send(stop)
            _wait(lambda: not runs_tests(service))
            times.append(time.monotonic() - started)
    return _row("`/fixloop stop` to the end of the checks' process tree", times)


def _death(server: Postgres, rounds: int) -> Row:
    times = [_one_death(server.fresh(f"death{number}")) for number in range(rounds)]
    return _row("PostgreSQL: a worker's death to its run's going on", times)


def _one_death(url: str) -> float:
    with _hub() as hub, ModelServer([]) as model, ExitStack() as stack:
        service = stack.enter_context(serving(hub, model, url=url, workers=0))
        both = [stack.enter_context(working(hub, model, url=url, name=name)) for name in ("here", "there")]
        service.send(opened(hub, hub.break_it(files=ENDLESS)))
        _wait(lambda: any(told["layer"] == "test" for one in both for told in one.told("layer-started")))
        (dying,) = [one for one in both if one.has("run-started")]
        (other,) = [one for one in both if one is not dying]
        started = time.monotonic()
        dying.process.kill()
        _wait(lambda: other.has("run-started"))
        return time.monotonic() - started


def _row(name: str, times: list[float]) -> Row:
    last = quantiles(times, n=100)[98] if len(times) > 100 else max(times)
    return name, _shown(median(times)), _shown(last), _shown(max(times))


def _shown(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _wait(happened: Callable[[], bool]) -> None:
    waiting, end = threading.Event(), time.monotonic() + LONGEST_S
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("what is measured did not happen")
        waiting.wait(0.01)


@contextmanager
def _hub() -> Iterator[Hub]:
    with tempfile.TemporaryDirectory(prefix="fixloop-bench-") as folder, FakeGitHub() as github:
        yield open_hub(github, Path(folder))
