"""The shadow git directory: a clean configuration and index of fixloop's own over the person's objects and files.

Everything in a git directory that can start a program (hooks, filters, fsmonitor, signing, external diffs, includes,
credential helpers, aliases) is named by its configuration or lies in its hooks folder. So fixloop's git never reads
those of the person: it has its own directory, out of reach of the pull request's code. See ADR 0003.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.adapters.git.index import copy_index, leave_filtered, restore_bits, uncover_hidden
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.ports.worktree import HeadMovedError

IDENTITY: Mapping[str, str] = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "fixloop"), ("EMAIL", "fixloop@users.noreply.github.com"))
}

_LAST_MOVE = "last-move"
"""File of the commits that the branch went from and to, written before it goes: a killed run's commit is known by it,
while one that a person made of it (`git commit --amend`) has another id.
"""

_COPIED = (
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.sharedrepository",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "index.sparse",
    "index.version",
)
"""Settings that say how files look on disk; none of them can name a program."""

_PLAIN_VALUE = re.compile(r"[A-Za-z0-9]{0,20}")

_OWN: Mapping[str, str] = {
    "core.repositoryformatversion": "1",
    "core.bare": "false",
    "core.hookspath": os.devnull,
    "core.fsmonitor": "false",
    "core.untrackedcache": "false",
    "core.splitindex": "false",
    "core.attributesfile": os.devnull,
    "core.excludesfile": os.devnull,
    "core.safecrlf": "false",
    "core.logallrefupdates": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "commit.gpgsign": "false",
    "submodule.recurse": "false",
    "diff.ignoresubmodules": "all",
    "sparse.expectfilesoutsideofpatterns": "true",
}

_IGNORE_LIMIT = 1_000_000
"""Bytes that are read of an ignore or attributes file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """fixloop's own git directory for one worktree."""

    repository: Repository
    folder: Path

    @property
    def git(self) -> Git:
        """Return git on the worktree through the shadow."""
        common = self.repository.common_dir
        return Git(
            cwd=self.repository.root,
            env={
                "GIT_DIR": str(self.folder),
                "GIT_WORK_TREE": self.repository.root,
                "GIT_OBJECT_DIRECTORY": f"{common}/objects",
                "GIT_SHALLOW_FILE": f"{common}/shallow",
                **IDENTITY,
            },
        )

    def check_unmoved(self) -> None:
        """Raise `HeadMovedError` when another branch is checked out than at the opening, or another commit.

        A move of fixloop's own that was interrupted when the branch had gone is completed.
        """
        here, (real, _ref) = self.head(), self._real_head()
        if real != here and (here, real) == self.last_move():
            _stand_on(self.folder, real)
        elif real != here:
            raise HeadMovedError(f"{self.repository.branch or 'HEAD'} no longer stands on {here} but on {real}")

    def head(self) -> str:
        """Return the commit that fixloop stands on."""
        return (self.folder / "HEAD").read_text(encoding="ascii").strip()  # always detached, in a directory of our own

    def _real_head(self) -> tuple[str, str]:
        """Return the person's commit, and the full name of their branch, `HEAD` when detached; refuse another one."""
        branch = self.repository.branch
        # One process for both: they are asked for before and after everything that is done.
        told = self.repository.git.run("rev-parse", "HEAD", "--symbolic-full-name", "HEAD", ok=(0, 128)).text
        real, _, ref = told.partition("\n")
        if ref != (f"refs/heads/{branch}" if branch else "HEAD"):
            raise HeadMovedError(
                f"another branch was checked out meanwhile: {ref if ref != 'HEAD' else 'a detached HEAD'}"
            )
        return real, ref

    def last_move(self) -> tuple[str, str]:
        """Return the commits between which fixloop moved the branch last, or was about to; empty: it never did."""
        path = self.folder / _LAST_MOVE
        origin, _, target = path.read_text().strip().partition("\n") if path.exists() else ("", "", "")
        return origin, target

    def move_head(self, new: str) -> None:
        """Let the person's branch (or detached HEAD) go from the shadow's HEAD to `new`, by compare and swap.

        Raises `HeadMovedError`, with nothing changed, when it is not where the shadow's HEAD is.
        """
        old = self.head()
        branch = self.repository.branch
        real = self.repository.git
        _real, ref = self._real_head()
        options = ("--no-deref",) if branch is None else ()
        write_durably(self.folder / _LAST_MOVE, f"{old}\n{new}\n".encode())
        try:
            real.run("update-ref", *options, "-m", "fixloop", "--end-of-options", ref, new, old, env=IDENTITY)
        except GitError as error:
            raise HeadMovedError(f"{branch or 'HEAD'} no longer stands on {old}\n{error}") from error
        _stand_on(self.folder, new)
        _hand_over(self.repository)

    def publish_index(self) -> None:
        """Replace the person's index by the shadow's, under git's own lock protocol, so their `git status` is right.

        Raises `FileExistsError` while another git process holds `index.lock`, and `HeadMovedError`.
        """
        self.check_unmoved()
        real = Path(self.repository.git_dir)
        ready, lock, index = real / "fixloop.index", real / "index.lock", real / "index"
        ready.unlink(missing_ok=True)
        shutil.copy2(self.folder / "index", ready)
        restore_bits(self.git, self.folder, ready)
        if index.exists():
            _same_owner(index, ready)
        try:
            os.link(ready, lock)
        finally:
            ready.unlink()
        lock.replace(index)
        _hand_over(self.repository)


