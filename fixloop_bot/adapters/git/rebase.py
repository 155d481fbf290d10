"""fixloop's commits, put onto another commit without touching files, index or branches."""

from collections.abc import Mapping, Sequence

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.model.delivery import Checkout, RebaseConflict, Rebased

_AUTHOR = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE")


def rebase_onto(clone: Checkout, commits: Sequence[str], new_head: str) -> Rebased | RebaseConflict:
    """Return the commits (oldest first, each with one parent) as they are on `new_head`, messages and trailers kept.

    They are new objects and nothing more: the caller stands on them, gates them, and pushes.
    """
    git = clone_git(clone)
    tip, made = new_head, []
    for commit in commits:
        merged = _merge(git, commit, tip)
        if isinstance(merged, RebaseConflict):
            return merged
        if merged != _tree(git, tip):
            tip = _commit(git, commit, merged, tip)
            made.append(tip)
    return Rebased(tuple(made))


def _merge(git: Git, commit: str, tip: str) -> str | RebaseConflict:
    """Return the tree of `tip` with the commit's change.

    git-merge-tree(1) takes the common ancestor from history. So it is shown the tip's tree as if it stood on the
    commit's own parent: then that parent is the ancestor, as in a cherry-pick.
    """
    parent = git.text("rev-parse", "--verify", "--end-of-options", f"{commit}^")
    beside = git.run("commit-tree", _tree(git, tip), "-p", parent, "-F", "-").text
    done = git.run("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", beside, commit, ok=(0, 1))
    tree, *paths = done.paths
    return tree if done.code == 0 else RebaseConflict(commit, tuple(sorted(set(paths))))


def _commit(git: Git, model: str, tree: str, parent: str) -> str:
    message = git.run("log", "-1", "--format=%B", "--end-of-options", model).stdout
    return git.run(
        "commit-tree", tree, "-p", parent, "-F", "-", stdin=message.strip() + b"\n", env=_author(git, model)
    ).text


def _author(git: Git, commit: str) -> Mapping[str, str]:
    fields = git.text("log", "-1", "--date=raw", "--format=%an%x1f%ae%x1f@%ad", "--end-of-options", commit).split(
        "\x1f"
    )
    return dict(zip(_AUTHOR, fields, strict=True))


def _tree(git: Git, commit: str) -> str:
    return git.text("rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}")
