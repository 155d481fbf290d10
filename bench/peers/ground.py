"""The repository that all of them repair, and the server that all of them talk to."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.workspace import KEY, Workspace
from tests.fakes.model_script import Scripted, say
from tests.fakes.model_server import ModelServer, RecordedRequest

RIGHT, WRONG = "len(pages) - 1", "len(pages) - 2"
TEST = "python3 -S -B -m unittest -q test_pages.py"
SAYS = '    """Return the last page."""'
CODE = '"""Pages."""\n\n\ndef last(pages):\n' + SAYS + "\n    return pages[{index}]\n"
TESTS = """\
import unittest

from pages import last


class Pages(unittest.TestCase):
    def test_last(self):
{noise}        self.assertEqual(last([1, 2, 3]), 3)


if __name__ == "__main__":
    unittest.main()
"""
BLOCK = 10_000
"""Lines."""
LINE = "2026-01-01 12:00:00 DEBUG worker handled request {number:05} status=200"
BYTES = len(LINE.format(number=0)) + 1
"""Of a line of noise."""
TIMED = """\
start=$EPOCHREALTIME
"$@"
code=$?
echo "$start $EPOCHREALTIME" >> spans
exit $code
"""
"""Runs a command, and writes down when it began and ended, where whoever runs this cannot know of it."""
ASSERTION = "AssertionError: 2 != 3"
TASK = f"`{TEST}` fails: test_last, 2 is not 3. Fix the bug in this repository."
SED = f"sed -i 's/{WRONG}/{RIGHT}/' pages.py"
CHEAT = "sed -i 's/, 3)/, 2)/' test_pages.py"


def _noise(lines: int) -> str:
    """Return what prints so many lines, a multiple of `BLOCK`."""
    block = f'"\\n".join(f"{LINE}" for number in range({BLOCK}))'
    return f"        block = {block}\n        for _ in range({lines // BLOCK}):\n            print(block)\n"


def ground(folder: Path, *, lines: int = 0) -> Workspace:
    """Make the repository, whose one test fails after printing so many lines, a multiple of `BLOCK`."""
    work = Workspace(folder)
    config = f"layers:\n  compile: 'true'\n  lint: 'true'\n  test: bash timed.sh {TEST}\n"
    tests = TESTS.format(noise=_noise(lines) if lines else "")
    work.commit({"pages.py": CODE.format(index=WRONG), "test_pages.py": tests, "timed.sh": TIMED})
    work.commit({".fixloop.yml": config, ".gitignore": "/spans\n__pycache__/\n"})
    return work


def checked(root: Path, until: float) -> float:
    """Return how many seconds fixloop's checks took that ended before a time."""
    spans = root / "spans"
    lines = spans.read_text(encoding="ascii").splitlines() if spans.exists() else []
    times = [tuple(map(float, line.split())) for line in lines]
    return sum(end - start for start, end in times if end <= until)


class Server(ModelServer):
    """Plays a script to whatever program comes; calls beside its work, which offer no tools, take nothing of it."""

    def __init__(self, replies: Sequence[Scripted], *, by_tools: bool) -> None:
        super().__init__(replies, others=True)
        self._by_tools = by_tools
        self.times: list[float] = []
        """When each request came, in seconds since the epoch."""

    def next_reply(self, request: RecordedRequest) -> Scripted:
        """Return the next of the script."""
        self.times.append(time.time())
        if self._by_tools and not request.body.get("tools"):
            self.requests.append(request)
            return say("pages")
        return super().next_reply(request)

    @property
    def sizes(self) -> list[int]:
        """Return the characters of each request's body, written alike for all: JSON without blanks or escapes."""
        bodies = (request.body for request in self.requests)
        return [len(json.dumps(body, ensure_ascii=False, separators=(",", ":"))) for body in bodies]


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
