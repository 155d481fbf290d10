"""A hundred kills of the service with its own database: nothing is lost, nothing is done or paid twice."""

from tests.e2e.conftest import *  # noqa: F403 - `hub`
from tests.e2e.github_stage import Hub
from tests.system.kill_story import story


def test_a_service_killed_a_hundred_times_repairs_everything_once(hub: Hub) -> None:
    story(hub, "", processes={"service": ("serve", "--port", "0", "--workers", "1")})
