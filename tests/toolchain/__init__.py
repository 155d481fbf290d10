"""Node tools for tests: installed once, shared by every test process."""

import fcntl
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = HERE.parent.parent / ".tools" / "node"


def node_modules() -> Path:
    """Return a `node_modules` folder with the tools of `package-lock.json`; tests link to it and never write there."""
    lock = (HERE / "package-lock.json").read_bytes()
    INSTALLED.mkdir(parents=True, exist_ok=True)
    with (INSTALLED / "lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        stamp = INSTALLED / "installed-lock.json"
        if not stamp.is_file() or stamp.read_bytes() != lock:
            _install()
            stamp.write_bytes(lock)
    return INSTALLED / "node_modules"


def put_node_modules(project: Path, *packages: str) -> None:
    """Give a project `node_modules` of its own, as `npm ci` does: what a link leads to is closed to a sandbox.

    `packages` are those that it needs, each without dependencies; none: all, which are 8,000 files.
    """
    for name in (".bin", *packages) if packages else (".",):
        shutil.copytree(node_modules() / name, project / "node_modules" / name, symlinks=True)


def _install() -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, INSTALLED / name)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=INSTALLED, check=True, stdin=subprocess.DEVNULL, capture_output=True)
