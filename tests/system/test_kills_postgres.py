"""A hundred kills of receiver and workers on PostgreSQL: nothing is lost, nothing is done twice."""

from tests.e2e.conftest import *  # noqa: F403 - `hub`
from tests.e2e.github_stage import Hub
from tests.system.kill_story import KILLS, story
from tests.system.postgres import postgres


def test_receiver_and_workers_killed_a_hundred_times_repair_everything_once(hub: Hub) -> None:
    work = ("worker", "--workers", "1")
    processes = {"service": ("serve", "--port", "0", "--workers", "0"), "here": work, "there": work}
    with postgres() as server:
        story(hub, server.fresh("service"), processes=processes, repeats=KILLS // 10)
