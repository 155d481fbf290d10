"""What of this machine the tests can use: other users, and a Python that they can run."""

import ctypes
import os
import shutil
import stat
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONTAINER_CAPABILITIES = 0xA80425FB
"""Docker's default set, as in a container action: without CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH."""
ORDINARY_UID = 64_123
"""A user without an account, outside of fixloop's range."""


@dataclass(frozen=True)
class Reachable:
    """A Python with fixloop that every user can run."""

    executable: Path
    libraries: Path | None = None
    """Where its shared library lies, if it has one and is a copy."""

    @property
    def bin(self) -> Path:
        return self.executable.parent

    @property
    def env(self) -> dict[str, str]:
        """Return what it needs to start."""
        return {"LD_LIBRARY_PATH": str(self.libraries)} if self.libraries else {}


def is_root() -> bool:
    return os.geteuid() == 0


def only_a_containers_rights() -> None:
    """Give up what Docker does not leave to root: for the moment between fork and exec."""
    for number in range(64):
        if not CONTAINER_CAPABILITIES >> number & 1:
            ctypes.CDLL(None).prctl(24, number, 0, 0, 0)  # PR_CAPBSET_DROP


def reachable_python(folder: Path) -> Reachable:
    """Return this Python where all users may run it, else a copy below `folder` (hard links, so it costs little).

    Its site-packages name this environment's and fixloop's, copied too where they are out of reach.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = Path(sys.base_prefix)
    needed = [Path(sys.executable).resolve(), ROOT, Path(sysconfig.get_path("purelib"))]
    if not is_root() or (all(map(_all_may, needed)) and _all_may(Path(sys.executable))):
        return Reachable(Path(sys.executable))
    copy = folder / "python"
    library = Path("lib") / version
    skip = shutil.ignore_patterns("test", "site-packages", "idlelib", "tkinter", "lib2to3", "ensurepip")
    shutil.copytree(base / library, copy / library, copy_function=_link, ignore=skip, symlinks=True)
    for shared in (base / "lib").glob("libpython*.so*"):
        _link(shared, copy / "lib" / shared.name)
    (copy / "bin").mkdir()
    for name in ("python3", "python"):
        _link((base / "bin" / version).resolve(), copy / "bin" / name)
    packages = _for_all(Path(sysconfig.get_path("purelib")), folder / "packages")
    code = _for_all(ROOT / "fixloop_bot", folder / "code" / "fixloop_bot").parent
    (copy / library / "site-packages").mkdir()
    (copy / library / "site-packages" / "tests.pth").write_text(f"{code}\n{packages}\n")
    return Reachable(copy / "bin" / "python3", copy / "lib")


def _for_all(path: Path, copy: Path) -> Path:
    if _all_may(path):
        return path
    shutil.copytree(path, copy, copy_function=_link, symlinks=True)
    return copy


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _all_may(path: Path) -> bool:
    chain = {*path.parents, path, *path.resolve().parents, path.resolve()}
    return all(part.stat().st_mode & stat.S_IXOTH for part in chain if part.is_dir()) and bool(
        path.stat().st_mode & stat.S_IROTH
    )
