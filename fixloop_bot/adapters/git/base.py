"""What a branch changes against its base, as far as the local objects tell."""

from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.repository import Repository

DEFAULT_BRANCH = "refs/remotes/origin/HEAD"
"""The upstream default branch, where a clone noted it (git-clone(1), git-remote(1) `set-head`)."""
MAX_PATHS = 20_000
"""A branch that changes more is looked at as a whole."""


def changed_since_base(repository: Repository, base: str = "") -> tuple[str, ...]:
    """Return the paths that differ between HEAD and its merge base with `base`, both ends of a rename.

    Empty where nothing differs or where it cannot be told: no base, unrelated or cut-off history, too many paths.
    Without `base` it is the upstream default branch. Only trees are read; nothing of the repository's runs.
    """
    git = repository.git
    try:
        fork = git.run("merge-base", "--end-of-options", "HEAD", base or DEFAULT_BRANCH, ok=(0, 1, 128)).text
        if not fork:
            return ()
        paths = git.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", fork, "HEAD").paths
    except GitError:
        return ()
    return paths if len(paths) <= MAX_PATHS else ()
