"""What differs: between commits, and between a commit and the tracked files on disk. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.core.hunks import changed_after
from fixloop_bot.model.context import ChangedLines

PLAIN = ("-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
LARGE = "1m"
"""A file of more counts as no text where only its changed lines are asked for."""
TOLD_WITHIN_S = 20.0


def patch(git: Git, base: str, commit: str, *, uncommitted: bool) -> bytes:
    """Return a patch that `git apply` takes, binary files included, from `base` to a commit or to the files on disk."""
    form = ("-p", "--binary", "--full-index", *PLAIN)
    if uncommitted:  # `git diff` looks at what has another time stamp only, as if the index were refreshed
        return git.run("diff", *form, "--ignore-submodules=all", "--end-of-options", base, "--").stdout
    return git.run("diff-tree", *form, "--ignore-submodules=none", "--end-of-options", base, commit, "--").stdout


def changed_between(git: Git, base: str, commit: str) -> Mapping[str, str]:
    """Return path → status letter (A, M, D, T); a rename is a D and an A."""
    argv = ("diff-tree", *PLAIN, "--ignore-submodules=none", "--name-status", "-z", "--end-of-options", base, commit)
    fields = git.run(*argv, "--").paths
    return dict(zip(fields[1::2], fields[0::2], strict=True))


def changed_lines(git: Git, base: str, commit: str, paths: Sequence[str]) -> ChangedLines:
    """Return the lines of these files, as `commit` has them, that differ from `base`; none where git cannot tell."""
    if not paths or base == commit:
        return {}
    form = ("-p", "-U0", *PLAIN, "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/")
    try:
        found = replace(git, timeout_s=TOLD_WITHIN_S).run(
            *("-c", f"core.bigFileThreshold={LARGE}", "-c", "core.quotePath=false"),
            *("diff-tree", *form, "--end-of-options", base, commit, "--", *paths),
        )
    except GitError:  # a shallow clone may lack the base
        return {}
    return changed_after(found.text)


def diff_stat(git: Git, base: str, commit: str) -> str:
    """Return git's `--shortstat` line, empty for no change."""
    argv = ("diff-tree", *PLAIN, "--ignore-submodules=none", "--shortstat", "--end-of-options", base, commit, "--")
    return git.text(*argv).strip()


def dirty(git: Git) -> tuple[str, ...]:
    """Return the tracked paths that differ from HEAD in the index or on disk, sorted."""
    argv = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
    return tuple(sorted(entry[3:] for entry in git.run(*argv).paths))


def untracked(git: Git) -> tuple[str, ...]:
    """Return the untracked paths that git does not ignore, sorted; a repository inside ends in `/`."""
    return tuple(sorted(git.run("ls-files", "--others", "--exclude-standard", "-z").paths))


def ignored(git: Git) -> tuple[str, ...]:
    """Return the ignored paths; a folder with nothing else in it is one path, with `/` at its end."""
    return git.run("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z").paths


def untracked_folders(git: Git) -> tuple[str, ...]:
    """Return the folders of which git tracks nothing, ignored or not, the outermost of each; a `/` ends each."""
    form = ("ls-files", "--others", "--directory", "--no-empty-directory", "-z")
    found = (*git.run(*form, "--exclude-standard").paths, *git.run(*form, "--ignored", "--exclude-standard").paths)
    return tuple(sorted({path for path in found if path.endswith("/")}))


def differing(git: Git, commit: str) -> tuple[str, ...]:
    """Return the paths of index or commit that may be on disk not as in the commit (too many, never too few)."""
    argv = ("diff-index", "-z", "--name-only", "--no-renames", "--ignore-submodules=all", "--end-of-options", commit)
    return git.run(*argv, "--").paths


def staged(git: Git, commit: str) -> tuple[str, ...]:
    """Return the paths whose entry in the index is not as in the commit."""
    argv = ("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
    return git.run(*argv, "--end-of-options", commit, "--").paths
