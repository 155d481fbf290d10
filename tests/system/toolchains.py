"""Toolchains that these tests need, installed from Debian's packages where they are missing."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

APT = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
LOCK = Path(tempfile.gettempdir()) / "apt.lock"
"""One apt at a time; people who call apt by hand can hold it with `flock`."""
TIMEOUT_S = 1800


class ToolchainError(RuntimeError):
    """A toolchain is missing and could not be installed; the message says what a person can do."""


def install(packages: Mapping[str, str]) -> None:
    """Install what is missing: program to the Debian package that has it (several, separated by spaces, are allowed).

    An absolute path stands for a file that no program shows, such as a library. Any number of processes may call it
    at once. Raise `ToolchainError` without root or where apt fails.
    """
    if not _missing(packages):
        return
    if os.geteuid() != 0:
        raise ToolchainError(f"missing: {', '.join(_missing(packages))}; run as root, or {_by_hand(packages)}")
    with _alone():
        lacking = _missing(packages)  # another process may have installed them while this one waited
        if not lacking:
            return
        _apt("update", "--quiet")
        wanted = sorted({package for program in lacking for package in packages[program].split()})
        _apt("install", "--quiet", "--yes", "--no-install-recommends", *wanted)
    if still := _missing(packages):
        raise ToolchainError(f"still missing after the installation: {', '.join(still)}")


def _missing(packages: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in packages if not (Path(name).exists() if name[:1] == "/" else shutil.which(name)))


def _by_hand(packages: Mapping[str, str]) -> str:
    wanted = " ".join(sorted({packages[program] for program in _missing(packages)}))
    return f"install by hand: apt-get install --no-install-recommends {wanted}"


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock; the system drops it when the process ends, however it ends."""
    with LOCK.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _apt(*arguments: str) -> None:
    done = subprocess.run(
        ["apt-get", *arguments],
        env=os.environ | APT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise ToolchainError(f"apt-get {' '.join(arguments)} failed:\n{(done.stdout + done.stderr)[-2000:]}")
