"""A recorded commit in a private checkout: the person's repository gives the objects, and nothing in it changes."""

from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.git.adopt import adopt
from fixloop_bot.adapters.git.clone import make_clone
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.core.messages import RUN_TRAILER

MAX_OWN_COMMITS = 1_000


class NoSuchCommitError(Exception):
    """The repository does not have a recorded commit, or not all of it; the text is for a person."""


@dataclass(frozen=True, slots=True)
class RecordedCommit:
    """A commit, written out in a worktree of fixloop's own, with its history and nothing else."""

    git: Git
    root: Path
    commit: str

    def tree(self) -> str:
        """Return the id of its tree."""
        return self.git.text("rev-parse", "--verify", "--end-of-options", f"{self.commit}^{{tree}}")

    def files(self) -> tuple[str, ...]:
        """Return its tracked paths."""
        return self.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", self.commit).paths

    def contains(self, commit: str) -> bool:
        """Return whether the other commit is this one or one of its ancestors; False for one that is not there."""
        return self.git.run("merge-base", "--is-ancestor", commit, self.commit, ok=(0, 1, 128)).code == 0

    def changed_since(self, base: str) -> dict[str, str]:
        """Return path → git's status letter (A, M, D, T) against an ancestor; a rename is a D and an A."""
        fields = self.git.run("diff-tree", "-r", "-z", "--name-status", "--no-renames", base, self.commit).paths
        return dict(zip(fields[1::2], fields[::2], strict=True))

    def text(self, path: str) -> str | None:
        """Return a file's text in the commit as the guard reads it, None where there is none."""
        found = self.git.run("cat-file", "blob", f"{self.commit}:{path}", ok=(0, 128))
        return found.stdout.decode("utf-8", "replace") if found.code == 0 else None

    def runs_since(self, base: str) -> tuple[str, ...]:
        """Return the run that each commit above an ancestor names in its trailer, empty where it names none."""
        form = f"--format=%(trailers:key={RUN_TRAILER},valueonly,separator=%x2C)%x00"
        listed = self.git.run("log", f"--max-count={MAX_OWN_COMMITS}", form, f"{base}..{self.commit}", "--")
        return tuple(entry.strip() for entry in listed.stdout.decode("utf-8", "replace").split("\0")[:-1])


def check_out_recorded(repository: Repository, commit: str, folder: Path) -> RecordedCommit:
    """Write a commit's files below `folder`, new or empty, in a folder of the worktree's own name.

    The objects are named anew from their content. No hook, filter or setting of the repository has a part in it.
    Raises `NoSuchCommitError`, OSError, `GitError`.
    """
    if repository.git.run("cat-file", "-e", "--end-of-options", f"{commit}^{{commit}}", ok=(0, 1, 128)).code:
        raise NoSuchCommitError(
            f"{repository.root} has no commit {commit}: it is another repository, or the commit was not fetched"
        )
    name = Path(repository.root).name or "worktree"
    git = make_clone(folder, worktree=f"tree/{name}", object_format=repository.object_format)
    if not adopt(git, Path(repository.common_dir), commit):
        raise NoSuchCommitError(f"{repository.root} does not have all of the commit {commit}")
    git.run("update-ref", "--no-deref", "HEAD", commit)
    git.run("read-tree", "-m", "-u", commit)
    return RecordedCommit(git, Path(git.env["GIT_WORK_TREE"]), commit)
