"""Waiting for something that another process does."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import AnyStr

LONGEST_S = 120.0


def until(happened: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Return as soon as it has happened; an error when the process ends first, or nothing comes."""
    end = time.monotonic() + LONGEST_S
    while not happened():
        if process.poll() is not None:
            raise AssertionError(f"the process ended first: {process.communicate()}")
        if time.monotonic() > end:
            raise AssertionError("it did not happen")
        time.sleep(0.05)


@contextmanager
def ended(process: "subprocess.Popen[AnyStr]", *, gently: bool = False) -> Iterator["subprocess.Popen[AnyStr]"]:
    """Give a process to a block that it cannot outlive, however the block ends.

    `gently` asks it to end first, and is an error when it does not.
    """
    with process:
        try:
            yield process
        finally:
            try:
                if gently:
                    process.terminate()
                    process.wait(LONGEST_S)
            finally:
                process.kill()
