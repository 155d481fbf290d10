"""Runs that go on with an answer, each as a process of its own that outlives the page which it was given on."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

AT_ONCE = 5.0
"""Seconds to wait for a refusal: most runs that go on take longer."""
_TAIL = 4_000
"""Bytes of a refusal that are read."""


class AnswerProcesses:
    """At most one for each run."""

    def __init__(self, *, at_once: float = AT_ONCE) -> None:
        self._at_once = at_once
        self._lock = Lock()
        self._started: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, run_id: str, command: Sequence[str], *, env: Mapping[str, str], log: Path) -> str:
        """Start it and say so, or what it said where it ended at once. Raises OSError where it cannot be started.

        It works in the log's folder, never in a worktree, whose files could pass for modules of Python.
        """
        with self._lock:
            earlier = self._started.get(run_id)
            if earlier is not None and earlier.poll() is None:
                return f"An answer is being acted on already, by process {earlier.pid}."
            self._started[run_id] = process = _started(command, env, log)
        try:
            code = process.wait(self._at_once)
        except subprocess.TimeoutExpired:
            return f"The run goes on with it, as process {process.pid}; what it prints is in {log}."
        told = _tail(log)
        if code == 0:
            return f"The run went on with it and has ended. {told.splitlines()[-1] if told else ''}"
        return f"It ended at once, with exit status {code}: {told}"

    def wait(self) -> None:
        """Wait until all of them have ended."""
        with self._lock:
            for process in self._started.values():
                process.wait()


def _started(command: Sequence[str], env: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(
            command,
            cwd=log.parent,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _tail(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(log.stat().st_size - _TAIL, 0))
        return file.read(_TAIL).decode("utf-8", "replace").strip()
