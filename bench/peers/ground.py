"""The repository that all of them repair, and the server that all of them talk to."""

import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.workspace import KEY, Workspace
from tests.fakes.model_script import Scripted, say
from tests.fakes.model_server import ModelServer, RecordedRequest

RIGHT, WRONG = "len(pages) - 1", "len(pages) - 2"
TEST = "python3 -S -m unittest -q test_pages.py"
CODE = '"""Pages."""\n\n\ndef last(pages):\n    """Return the last page."""\n    return pages[{index}]\n'
TESTS = """\
import unittest

from pages import last


class Pages(unittest.TestCase):
    def test_last(self):
{noise}        self.assertEqual(last([1, 2, 3]), 3)


if __name__ == "__main__":
    unittest.main()
"""
NOISE = """\
        for number in range({lines}):
            print("2026-01-01 12:00:00 DEBUG worker handled request", number, "status=200")
"""
ASSERTION = "AssertionError: 2 != 3"
TASK = f"`{TEST}` fails: test_last, {ASSERTION}. Fix the bug in this repository."
SED = f"sed -i 's/{WRONG}/{RIGHT}/' pages.py"
CHEAT = "sed -i 's/, 3)/, 2)/' test_pages.py"


def ground(folder: Path, *, lines: int = 0) -> Workspace:
    """Make the repository, whose one test fails after printing so many lines."""
    work = Workspace(folder)
    config = f"layers:\n  compile: 'true'\n  lint: 'true'\n  test: {TEST}\n"
    tests = TESTS.format(noise=NOISE.format(lines=lines) if lines else "")
    work.commit({"pages.py": CODE.format(index=WRONG), "test_pages.py": tests, ".fixloop.yml": config})
    return work


class Server(ModelServer):
    """Plays a script to whatever program comes; calls beside its work, which offer no tools, take nothing of it."""

    def __init__(self, replies: Sequence[Scripted], *, by_tools: bool) -> None:
        super().__init__(replies, others=True)
        self._by_tools = by_tools
        self.times: list[float] = []

    def next_reply(self, request: RecordedRequest) -> Scripted:
        """Return the next of the script."""
        self.times.append(time.perf_counter())
        if self._by_tools and not request.body.get("tools"):
            self.requests.append(request)
            return say("pages")
        return super().next_reply(request)

    @property
    def sizes(self) -> list[int]:
        """Return the length of each request's body."""
        return [int(request.headers["content-length"]) for request in self.requests]


def environment(url: str, home: Path, path: str) -> dict[str, str]:
    """Return what every program is started with: its own home, nothing of this machine's but its PATH."""
    return {
        "PATH": path,
        "HOME": str(home),
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_BASE": url,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
