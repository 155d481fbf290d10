"""A program under watch: how much memory it and all below it hold at most."""

import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import psutil

SAMPLE_S = 0.02
MAPS = "smaps_rollup"
SAID = 10_000
"""Bytes kept of what it prints."""
MOST_MB = 8_000
"""A program that comes to hold more is ended."""


class Watched:
    """A process and its tree, ended at the latest when this is left."""

    def __init__(self, command: Sequence[str], root: Path, env: Mapping[str, str]) -> None:
        self.mb = 0.0
        """Of all processes together; what several of them share is counted once (PSS, proc_pid_smaps(5))."""
        self.own_mb = 0.0
        """Of the first process alone (VmHWM)."""
        # No pipe: what is left behind could hold it open, and a gigabyte may come through it.
        self._said = root.parent / "said"
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                command, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL
            )
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        """Begin to look."""
        self._watch.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._watch.join()
        self._end()
        self._process.wait()

    def wait(self, longest_s: float) -> tuple[int, str]:
        """Return the exit code and the beginning of what it printed. Raises TimeoutExpired."""
        code = self._process.wait(timeout=longest_s)
        with self._said.open("rb") as said:
            return code, said.read(SAID).decode(errors="replace")

    def _look(self) -> None:
        before = 0.0
        while not self._ended.wait(SAMPLE_S):
            now = self._together()
            # Twice, as a process between vfork and exec is its parent under another number.
            self.mb, before = max(self.mb, min(before, now)), now
            self.own_mb = max(self.own_mb, _megabytes(_told(self._process.pid, "status"), "VmHWM:"))
            if self.mb > MOST_MB:
                self._end()

    def _together(self) -> float:
        return sum(_megabytes(told, "Pss:") for told in {_told(pid, MAPS) for pid in _tree(self._process.pid)})

    def _end(self) -> None:
        for pid in list(_tree(self._process.pid)):
            try:
                psutil.Process(pid).kill()
            except psutil.Error:
                continue


def _tree(pid: int) -> Iterator[int]:
    try:
        top = psutil.Process(pid)
        yield from (process.pid for process in (*top.children(recursive=True), top))
    except psutil.Error:
        return


def _told(pid: int, name: str) -> str:
    """Return a file of /proc; nothing for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _megabytes(told: str, line: str) -> float:
    return next((int(one.split()[1]) * 1024 / 1e6 for one in told.splitlines() if one.startswith(line)), 0.0)
