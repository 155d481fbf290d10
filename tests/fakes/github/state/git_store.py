"""A bare git repository, driven through git itself."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ZERO = "0" * 40
_FORMAT = "%H%x1f%T%x1f%P%x1f%an%x1f%ae%x1f%aI%x1f%cn%x1f%ce%x1f%cI%x1f%B"

_CONFIG = """
[http]
    receivepack = true
[uploadpack]
    allowAnySHA1InWant = true
[transfer]
    hideRefs = refs/fixture
[gc]
    auto = 0
"""


class GitError(Exception):
    """git ended with an error; the text is what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Name and address in a commit; `date` is ISO 8601."""

    name: str
    email: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit as git has it."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


def git_environment() -> dict[str, str]:
    """Return an environment in which no configuration of the machine's plays a part."""
    return {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_AUTHOR_NAME": "GitHub",
        "GIT_AUTHOR_EMAIL": "noreply@github.com",
        "GIT_COMMITTER_NAME": "GitHub",
        "GIT_COMMITTER_EMAIL": "noreply@github.com",
        "LC_ALL": "C.UTF-8",
    }


class GitStore:
    """The bare repository at `path`. Errors of git's are `GitError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._commits: dict[str, Commit] = {}

    def create(self, default_branch: str) -> None:
        """Make the repository, empty, in the way in which GitHub sets one up."""
        self.path.mkdir(parents=True)
        self.run("init", "--quiet", "--bare", "--template=", f"--initial-branch={default_branch}", ".")
        with (self.path / "config").open("a", encoding="utf-8") as config:
            config.write(_CONFIG)

    def run(self, *argv: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> str:
        """Run git and return its output as text."""
        return self.run_bytes(*argv, stdin=stdin, extra=extra).decode("utf-8", "replace")

    def run_bytes(self, *argv: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> bytes:
        """Run git and return its output as it came."""
        environment = {**git_environment(), **(extra or {})}
        done = subprocess.run(
            ["git", *argv], cwd=self.path, env=environment, input=stdin, capture_output=True, check=False
        )
        if done.returncode:
            raise GitError(done.stderr.decode("utf-8", "replace").strip() or f"git {argv[0]} failed")
        return done.stdout

    def resolve(self, name: str) -> str | None:
        """Return the commit that a sha, a full ref or a branch stands for, or None."""
        candidates = (name,) if name.startswith("refs/") else (f"refs/heads/{name}", f"refs/{name}", name)
        for candidate in candidates:
            try:
                return self.run(
                    "rev-parse", "--verify", "--quiet", "--end-of-options", f"{candidate}^{{commit}}"
                ).strip()
            except GitError:
                continue
        return None

    def refs(self, prefix: str = "refs/heads/") -> dict[str, str]:
        """Return the refs under `prefix` (a folder or a whole name) and what they point at."""
        lines = self.run("for-each-ref", "--format=%(objectname) %(refname)", prefix).splitlines()
        return {name: sha for sha, _, name in (line.partition(" ") for line in lines)}

    def tip(self, ref: str) -> str | None:
        """Return what a ref points at, or None; read as git stores it, since this is asked all the time."""
        if ".." in ref:
            return None
        path = self.path / ref
        text = path.read_text(encoding="ascii").strip() if path.is_file() else ""
        if len(text) == len(ZERO):
            return text
        return self.refs(ref).get(ref) if (self.path / "packed-refs").exists() else None

    def update_ref(self, ref: str, new: str, old: str | None = None) -> None:
        """Move `ref` to `new`, only from `old` if given (all zeros: only if it is not there yet)."""
        self.run("update-ref", ref, new, *([old] if old is not None else []))

    def delete_ref(self, ref: str, old: str) -> None:
        """Delete `ref`, only from `old`."""
        self.run("update-ref", "-d", ref, old)

    def commit(self, sha: str) -> Commit:
        """Return one commit; a commit never changes, so it is read once."""
        if sha not in self._commits:
            self._commits[sha] = self.log(sha, limit=1)[0]
        return self._commits[sha]

    def log(self, revisions: str, *, limit: int = 250) -> list[Commit]:
        """Return the commits of a range, oldest first."""
        text = self.run(
            "log", "-z", "--reverse", f"--max-count={limit}", f"--format={_FORMAT}", "--end-of-options", revisions
        )
        return [_commit(record) for record in text.split("\0") if record]

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor, or None."""
        try:
            return self.run("merge-base", one, other).split()[0]
        except GitError:
            return None

    def count(self, revisions: str) -> int:
        """Return how many commits a range holds."""
        return int(self.run("rev-list", "--count", "--end-of-options", revisions))

    def merge(self, base: str, head: str) -> str | None:
        """Return the commit that merging `head` into `base` makes, or None on a conflict."""
        try:
            tree = self.run("merge-tree", "--write-tree", base, head).split()[0]
        except GitError:
            return None
        dates = {"GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z", "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z"}
        return self.run(
            "commit-tree", tree, "-p", base, "-p", head, "-m", f"Merge {head} into {base}", extra=dates
        ).strip()

    def fetch(self, other: "GitStore", sha: str, ref: str) -> None:
        """Bring a commit of another repository here, as `ref`."""
        self.run("fetch", "--quiet", "--no-tags", str(other.path), f"+{sha}:{ref}")

    def import_commit(self, stream: bytes) -> None:
        """Feed a fast-import stream."""
        self.run_bytes("fast-import", "--quiet", "--date-format=raw", stdin=stream)

    def paths(self, sha: str) -> Sequence[str]:
        """Return every path in a commit."""
        return [path for path in self.run("ls-tree", "-r", "-z", "--name-only", sha).split("\0") if path]

    def read(self, sha: str, path: str) -> bytes | None:
        """Return a file's bytes in a commit, or None where there is none."""
        try:
            return self.run_bytes("cat-file", "blob", f"{sha}:{path}")
        except GitError:
            return None


def _commit(record: str) -> Commit:
    sha, tree, parents, *people, message = record.strip("\n").split("\x1f", 9)
    return Commit(
        sha=sha,
        tree=tree,
        parents=tuple(parents.split()),
        author=Person(name=people[0], email=people[1], date=people[2]),
        committer=Person(name=people[3], email=people[4], date=people[5]),
        message=message.rstrip("\n"),
    )
