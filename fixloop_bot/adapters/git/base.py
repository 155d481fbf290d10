"""What a branch changes against its base, as far as the local objects tell."""

from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.repository import Repository

DEFAULT_BRANCH = "refs/remotes/origin/HEAD"
"""The upstream default branch, where a clone noted it (git-clone(1), git-remote(1) `set-head`)."""
MAX_SUBJECTS = 10
MAX_INTENT = 2_000
"""Characters; more is no statement of intent."""
MAX_PATHS = 20_000
"""A branch that changes more is looked at as a whole."""


def fork_of(repository: Repository, base: str = "") -> str:
    """Return the merge base of HEAD and `base`, or the upstream default branch; empty where it cannot be told."""
    git = repository.git
    try:
        return git.run("merge-base", "--end-of-options", "HEAD", base or DEFAULT_BRANCH, ok=(0, 1, 128)).text
    except GitError:
        return ""


def changed_since(repository: Repository, fork: str) -> tuple[str, ...]:
    """Return the paths that differ between `fork_of` and HEAD, both ends of a rename.

    Empty where nothing differs or where it cannot be told: no base, unrelated or cut-off history, too many paths.
    Only trees are read; nothing of the repository's runs.
    """
    if not fork:
        return ()
    try:
        paths = repository.git.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", fork, "HEAD").paths
    except GitError:
        return ()
    return paths if len(paths) <= MAX_PATHS else ()


def intent_of(repository: Repository, fork: str) -> str:
    """Return what the branch says that it is for: its commits' subjects, or the head's whole message without a fork.

    Written by whoever made the branch, so it is data and never more.
    """
    git = repository.git
    try:
        if fork and fork != git.text("rev-parse", "--verify", "HEAD^{commit}"):
            form = (f"--max-count={MAX_SUBJECTS}", "--no-merges", "--reverse", "--format=%s")
            return git.text("log", *form, "--end-of-options", f"{fork}..HEAD", "--")[:MAX_INTENT]
        return git.text("log", "-1", "--format=%B", "HEAD", "--").strip()[:MAX_INTENT]
    except GitError:
        return ""
