"""Taking commits back by a new commit, without touching files, index or branches."""

from collections.abc import Sequence

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.model.delivery import Checkout, RebaseConflict


def revert_onto(clone: Checkout, commits: Sequence[str], message: str) -> str | RebaseConflict:
    """Return one new commit on HEAD that takes these commits (newest first) back, empty where nothing of them is left.

    Each has one parent.

    git-merge-tree(1) takes the common ancestor from history. So the state before the commit is shown as a child of the
    commit itself, and HEAD's too: then the commit is the ancestor, as in a revert.
    """
    git = clone_git(clone)
    head = git.text("rev-parse", "--verify", "HEAD^{commit}")
    tree = there = git.text("rev-parse", "--verify", f"{head}^{{tree}}")
    for commit in commits:
        before = git.run("commit-tree", f"{commit}^^{{tree}}", "-p", commit, "-F", "-").text
        present = git.run("commit-tree", tree, "-p", commit, "-F", "-").text
        argv = ("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", present, before)
        done = git.run(*argv, ok=(0, 1))
        tree, *paths = done.paths
        if done.code:
            return RebaseConflict(commit, tuple(sorted(set(paths))))
    if tree == there:
        return ""
    return git.run("commit-tree", tree, "-p", head, "-F", "-", stdin=message.encode()).text
