"""A pull request's code, fetched from the forge and put on disk."""

from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.git.adopt import adopt
from fixloop_bot.adapters.git.clone import BASE_REFS, HEAD_REF, clone_git, drop_stale_locks, link_worktree, make_clone
from fixloop_bot.adapters.git.command import Git, GitError
from fixloop_bot.adapters.git.measure import MAX_DEPTH, measure
from fixloop_bot.adapters.git.paths import delete
from fixloop_bot.adapters.git.remote import Remote, RemoteError, check_ref, fetch
from fixloop_bot.core.delivery import classify_trouble
from fixloop_bot.model.delivery import Checkout, CheckoutProblem, Head, HeadMoved, RemoteTrouble

_FIRST_DEPTH = 50
"""Commits of history that are fetched at first."""
_DEEPER = ("--deepen=200", "--deepen=1000", "--deepen=5000", "--unshallow")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutLimits:
    """What is too large to be repaired here."""

    files: int = 500_000
    size: int = 10_000_000_000
    """Bytes of all files written out."""
    fetched: int = 5_000_000_000
    """Bytes of objects; looked at after each fetch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutRequest:
    """Which code, and where to put it."""

    head: Head
    head_sha: str
    """The commit that the run is about; no other is checked out."""
    base_branch: str | None
    """In the same repository; None: no base is needed."""
    folder: Path
    """New or empty; gets `worktree` and `repository.git`."""
    reuse: Path | None = None
    """Git directory of a clone that may have some of the objects already; nothing else of it is used."""
    limits: CheckoutLimits = field(default_factory=CheckoutLimits)


def checkout(remote: Remote, request: CheckoutRequest) -> Checkout | HeadMoved | CheckoutProblem:
    """Fetch the head and as much history as the merge base needs, and write the files.

    Without a `Checkout` the folder is gone again. No program that the repository names runs: no hook, filter or
    helper; submodules stay empty and large files of LFS stay pointers.
    """
    if request.folder.exists() and (not request.folder.is_dir() or any(request.folder.iterdir())):
        return CheckoutProblem(RemoteTrouble.OCCUPIED, f"not an empty folder: {request.folder}")
    result: Checkout | HeadMoved | CheckoutProblem | None = None
    try:
        result = _checkout(remote, request)
    except RemoteError as error:
        result = error.problem
    except GitError as error:
        said = error.stderr.decode("utf-8", "replace")
        result = CheckoutProblem(classify_trouble(said), remote.clean(said))
    except OSError as error:
        result = CheckoutProblem(RemoteTrouble.DISK, str(error))
    finally:
        if not isinstance(result, Checkout):
            delete(request.folder)
    return result


def fetch_head(clone: Checkout, remote: Remote, head: Head) -> str | CheckoutProblem:
    """Fetch where the head stands now, so that commits can be put onto it; return its id. The files stay."""
    git = clone_git(clone)
    try:
        check_ref(git, head.ref)
        fetch(git, remote, [f"+{head.ref}:{HEAD_REF}"])
    except RemoteError as error:
        return error.problem
    return git.text("rev-parse", "--verify", HEAD_REF)


def stand_on(clone: Checkout, commit: str) -> None:
    """Let branch, index and tracked files be as in the commit; whatever was in the way is overwritten."""
    git = clone_git(clone)
    drop_stale_locks(clone.git_dir)
    link_worktree(clone.root, clone.git_dir)
    git.run("update-ref", "-m", "fixloop", "--end-of-options", "HEAD", commit)
    git.run("read-tree", "--reset", "-u", "--end-of-options", commit)


def _checkout(remote: Remote, request: CheckoutRequest) -> Checkout | HeadMoved:
    git = make_clone(request.folder)
    check_ref(git, request.head.ref)
    base = _fetch_tips(git, remote, request, depth=_first_depth(git, request))
    fetched = _tip(git, HEAD_REF)
    if fetched != request.head_sha:
        return HeadMoved(fetched)
    _check_sizes(git, request)
    branch = _write_files(git, request)
    base_sha = _tip(git, BASE_REFS + base) if base else None
    return Checkout(
        root=git.env["GIT_WORK_TREE"],
        git_dir=git.env["GIT_DIR"],
        branch=branch,
        head_sha=request.head_sha,
        base_sha=base_sha,
        merge_base=_merge_base(git, remote, request, base_sha) if base_sha else None,
    )


def _first_depth(git: Git, request: CheckoutRequest) -> tuple[str, ...]:
    """Return how much to fetch at first; history that is already whole is not cut short again."""
    whole = (
        request.reuse is not None
        and adopt(git, request.reuse, request.head_sha)
        and git.text("rev-parse", "--is-shallow-repository") == "false"
    )
    return () if whole else (f"--depth={_FIRST_DEPTH}",)


def _fetch_tips(git: Git, remote: Remote, request: CheckoutRequest, *, depth: tuple[str, ...]) -> str | None:
    """Fetch head and base; return the base branch, None where it is not wanted or not there."""
    head = f"+{request.head.ref}:{HEAD_REF}"
    base = request.base_branch
    if base is None:
        fetch(git, remote, [head], *depth)
        return None
    check_ref(git, f"refs/heads/{base}")
    try:
        fetch(git, remote, [head, f"+refs/heads/{base}:{BASE_REFS}{base}"], *depth)
    except RemoteError as error:
        lacks_base = error.problem.detail.endswith(f"remote ref refs/heads/{base}")
        if error.problem.kind is not RemoteTrouble.GONE or not lacks_base:
            raise
        fetch(git, remote, [head], *depth)
        return None
    return base


def _check_sizes(git: Git, request: CheckoutRequest) -> None:
    limits = request.limits
    _check_fetched(git, limits)
    found = measure(git, request.head_sha)
    if found.files > limits.files or found.size > limits.size or found.depth > MAX_DEPTH:
        told = f"{found.files:,} files, {found.size:,} bytes, folders {found.depth} deep"
        raise RemoteError(CheckoutProblem(RemoteTrouble.TOO_LARGE, f"written out it would be {told}"))


def _check_fetched(git: Git, limits: CheckoutLimits) -> None:
    size = sum(file.lstat().st_size for file in Path(git.env["GIT_DIR"], "objects").rglob("*"))
    if size > limits.fetched:
        raise RemoteError(CheckoutProblem(RemoteTrouble.TOO_LARGE, f"{size:,} bytes were fetched"))


def _write_files(git: Git, request: CheckoutRequest) -> str | None:
    """Write the files and let HEAD name the branch; return it, None where the file system cannot hold such a name."""
    branch: str | None = request.head.branch
    try:
        check_ref(git, f"refs/heads/{branch}")
        git.run("update-ref", "--end-of-options", f"refs/heads/{branch}", request.head_sha)
        git.run("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    except (GitError, RemoteError):
        branch = None
        git.run("update-ref", "--no-deref", "HEAD", request.head_sha)
    git.run("read-tree", "-m", "-u", request.head_sha)
    return branch


def _merge_base(git: Git, remote: Remote, request: CheckoutRequest, base_sha: str) -> str | None:
    """Return the best common ancestor, with history fetched step by step until there is one; None: unrelated."""
    refs = [request.head.ref, f"refs/heads/{request.base_branch}"]
    for step in _DEEPER:
        found = git.run("merge-base", request.head_sha, base_sha, ok=(0, 1)).text
        if found or git.text("rev-parse", "--is-shallow-repository") != "true":
            return found or None
        fetch(git, remote, refs, step)
        _check_fetched(git, request.limits)
    return git.run("merge-base", request.head_sha, base_sha, ok=(0, 1)).text or None


def _tip(git: Git, ref: str) -> str:
    return git.text("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
