"""Which paths a locked-in command may read and write: system, toolchains, its worktree, and no person's home."""

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fixloop_bot.model.command import CACHE

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/snap", "/proc", "/sys",
    "/dev", "/home/linuxbrew", "/run/systemd/resolve", "/run/resolvconf", "/run/current-system",
    "/var/cache/fontconfig", "/var/lib/gems", "/var/lib/ghc", "/var/lib/dpkg",
)  # fmt: skip
SETTINGS = "/etc"
DEVICES = (
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts",
    "/dev/shm",  # noqa: S108 - where semaphores of several processes live (shm_open(3))
)  # fmt: skip
FOLDER_VARIABLES = (
    "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "JAVA_HOME", "GRADLE_HOME", "MAVEN_HOME", "M2_HOME", "GOROOT",
    "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "GEM_HOME", "GEM_PATH", "DOTNET_ROOT", "NVM_DIR", "VOLTA_HOME", "ASDF_DIR",
    "ASDF_DATA_DIR", "MISE_DATA_DIR", "COREPACK_HOME", "PLAYWRIGHT_BROWSERS_PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "PIP_CERT",
)  # fmt: skip
"""Those of `environment.EXACT` that name files or folders of toolchains and certificates."""
RUNNER_VARIABLES = (
    "GITHUB_EVENT_PATH", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
)  # fmt: skip
HOME_SECRETS = (
    ".ssh", ".aws", ".azure", ".gnupg", ".config", ".docker", ".kube", ".netrc", ".git-credentials", ".gitconfig",
    ".npmrc", ".pypirc", ".password-store", ".local/state", ".local/share/keyrings",
)  # fmt: skip
CREDENTIALS = re.compile(
    r"credential|token|secret|passw|\.npmrc$|settings.{0,200}\.xml$|gradle\.properties$|auth\.json$", re.IGNORECASE
)
"""Names that tools give, at the top of their own folders, to files of keys and passwords."""
WORK_FOLDERS = ("home", "tmp", "reports", CACHE)
"""Below the scratch folder."""
BIN_FOLDERS = frozenset({"bin", "sbin", "shims"})
LOOKED_AT = 2_000
"""Entries of one folder that are looked at."""
VENVS = (".venv", "venv")
OWN_PACKAGE = Path(__file__).parents[2]
"""fixloop itself, which checks of its own run; an installation for development lies outside of the environment."""
_ENTER = stat.S_IROTH | stat.S_IXOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a run works on, in absolute real paths."""

    root: Path
    """The worktree."""
    scratch: Path
    """Has the work folders."""
    beside: Sequence[Path] = ()
    """More that may be read: git directories."""
    closed: Sequence[Path] = ()
    """Never to be read or written: fixloop's state."""


def writable(grounds: Grounds) -> tuple[str, ...]:
    """Return where commands may write."""
    own = (grounds.root, *(grounds.scratch / name for name in WORK_FOLDERS))
    return (*map(str, own), *DEVICES)


def readable(grounds: Grounds, env: Mapping[str, str], *, as_root: bool) -> tuple[str, ...]:
    """Return where commands may read and execute.

    `as_root`: they have, or nearly, root's right to read, so of the system's settings only those count that all may.
    """
    closed = [*closed_paths(env), *(path.resolve() for path in grounds.closed)]
    settings = everybodys(Path(SETTINGS)) if as_root else (Path(SETTINGS),)
    tools = [part for tree in toolchains(env, grounds.root) for part in _without_credentials(tree)]
    spread = [part for path in (*map(Path, SYSTEM), *settings, *tools) for part in _spread(path, closed)]
    return tuple(dict.fromkeys(map(str, [*spread, *grounds.beside, *_around(grounds.root, env)])))


def closed_paths(env: Mapping[str, str]) -> list[Path]:
    """Return what no rule may have below it."""
    closed = [Path(env[name]).parent for name in RUNNER_VARIABLES if env.get(name)]
    if env.get("HOME"):
        home = Path(env["HOME"]).resolve()
        closed += [home, *(home / name for name in HOME_SECRETS)]
    return closed


def toolchains(env: Mapping[str, str], root: Path) -> list[Path]:
    """Return the folders of the programs and packages that commands need."""
    home = Path(env["HOME"]).resolve() if env.get("HOME") else None
    found = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).parent, OWN_PACKAGE]
    for place in _search_path(env):
        found.append(_whole(place, home))
        if home and place.is_relative_to(home):
            found += [_whole(target.parent, home) for target in _link_targets(place)]
    for venv in VENVS:
        links = _link_targets(root / venv / "bin")
        found += [_whole(target.parent, home) for target in links if _is_interpreter(target)]
    named = [part for name in FOLDER_VARIABLES for part in env.get(name, "").split(os.pathsep) if part]
    found += [Path(part) for part in named if Path(part).is_absolute()]
    if home:
        found += [home / ".local" / "lib", home / ".rustup", home / ".cache" / "ms-playwright"]
    return [path for path in dict.fromkeys(part.resolve() for part in found) if path != home and path.exists()]


