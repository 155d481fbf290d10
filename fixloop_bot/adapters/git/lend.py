"""History and refs of a repository, lent to a checkout of one of its commits, for what asks git about them."""

from pathlib import Path

from fixloop_bot.adapters.git.adopt import quoted, shallow_list
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.repository import Repository

_REFS = ("refs/heads", "refs/tags", "refs/remotes")


def lend_history(repository: Repository, git: Git, commit: str, *, branch: str | None) -> None:
    """Let git see the repository's other objects and its refs, `branch` (None: no branch) on the commit.

    Raises OSError, `GitError`.
    """
    common, own = Path(repository.common_dir), Path(git.env["GIT_DIR"])
    alternates_of(own).write_text(quoted(common / "objects") + "\n", encoding="utf-8", errors="surrogateescape")
    listed = shallow_list(common / "shallow")
    (own / "shallow").write_bytes(listed) if listed else (own / "shallow").unlink(missing_ok=True)
    refs = repository.git.run("for-each-ref", "--format=%(objectname) %(refname)", *_REFS)
    (own / "packed-refs").write_bytes(refs.stdout)
    if branch:
        git.run("update-ref", "--end-of-options", f"refs/heads/{branch}", commit)
        git.run("symbolic-ref", "HEAD", f"refs/heads/{branch}")


def alternates_of(git_dir: Path) -> Path:
    """Return the file that names further places of objects (gitrepository-layout(5)); its folder is made."""
    path = git_dir / "objects" / "info" / "alternates"
    path.parent.mkdir(exist_ok=True)
    return path
