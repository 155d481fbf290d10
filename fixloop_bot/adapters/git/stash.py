"""The person's uncommitted work, kept under a ref of its own while fixloop works on a clean tree."""

import re
import shutil

from fixloop_bot.adapters.git.changes import dirty
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.shadow import IDENTITY, Shadow, shadow_key
from fixloop_bot.adapters.git.staging import refuse_filtered, stage, submodules

_REFS = "refs/fixloop/stash"


def ref_of(shadow: Shadow, run_id: str) -> str:
    """Return the ref under which a run keeps changes of this worktree; linked worktrees share refs, so it is named."""
    return f"{_folder(shadow)}/{_ref_part(run_id)}"


def kept(shadow: Shadow) -> tuple[str, ...]:
    """Return the refs of all changes of this worktree that are not back yet, the oldest first."""
    argv = ("for-each-ref", "--sort=committerdate", "--format=%(refname)", f"{_folder(shadow)}/")
    return tuple(shadow.repository.git.text(*argv).splitlines())


def keep(shadow: Shadow, run_id: str) -> str | None:
    """Keep staged and unstaged changes of tracked files; return the ref, None when there are none.

    The worktree stays as it is. The commit has the shape of git-stash(1), so that a person can bring it back with
    `git stash apply --index REF`. `git stash create` itself would look into submodules, with their configuration.
    What an earlier call for the same run has kept is never overwritten (it may have been killed half way through
    cleaning up): the first ref is returned, what is found now is kept under a number after it.
    Raises `FilteredPathError` where the changes cannot be taken away and put back without a filter program.
    """
    git, scratch = shadow.git, shadow.folder / "scratch-index"
    changed = [path for path in dirty(git) if path not in submodules(git)]
    refuse_filtered(git, changed)
    first = ref_of(shadow, run_id)
    if not changed:
        return first if _exists(shadow, first) else None
    title = f"fixloop {run_id}: uncommitted changes"
    index = _commit(shadow, git.text("write-tree"), "HEAD", title=f"index of {title}")
    shutil.copy2(shadow.folder / "index", scratch)
    env = {"GIT_INDEX_FILE": str(scratch)}
    stage(git, changed, env)
    commit = _commit(shadow, git.text("write-tree", env=env), "HEAD", index, title=title)
    scratch.unlink()
    shadow.repository.git.run("update-ref", "--end-of-options", _unused(shadow, first), commit, env=IDENTITY)
    return first


def apply(shadow: Shadow, ref: str) -> bool:
    """Bring the changes back, staged ones staged; return whether they fit. If not, the caller cleans up.

    No such ref: they are back already, by an earlier process that was killed before it could say so.
    """
    if not _exists(shadow, ref):
        return True
    commit = shadow.repository.git.text("rev-parse", "--verify", "--end-of-options", ref)
    for options in (("--index",), ()):
        try:
            shadow.git.run("stash", "apply", "--quiet", *options, commit)
        except GitError:
            if dirty(shadow.git):
                return False
        else:
            return True
    return False


def drop(shadow: Shadow, ref: str) -> None:
    """Forget the kept changes; none there is no error."""
    shadow.repository.git.run("update-ref", "-d", "--end-of-options", ref, env=IDENTITY)


def _folder(shadow: Shadow) -> str:
    return f"{_REFS}/{shadow_key(shadow.repository)}"


def _commit(shadow: Shadow, tree: str, *parents: str, title: str) -> str:
    commits = [shadow.git.text("rev-parse", "--verify", parent) for parent in parents]
    options = [part for commit in commits for part in ("-p", commit)]
    return shadow.git.run("commit-tree", tree, *options, "-F", "-", stdin=title.encode()).text


def _exists(shadow: Shadow, ref: str) -> bool:
    return shadow.repository.git.run("show-ref", "--verify", "--quiet", ref, ok=(0, 1)).code == 0


def _unused(shadow: Shadow, ref: str) -> str:
    name, number = ref, 1
    while _exists(shadow, name):
        number += 1
        name = f"{ref}-{number}"
    return name


def _ref_part(run_id: str) -> str:
    """Return the run id as one legal part of a ref (git-check-ref-format(1))."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", run_id) or "run"
