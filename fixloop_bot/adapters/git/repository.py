"""The person's repository: found, and judged fit to work in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from fixloop_bot.adapters.git.command import Git, GitError

_REAL = tuple(
    part
    for setting in ("safe.directory=*", "core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.allow=never")
    for part in ("-c", setting)
)
"""For the few calls that see the person's configuration; none of them touches content."""

_IN_PROGRESS: Mapping[str, str] = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
"""Files of the git directory that tell of an unfinished operation (gitrepository-layout(5), git's wt-status.c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAWorktree:
    """Why fixloop cannot work there; `reason` is one line for a person, path included."""

    kind: Literal["missing", "not-git", "bare", "subdirectory", "no-commits", "in-progress", "unmerged", "locked"]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A worktree and the git directories behind it; all paths absolute."""

    root: str
    git_dir: str
    """The worktree's own: index and HEAD are here."""
    common_dir: str
    """What all worktrees of the repository share: refs and objects are here."""
    object_format: str
    """`sha1` or `sha256`."""
    branch: str | None
    """Checked-out branch without `refs/heads/`; None when detached."""
    person_env: Mapping[str, str] = field(default_factory=dict)

    @property
    def git(self) -> Git:
        """Return git as the person's repository sees it, hooks and fsmonitor off: for refs and settings alone."""
        return _plain_git(self.root, {"GIT_DIR": self.git_dir, "GIT_WORK_TREE": self.root})

    def settings(self) -> dict[str, str]:
        """Return the effective settings, keys in lower case, last value winning; include directives unread."""
        listed = self._person_git.run("config", "--list", "--no-includes", "-z").paths
        pairs = (entry.partition("\n") for entry in listed)
        return {key.lower(): value if newline else "true" for key, newline, value in pairs}

    def excludes_file(self, settings: Mapping[str, str]) -> Path | None:
        """Return the person's own ignore file, if there is one (gitignore(5)); `settings` are those of `settings()`."""
        if settings.get("core.excludesfile"):
            done = self._person_git.run("config", "--no-includes", "--type=path", "core.excludesFile", ok=(0, 1))
            if done.code == 0 and done.text:
                return Path(done.text)
        home = self.person_env.get("XDG_CONFIG_HOME") or (
            f"{self.person_env['HOME']}/.config" if self.person_env.get("HOME") else ""
        )
        return Path(home, "git", "ignore") if home else None

    @property
    def _person_git(self) -> Git:
        """Return git with the person's own configuration, when their HOME is known: reads settings, runs nothing."""
        env = {key: value for key in ("HOME", "XDG_CONFIG_HOME") if (value := self.person_env.get(key))}
        own = {"GIT_CONFIG_GLOBAL": f"{env['HOME']}/.gitconfig"} if "HOME" in env else {}
        return _plain_git(self.root, {"GIT_DIR": self.git_dir, "GIT_WORK_TREE": self.root, **env, **own})


def find_repository(
    path: str, *, person_env: Mapping[str, str] | None = None, for_reading: bool = False
) -> Repository | NotAWorktree:
    """Find the repository whose worktree `path` is; `for_reading` also one in which somebody is busy.

    `person_env` may give HOME and XDG_CONFIG_HOME, so that the person's line-ending settings and ignore file count.
    A folder inside a worktree is refused rather than widened to the whole: who names a folder means that folder.
    """
    if not Path(path).is_dir():
        return _not_git("missing", path)
    root = str(Path(path).resolve())
    git = _plain_git(root, {"GIT_OPTIONAL_LOCKS": "0"})
    try:
        facts = _facts(git, "--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-object-format")
    except GitError:
        return _no_worktree(git, path)
    return _judge(git, root, facts, dict(person_env or {}), for_reading=for_reading)


def _no_worktree(git: Git, path: str) -> NotAWorktree:
    try:
        bare = git.text("rev-parse", "--is-bare-repository") == "true"
    except GitError:
        bare = False
    if not bare:
        return _not_git("not-git", path)
    return NotAWorktree(kind="bare", reason=f"Worktree does not exist or is not a git repository: {path} (it is bare)")


def _judge(
    git: Git, root: str, facts: Sequence[str], person_env: Mapping[str, str], *, for_reading: bool
) -> Repository | NotAWorktree:
    top, git_dir, common_dir, object_format = facts
    if not Path(top).samefile(root):
        return NotAWorktree(
            kind="subdirectory", reason=f"{root} is a folder inside the worktree {top}: name that instead"
        )
    # One process for both; it fails where HEAD is on no commit yet.
    ref = git.run("rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD", ok=(0, 128)).text.partition("\n")[2]
    if not for_reading and (why := _unfit(root, git_dir, has_commit=bool(ref))):
        return why
    return Repository(
        root=root,
        git_dir=git_dir,
        common_dir=common_dir,
        object_format=object_format,
        branch=_branch(ref) if ref else current_branch(git),
        person_env=person_env,
    )


def _facts(git: Git, *options: str) -> list[str]:
    """Return what `git rev-parse` answers to each of the options, in one process; paths are absolute."""
    form = ("rev-parse", "--path-format=absolute")
    told = git.text(*form, *options).split("\n")
    if len(told) == len(options):
        return told
    return [git.text(*form, option) for option in options]  # a path has a line feed in it


def _unfit(root: str, git_dir: str, *, has_commit: bool) -> NotAWorktree | None:
    """Return why nobody but its person may work in the repository now."""
    if not has_commit:
        return NotAWorktree(kind="no-commits", reason=f"The repository has no commit yet: {root}")
    for name, operation in _IN_PROGRESS.items():
        if Path(git_dir, name).exists():
            return NotAWorktree(kind="in-progress", reason=f"{operation} is in progress, finish it first: {root}")
    if Path(git_dir, "index.lock").exists():
        reason = f"Another git process works there, or one crashed and left {git_dir}/index.lock"
        return NotAWorktree(kind="locked", reason=reason)
    return None


def current_branch(git: Git) -> str | None:
    """Return the checked-out branch of the repository that `git` sees, None when detached."""
    return _branch(git.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).text)


def _branch(ref: str) -> str | None:
    return None if ref == "HEAD" else ref.removeprefix("refs/heads/") or None


def _plain_git(root: str, env: Mapping[str, str]) -> Git:
    return Git(cwd=root, options=_REAL, env=env)


def _not_git(kind: Literal["missing", "not-git"], path: str) -> NotAWorktree:
    return NotAWorktree(kind=kind, reason=f"Worktree does not exist or is not a git repository: {path}")
