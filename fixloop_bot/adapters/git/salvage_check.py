"""Whether salvaged patches still apply to the commits that they were made on; no file is touched."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import CodecError, parse
from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.core.redact import MASK

MANIFEST_LIMIT = 1_000_000
"""Bytes of a manifest."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What came of looking at one salvage; both empty: the patch applies."""

    name: str
    problem: str = ""
    unchecked: str = ""
    """Why nothing can be said."""


def has_commit(repository: Repository, commit: str) -> bool:
    """Return whether the repository has the commit."""
    asked = ("cat-file", "-e", "--end-of-options", f"{commit}^{{commit}}")
    return repository.git.run(*asked, ok=(0, 1, 128)).code == 0


def check_salvages(repository: Repository | None, salvages: Path, run_id: str) -> Iterator[Salvaged]:
    """Yield each salvage of the run, by name. Without a repository only what lies there is checked."""
    for folder in sorted(salvages.glob(f"{run_id}-*")):
        if found := _checked(repository, folder, run_id):
            yield found


def _checked(repository: Repository | None, folder: Path, run_id: str) -> Salvaged | None:
    """Return what came of it, None for the salvage of another run, whose id begins in the same way."""
    patch, name = folder / "change.patch", folder.name
    try:
        manifest = _manifest(folder / "manifest.json")
    except (OSError, CodecError, ValueError) as error:
        return Salvaged(name, problem=f"manifest.json: {error}")
    if manifest["run_id"] != run_id:
        return None
    if not patch.is_file():
        return Salvaged(name, problem="change.patch is not there")
    if repository is None or not has_commit(repository, manifest["base"]):
        return Salvaged(name, unchecked=f"its base {manifest['base'][:12]} is not here")
    try:
        applies = _applies(repository.git, manifest["base"], patch)
    except GitError as error:
        return Salvaged(name, unchecked=f"git cannot look at its base: {error.stderr.decode('utf-8', 'replace')[:200]}")
    if applies:
        return Salvaged(name)
    if MASK.encode() in patch.read_bytes():
        return Salvaged(name, unchecked="a secret is masked in it, so that it may not apply")
    return Salvaged(name, problem=f"its patch does not apply to {manifest['base'][:12]}")


def _manifest(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        value = parse(file.read(MANIFEST_LIMIT))
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in ("run_id", "base")):
        raise ValueError("it lacks run_id or base")
    return value


def _applies(git: Git, base: str, patch: Path) -> bool:
    """Return whether git would take the patch on an index that holds the base's tree and is thrown away."""
    with tempfile.TemporaryDirectory(prefix="fixloop-replay-") as folder:
        env = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        git.run("read-tree", base, env=env)
        asked = ("apply", "--check", "--cached", "--whitespace=nowarn", "--", str(patch))
        return git.run(*asked, ok=(0, 1, 128), env=env).code == 0
