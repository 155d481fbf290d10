"""Installing the others, each into a folder of its own, which is kept between runs: they are large."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "bench-peers"

Install = Callable[[Path], str]
"""Installs into a folder, if it is not there, and returns the program. Raises OSError and CalledProcessError."""


def pip(package: str, program: str) -> Install:
    """Return what installs a package into an environment of its own."""

    def install(folder: Path) -> str:
        if not (folder / "bin" / program).exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            command = [str(folder / "bin" / "pip"), "install", "--quiet", package]
            subprocess.run(command, check=True, capture_output=True, text=True)
        return str(folder / "bin" / program)

    return install


def npm(package: str, program: str) -> Install:
    """Return what installs a package of npm's."""

    def install(folder: Path) -> str:
        found = folder / "node_modules" / ".bin" / program
        if not found.exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
            subprocess.run(command, check=True, capture_output=True, text=True)
        return str(found)

    return install


def this(folder: Path) -> str:
    """Install what fixloop takes, to weigh it; what runs is this checkout, whatever of it was installed once."""
    pip(str(ROOT), "fixloop")(folder)
    return sys.executable


def megabytes(folder: Path) -> float:
    """Return what a folder takes on the disk; a file of two names is one."""
    found = (path.lstat() for path in folder.rglob("*"))
    return sum({(one.st_dev, one.st_ino): one.st_blocks * 512 for one in found}.values()) / 1e6


def reason(error: Exception) -> str:
    """Return the last line of why something could not be installed."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else ""
    return ((said or "").strip().splitlines() or [str(error)])[-1]