def first_unreachable(paths: Iterable[Path], *, opened: Sequence[Path] = ()) -> tuple[Path, Path] | None:
    """Return the first path that a user with no rights of its own cannot read, and the folder that bars it.

    `opened` are folders that are opened to that user anyway.
    """
    for path in paths:
        for spelled in (path, path.resolve()):
            for folder in (*reversed(spelled.parents), spelled):
                if folder not in opened and not _lets_pass(folder, is_last=folder == spelled):
                    return path, folder
    return None


def _lets_pass(path: Path, *, is_last: bool) -> bool:
    """Return whether everybody may enter the folder on the way, or read what is at its end; nothing there bars not."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return True
    if not is_last:
        return bool(mode & stat.S_IXOTH)
    return mode & _ENTER == _ENTER if stat.S_ISDIR(mode) else bool(mode & stat.S_IROTH)


def _search_path(env: Mapping[str, str]) -> Iterator[Path]:
    for part in env.get("PATH", os.defpath).split(os.pathsep):
        if part.startswith("/") and Path(part).is_dir():
            yield Path(part).resolve()


def _whole(place: Path, home: Path | None) -> Path:
    """Return the toolchain that a folder of programs belongs to, itself where that would be a home or everything."""
    tree = place.parent if place.name in BIN_FOLDERS else place
    is_too_much = tree == Path("/") or (home is not None and home.is_relative_to(tree))
    return place if is_too_much else tree


def _link_targets(folder: Path) -> Iterator[Path]:
    for entry in _entries(folder):
        if entry.is_symlink():
            target = Path(entry.path).resolve()
            if target.is_file():
                yield target


def _is_interpreter(path: Path) -> bool:
    """Return whether it is what an environment's links lead to: a link may be the pull request's, to any file."""
    return path.name.startswith(("python", "pypy")) and os.access(path, os.X_OK)


def _spread(path: Path, closed: Sequence[Path]) -> Iterator[Path]:
    """Yield the path, or what of it can be had without the closed paths at it and below."""
    real = path.resolve()
    below = [other for other in closed if real in _upwards(other)]
    if real in closed:
        return
    if not below:
        yield path
        return
    for entry in _entries(real):
        yield from _spread(Path(entry.path), below)


@cache
def _upwards(path: Path) -> frozenset[Path]:
    """Return the path and the folders around it."""
    return frozenset((path, *path.parents))


def _without_credentials(tree: Path) -> Iterator[Path]:
    """Yield a toolchain's folder, or its entries one by one where some of them are files of credentials."""
    entries = [] if tree.is_relative_to("/usr") else _entries(tree)
    if not any(CREDENTIALS.search(entry.name) for entry in entries):
        yield tree
        return
    for entry in entries:
        if not CREDENTIALS.search(entry.name):
            yield Path(entry.path)


def _around(root: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Yield the repository around a project that is one folder of it, unless that is a home or higher."""
    home = Path(env["HOME"]).resolve() if env.get("HOME") else Path("/")
    for folder in root.parents:
        if (folder / ".git").exists() and not home.is_relative_to(folder):
            yield folder
            return


@cache
def everybodys(folder: Path) -> tuple[Path, ...]:
    """Return what of a folder everybody may read: the whole, or the parts around what is private."""
    return tuple(_everybodys(folder)[1])


def _everybodys(folder: Path) -> tuple[bool, list[Path]]:
    """Return whether that is everything in the folder, and the paths."""
    parts = [_public(entry) for entry in _entries(folder)]
    if all(whole for whole, _ in parts):
        return True, [folder]
    return False, [path for _, paths in parts for path in paths]


def _public(entry: os.DirEntry[str]) -> tuple[bool, list[Path]]:
    try:
        mode = entry.stat().st_mode
    except OSError:
        return False, []
    if entry.is_dir(follow_symlinks=False):
        return _everybodys(Path(entry.path)) if mode & _ENTER == _ENTER else (False, [])
    return (True, [Path(entry.path)]) if mode & stat.S_IROTH else (False, [])


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return [entry for entry, _ in zip(found, range(LOOKED_AT), strict=False)]
    except OSError:
        return []