def open_shadow(repository: Repository, folder: Path) -> Shadow:
    """Build the shadow of a repository as it now stands; what an earlier process left in `folder` is replaced."""
    shadow = Shadow(repository=repository, folder=folder)
    for part in ("refs/heads", "objects", "info", "logs"):
        (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = repository.settings()
    _write_config(shadow, settings)
    copy_info(repository, settings, folder / "info")
    (folder / "index.lock").unlink(missing_ok=True)
    (folder / "HEAD.lock").unlink(missing_ok=True)
    head = repository.git.text("rev-parse", "--verify", "HEAD^{commit}")
    _stand_on(folder, head)
    copy_index(repository, folder)
    uncover_hidden(shadow.git, folder)
    leave_filtered(shadow.git, folder)
    return shadow


def _stand_on(folder: Path, commit: str) -> None:
    """Let the shadow's HEAD be the commit, at once; nobody but this process writes there."""
    new = folder / "HEAD.new"
    new.write_text(f"{commit}\n")
    new.replace(folder / "HEAD")


def shadow_key(repository: Repository) -> str:
    """Return the folder name for this worktree's shadow, stable over runs."""
    return hashlib.sha256(os.fsencode(repository.git_dir)).hexdigest()[:16]


def _write_config(shadow: Shadow, settings: Mapping[str, str]) -> None:
    copied = {key: settings[key] for key in _COPIED if _PLAIN_VALUE.fullmatch(settings.get(key, "-"))}
    wanted = {**copied, **_OWN, "extensions.objectformat": shadow.repository.object_format}
    lines = []
    for key, value in wanted.items():
        section, name = key.split(".")
        lines.append(f"[{section}]\n\t{name} = {value}\n")
    (shadow.folder / "config").write_text("".join(lines))


def copy_info(repository: Repository, settings: Mapping[str, str], info: Path) -> None:
    """Take over what says which files are ignored, sparse, or text: the person's ignore file first, as git has it."""
    own = repository.excludes_file(settings)
    ignored = [_content(own)] if own else []
    ignored.append(_content(Path(repository.common_dir, "info", "exclude")))
    (info / "exclude").write_bytes(b"\n".join(ignored))
    (info / "attributes").write_bytes(_content(Path(repository.common_dir, "info", "attributes")))
    (info / "sparse-checkout").write_bytes(_content(Path(repository.git_dir, "info", "sparse-checkout")))


def _content(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(_IGNORE_LIMIT)


def _hand_over(repository: Repository) -> None:
    """Give what root has written into the person's git directory to its owner, who could not add objects to it."""
    common = Path(repository.common_dir)
    owner = common.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        return
    branch = repository.branch or ""
    written = [Path(repository.git_dir, "logs", "HEAD"), common / "logs/refs/heads" / branch]
    written += [common / "refs/heads" / branch, *(common / "refs/fixloop").rglob("*"), common / "refs/fixloop"]
    for top in filter(_is_roots, (common / "objects").iterdir()):
        written += [top, *(Path(folder, name) for folder, below, files in os.walk(top) for name in (*below, *files))]
    for path in written:
        with suppress(FileNotFoundError):  # not written, or gone meanwhile: the person's git tidies up
            os.lchown(path, owner.st_uid, owner.st_gid)


def _is_roots(path: Path) -> bool:
    try:
        return path.lstat().st_uid == 0
    except FileNotFoundError:
        return False


def _same_owner(model: Path, path: Path) -> None:
    """Give `path` the mode and, where fixloop may, the owner of `model`."""
    shutil.copymode(model, path)
    if os.geteuid() == 0:
        stat = model.stat()
        os.chown(path, stat.st_uid, stat.st_gid)
