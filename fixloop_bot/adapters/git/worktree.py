"""The worktree that fixloop works in: the `Worktree` port over a shadow git directory."""

import posixpath
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from fixloop_bot.adapters.git import aside, blobs, changes, proposed, stash
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.git.index import filtered_list
from fixloop_bot.adapters.git.paths import delete, give_to_owner, inside, obstacles, stands
from fixloop_bot.adapters.git.repository import NotAWorktree, Repository
from fixloop_bot.adapters.git.shadow import Shadow, open_shadow, shadow_key
from fixloop_bot.adapters.git.staging import (
    committable,
    entries_of,
    filtered_paths,
    put_entries,
    refuse_filtered,
    stage,
    tree_with,
    tree_without,
)
from fixloop_bot.adapters.lock import RunLock
from fixloop_bot.model.context import ChangedLines
from fixloop_bot.model.guard import FileChange


class GitWorktree:
    """A git worktree; whoever has one holds its lock, and may write."""

    def __init__(self, shadow: Shadow, lock: RunLock, salvage: Path) -> None:
        """Work through `shadow`; what stands in git's way is moved under `salvage`."""
        if lock.git_dir != shadow.repository.git_dir:
            raise ValueError("the lock is another worktree's")
        self.root = shadow.repository.root
        self._shadow = shadow
        self._salvage = salvage
        self._trees: dict[str, str] = {}
        """Commit → its tree."""
        self._published = True
        """The person's index is as fixloop's."""

    @property
    def git(self) -> Git:
        """Return git through the shadow, for calls beyond the port; nothing of the person's configuration runs."""
        return self._shadow.git

    def head(self) -> str:
        """Return the commit id of HEAD."""
        return self._shadow.head()

    def tree(self) -> str:
        """Return the tree id of HEAD."""
        head = self.head()
        if head not in self._trees:
            self._trees[head] = self.git.text("rev-parse", "--verify", f"{head}^{{tree}}")
        return self._trees[head]

    def branch(self) -> str | None:
        """Return the branch that was checked out when the worktree was opened, None when detached."""
        return self._shadow.repository.branch

    def message(self, commit: str) -> str:
        """Return the commit's whole message."""
        return self.git.text("log", "-1", "--format=%B", "--end-of-options", commit)

    def files(self) -> tuple[str, ...]:
        """Return the tracked and the untracked, unignored paths."""
        return tuple(dict.fromkeys(self.git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").paths))

    def tracked(self) -> tuple[str, ...]:
        """Return the tracked paths."""
        return self.git.run("ls-files", "-z", "--cached").paths

    def editable(self) -> tuple[str, ...]:
        """Return the tracked paths without those that only a filter program may write."""
        filtered = filtered_list(self._shadow.folder)
        return tuple(path for path in self.tracked() if path not in filtered)

    def dirty(self) -> tuple[str, ...]:
        """Return tracked paths that differ from HEAD (staged or not)."""
        return changes.dirty(self.git)

    def untracked(self) -> tuple[str, ...]:
        """Return untracked paths that git does not ignore; a repository inside ends in `/`."""
        return changes.untracked(self.git)

    def ignored(self) -> tuple[str, ...]:
        """Return what git ignores; a folder with nothing else in it is one path, with `/` at its end."""
        return changes.ignored(self.git)

    def filtered(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return those that only a filter program (git LFS, git-crypt) may store; `commit` refuses them."""
        return filtered_paths(self.git, paths)

    def commit(self, paths: Sequence[str], message: str) -> str | None:
        """Commit exactly these paths as they are on disk; return the id, None when that is no change.

        Paths in submodules are left out. Raises `FilteredPathError`, `OutsideWorktreeError`, `HeadMovedError`.
        """
        own = committable(self.git, paths)
        head = self.head()
        tree = tree_with(self.git, head, own, self._shadow.folder / "scratch-index")
        if tree == self.tree():
            return None
        commit = self._commit_tree(tree, head, message)
        self._trees[commit] = tree
        self._shadow.move_head(commit)
        stage(self.git, own)
        self._publish()
        return commit

    def squash(self, onto: str, message: str) -> str:
        """Make all above `onto` one commit with HEAD's tree; return its id."""
        tree = self.tree()
        commit = self._commit_tree(tree, onto, message)
        self._trees[commit] = tree
        self._shadow.move_head(commit)
        return commit

    def reset(self, commit: str) -> None:
        """Stand on `commit`, tracked files as there. Untracked files stay; one in the way is moved to salvage.

        Files that only a filter program can write stay as they are on disk. Raises `HeadMovedError`, and
        `FilteredPathError` if such a file differs in the commit; either with nothing touched.
        """
        self.check_unmoved()
        if commit == "HEAD":
            target = self.head()
        else:
            target = self.git.text("rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")
        filtered = filtered_list(self._shadow.folder)
        staged = changes.staged(self.git, target)
        refuse_filtered(self.git, staged)
        differing = changes.differing(self.git, target)
        if target == self.head() and not staged and not differing and self._published:
            return
        self._clear_way(differing)
        if target != self.head():
            self._shadow.move_head(target)
        options = ("--no-sparse-checkout",) if filtered else ()
        self.git.run("read-tree", "-u", "--reset", *options, "--end-of-options", target)
        give_to_owner(self.root, differing)
        self._publish()

    def restore(self, paths: Sequence[str] | None = None) -> None:
        """Make tracked files (or just these) as in HEAD."""
        if paths is None:
            self.reset("HEAD")
            return
        self.check_unmoved()
        filtered = filtered_list(self._shadow.folder)
        paths = [path for path in paths if path not in filtered]
        in_head = entries_of(self.git, "HEAD", paths)
        self._clear_way(tuple(in_head))
        for path in set(paths).intersection(self._tracked()).difference(in_head):
            if stands(self.root, path):
                delete(inside(self.root, path))
        put_entries(self.git, in_head, absent=set(paths).difference(in_head))
        give_to_owner(self.root, in_head)
        self._publish()

    def patch(self, base: str, *, uncommitted: bool = False) -> bytes:
        """Return a binary-safe patch from `base` to HEAD, or to the tracked files on disk."""
        return changes.patch(self.git, base, "HEAD", uncommitted=uncommitted)

    def changed_between(self, base: str, commit: str) -> Mapping[str, str]:
        """Return path → git's status letter (A, M, D, T); a rename is a D and an A."""
        return changes.changed_between(self.git, base, commit)

    def changed_lines(self, base: str, commit: str, paths: Sequence[str]) -> ChangedLines:
        """Return the lines of these files, as `commit` has them, that differ from `base`; none where none is known."""
        return changes.changed_lines(self.git, base, commit, paths)

    def file_changes(self, base: str, commit: str) -> tuple[tuple[FileChange, ...], int]:
        """Return the changed files with both texts and modes, and how many more there are beyond the bound."""
        return blobs.file_changes(self.git, base, commit)

    def without(self, paths: Sequence[str], message: str) -> str:
        """Return a commit on top of HEAD that lacks these paths; the branch and the files stay as they are."""
        tree = tree_without(self.git, self.head(), paths, self._shadow.folder / "scratch-index")
        return self._commit_tree(tree, self.head(), message)

    def with_files(self, onto: str, files: Mapping[str, str], message: str) -> str:
        """Return a commit on `onto` in which these files have these texts; the branch and the files on disk stay."""
        tree = proposed.tree_with_texts(self.git, onto, files, self._shadow.folder / "scratch-index")
        return self._commit_tree(tree, onto, message)

    def patch_between(self, base: str, commit: str) -> bytes:
        """Return a binary-safe patch from one commit to another."""
        return changes.patch(self.git, base, commit, uncommitted=False)

    def apply(self, patch: bytes, message: str) -> str | None:
        """Commit exactly this patch on HEAD, files on disk with it; return the id, None where it does not apply."""
        tree = proposed.tree_with_patch(self.git, self.head(), patch, self._shadow.folder / "scratch-index")
        if tree is None:
            return None
        commit = self._commit_tree(tree, self.head(), message)
        self.reset(commit)
        return commit

    def bundle(self, base: str, commit: str) -> bytes:
        """Return what another clone that has `base` needs to have `commit`; empty where they are the same."""
        return proposed.pack(self.git, base, commit)

    def unbundle(self, bundle: bytes) -> bool:
        """Take the commits of a bundle into the repository; return whether they are all there now."""
        return proposed.unpack(self.git, bundle)

    def has(self, commit: str) -> bool:
        """Return whether the repository has the commit."""
        return proposed.has_commit(self.git, commit)

    def diff_stat(self, base: str, commit: str) -> str:
        """Return git's one-line summary, empty for no change."""
        return changes.diff_stat(self.git, base, commit)

    def set_aside(self, paths: Sequence[str]) -> None:
        """Move untracked paths out of the worktree, remembered on disk."""
        if paths:
            self._refuse_tracked(paths)
            aside.park(self.root, aside.next_folder(self._aside), paths, why="set aside for a verification")

    def put_back(self) -> None:
        """Bring back what was set aside, by this process or an earlier one.

        What stands in the way is renamed `NAME.fixloop-kept`; if git tracks it, the returning file gets that name.
        """
        for folder in aside.parked_folders(self._aside):
            aside.unpark(self.root, folder, self._known())

    def displace(self, paths: Sequence[str], *, why: str) -> None:
        """Move untracked files, and folders named with a `/` at their end, to a new folder under salvage."""
        if paths:
            self._refuse_tracked(paths)
            aside.park(self.root, aside.next_folder(self._salvage, "displaced-"), paths, why=why)

    def forget_bytecode(self) -> None:
        """Delete the untracked `__pycache__` folders of the project's own code; Python makes them anew from the source.

        Those inside of installed packages, which git ignores as a whole, stay.
        """
        for folder in changes.untracked_folders(self.git):
            if PurePosixPath(folder).name == "__pycache__":
                shutil.rmtree(inside(self.root, folder.rstrip("/")), ignore_errors=True)

    def check_unmoved(self) -> None:
        """Raise `HeadMovedError` if the person's branch is not where this run left it; touches nothing."""
        self._shadow.check_unmoved()

    def stash(self, run_id: str) -> str | None:
        """Keep uncommitted changes of tracked files under a ref and clean the worktree; return the ref, if any."""
        self.check_unmoved()
        ref = stash.keep(self._shadow, run_id)
        if ref:
            self.restore()
        return ref

    def stash_ref(self, run_id: str) -> str:
        """Return the ref that `stash` uses for the run."""
        return stash.ref_of(self._shadow, run_id)

    def stashes(self) -> tuple[str, ...]:
        """Return the refs of all changes of this worktree that were kept and are not back yet, the oldest first."""
        return stash.kept(self._shadow)

    def last_move(self) -> tuple[str, str]:
        """Return the commits between which fixloop moved the branch last, or was about to; empty: it never did."""
        return self._shadow.last_move()

    def unstash(self, ref: str) -> bool:
        """Bring kept changes back; return whether they conflict. Then the worktree is clean and the ref stays.

        No such ref: they are back already. Raises `HeadMovedError`.
        """
        self.check_unmoved()
        if not stash.apply(self._shadow, ref):
            self.restore()
            return True
        give_to_owner(self.root, changes.dirty(self.git))
        self._publish()
        stash.drop(self._shadow, ref)
        return False

    @property
    def _aside(self) -> Path:
        return self._shadow.folder / "aside"

    def _publish(self) -> None:
        """Let the person's index be as fixloop's; where that fails, the next reset tries again."""
        self._published = False
        self._shadow.publish_index()
        self._published = True

    def _commit_tree(self, tree: str, parent: str, message: str) -> str:
        return self.git.run("commit-tree", tree, "-p", parent, "-F", "-", stdin=message.encode("utf-8", "replace")).text

    def _tracked(self) -> frozenset[str]:
        return frozenset(self.tracked())

    def _known(self) -> frozenset[str]:
        """Return the tracked files and the folders above them."""
        return frozenset(str(part) for path in self._tracked() for part in (path, *PurePosixPath(path).parents))

    def _clear_way(self, paths: Sequence[str]) -> None:
        """Move to salvage what git does not track and would overwrite."""
        if paths and (blocked := obstacles(self.root, paths, self._tracked())):
            folder = aside.next_folder(self._salvage, "displaced-")
            aside.park(self.root, folder, blocked, why="stood in the way of a tracked file")

    def _refuse_tracked(self, paths: Sequence[str]) -> None:
        if tracked := self._known().intersection(posixpath.normpath(path) for path in paths):
            raise ValueError(f"tracked by git, so not to be moved: {', '.join(sorted(tracked))}")


def open_worktree(repository: Repository, lock: RunLock, *, shadows: Path, salvage: Path) -> GitWorktree | NotAWorktree:
    """Open the worktree for writing; refused while its index has unmerged paths.

    `shadows` is the folder of shadow git directories, `salvage` that of salvaged work.
    """
    shadow = open_shadow(repository, shadows / shadow_key(repository))
    unmerged = sorted({entry.partition("\t")[2] for entry in shadow.git.run("ls-files", "--unmerged", "-z").paths})
    if unmerged:
        reason = f"The index has unmerged paths ({', '.join(unmerged[:3])}), resolve them first: {repository.root}"
        return NotAWorktree(kind="unmerged", reason=reason)
    return GitWorktree(shadow, lock, salvage)
