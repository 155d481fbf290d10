"""A commit in a folder of its own, with nothing of the worktree's around it; commands there find history and refs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.git import changes
from fixloop_bot.adapters.git.adopt import adopt
from fixloop_bot.adapters.git.clone import make_clone
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.lend import alternates_of, lend_history
from fixloop_bot.adapters.git.paths import delete, give_to_owner, inside, obstacles
from fixloop_bot.adapters.git.recorded import NoSuchCommitError
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.git.shadow import copy_info


@dataclass(frozen=True, slots=True)
class FreshCommit:
    """A commit's files on disk, and the git directory beside them."""

    git: Git
    root: Path
    commit: str

    @property
    def git_dir(self) -> Path:
        """Return the git directory, which is not below the root."""
        return Path(self.git.env["GIT_DIR"])

    def tree(self) -> str:
        """Return the id of the commit's tree."""
        return self.git.text("rev-parse", "--verify", "--end-of-options", f"{self.commit}^{{tree}}")

    def files(self) -> tuple[str, ...]:
        """Return the tracked and the untracked, unignored paths."""
        return tuple(dict.fromkeys(self.git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").paths))

    def seal(self, unwanted: Callable[[str], bool]) -> None:
        """Make tracked files as committed, and delete those untracked, unignored ones that `unwanted` is true of."""
        root, changed = str(self.root), changes.dirty(self.git)
        tracked = frozenset(self.git.run("ls-files", "-z", "--cached").paths)
        for path in obstacles(root, changed, tracked):
            delete(self.root / path)
        with _own_objects_alone(self.git_dir):
            self.git.run("read-tree", "--reset", "-u", "--end-of-options", self.commit)
        give_to_owner(root, changed)
        for path in changes.untracked(self.git):
            if unwanted(path):
                delete(inside(root, path))


def check_out_fresh(repository: Repository, commit: str, folder: Path) -> FreshCommit:
    """Write a commit's files below `folder`, which is new or empty, in a folder of the worktree's own name.

    Its objects are named anew from their content, as those on disk may have been tampered with. History and refs are
    the repository's own, for what asks git about them. No hook, filter or setting of it has a part in this. Raises
    `NoSuchCommitError`, OSError, `GitError`.
    """
    name = Path(repository.root).name or "worktree"
    git = make_clone(folder, worktree=f"tree/{name}", object_format=repository.object_format)
    if not adopt(git, Path(repository.common_dir), commit, alone=True):
        raise NoSuchCommitError(f"{repository.root} does not have all of the commit {commit}")
    fresh = FreshCommit(git, Path(git.env["GIT_WORK_TREE"]), commit)
    (fresh.git_dir / "info").mkdir()
    copy_info(repository, repository.settings(), fresh.git_dir / "info")
    git.run("update-ref", "--no-deref", "HEAD", commit)
    git.run("read-tree", "-m", "-u", "--end-of-options", commit)
    lend_history(repository, git, commit, branch=repository.branch)
    return fresh


@contextmanager
def _own_objects_alone(git_dir: Path) -> Iterator[None]:
    """Let git find no object meanwhile but those that were named anew."""
    listed = alternates_of(git_dir)
    hidden = listed.with_suffix(".hidden")
    listed.rename(hidden)
    try:
        yield
    finally:
        hidden.rename(listed)
