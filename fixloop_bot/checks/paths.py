"""Maps the paths that a tool prints to paths relative to the worktree."""

import posixpath

from fixloop_bot.checks.tool import ToolOutput

MAX_PATH = 1_024
_MAX_DEPTH = 24


def locate(output: ToolOutput, printed: str) -> str | None:
    """Return the path relative to the worktree, None when it lies outside.

    A relative path is relative to the project, unless only the worktree has such a file. Nothing is looked up but
    through `output.exists`.
    """
    path = printed.strip().removeprefix("file://")
    if not path or len(path) > MAX_PATH or "\0" in path:
        return None
    if path.startswith("/"):
        return _locate_absolute(output, posixpath.normpath(path))
    return _locate_relative(output, path)


def in_repository(output: ToolOutput, printed: str) -> str | None:
    """Return the path relative to the worktree if there is such a file, else None."""
    path = locate(output, printed)
    return path if path is not None and output.exists(path) else None


def _locate_absolute(output: ToolOutput, path: str) -> str | None:
    for base, prefix in ((output.cwd, output.project), (output.root, ".")):
        if base and path.startswith(base.rstrip("/") + "/"):
            return _inside(posixpath.join(prefix, path[len(base.rstrip("/")) + 1 :]))
    if output.cwd or output.root:
        return None
    return _by_suffix(output, path)


def _by_suffix(output: ToolOutput, path: str) -> str | None:
    """Nothing is known of where the output was made: take the longest end of the path that is a file here."""
    parts = path.strip("/").split("/")[-_MAX_DEPTH:]
    ends = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((end for end in ends if output.exists(end)), None)


def _locate_relative(output: ToolOutput, path: str) -> str | None:
    in_project = _inside(posixpath.join(output.project, path))
    if in_project is not None and output.exists(in_project):
        return in_project
    in_root = _inside(path)
    if in_root is not None and output.exists(in_root):
        return in_root
    return in_project


def _inside(path: str) -> str | None:
    normal = posixpath.normpath(path)
    return None if normal in {".", ".."} or normal.startswith(("../", "/")) else normal
