"""A forge that is only git: a bare repository behind file://, the person who pushes to it, and fixloop's side."""

import subprocess
from pathlib import Path

from fixloop_bot.adapters.git.checkout import CheckoutRequest, checkout
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.model.delivery import BranchHead, Checkout, Head
from tests.adapters.git.person import ENV, Opened, Person

FIX = "fix-loop: {layer} clean (iteration 1)\n\nFixloop-Run: r1\nFixloop-Layer: {layer}\nFixloop-Iteration: 1\n"


class Forge:
    """The bare repository; `person` has a clone with `main` and works on `feature`."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "the forge"
        self.bare = self.folder / "shop.git"
        self.person = Person(self.folder / "person")
        self.person.git("init", "-q", "--bare", "-b", "main", str(self.bare))
        self.person.write("app.py", "one\ntwo\nthree\n")
        self.base = self.person.commit_all("begin")
        self.publish("main")

    def publish(self, ref: str, commit: str = "HEAD") -> str:
        """Push as the person, by force; return the commit."""
        full = ref if ref.startswith("refs/") else f"refs/heads/{ref}"
        self.person.git("push", "-q", "--force", str(self.bare), f"{commit}:{full}")
        return self.person.git("rev-parse", commit)

    def work(self, path: str, content: str, ref: str = "feature") -> str:
        """Let the person commit a file and push it."""
        self.person.write(path, content)
        self.person.commit_all(f"change {path}")
        return self.publish(ref)

    def feed(self, text: str, *argv: str) -> None:
        """Run git on the bare repository with a text on its standard input."""
        subprocess.run(["git", *argv], cwd=self.bare, env=ENV, input=text.encode(), check=True)

    def grow(self, length: int) -> str:
        """Let both branches grow from the first commit, each `length` commits long; return the feature's tip."""
        for branch in ("feature", "main"):
            parts = [
                f"commit refs/heads/{branch}\ncommitter P <p@example.org> {number} +0000\n"
                f"data {len(branch)}\n{branch}" + (f"\nfrom {self.base}" if number == 0 else "")
                for number in range(length)
            ]
            self.feed("\n".join(parts) + "\n", "fast-import", "--quiet", "--force")
        return self.tip("feature")

    def tip(self, branch: str) -> str:
        return self.person.git("rev-parse", f"refs/heads/{branch}", cwd=self.bare)

    def refs(self) -> list[str]:
        return self.person.git("for-each-ref", "--format=%(refname)", cwd=self.bare).splitlines()

    @property
    def remote(self) -> Remote:
        return Remote(url=f"file://{self.bare}", allow_file=True)

    def request(
        self, head: Head | str, head_sha: str, name: str = "clone", base: str | None = "main"
    ) -> CheckoutRequest:
        head = BranchHead(head) if isinstance(head, str) else head
        return CheckoutRequest(head=head, head_sha=head_sha, base_branch=base, folder=self.folder.parent / name)

    def checked_out(self, head: Head | str, head_sha: str, name: str = "clone", base: str | None = "main") -> Checkout:
        clone = checkout(self.remote, self.request(head, head_sha, name, base))
        assert isinstance(clone, Checkout), clone
        return clone


def at(folder: str | Path) -> Person:
    """Return the person, looking into a folder that is a repository already."""
    person = Person.__new__(Person)
    person.root = Path(folder)
    return person


def fix(clone: Checkout, path: str, content: str | bytes, *, layer: str = "lint", message: str = FIX) -> str:
    """Commit a change as a run of fixloop does, through the engine's own worktree; return the commit."""
    target = Path(clone.root, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)
    with Opened(Path(clone.root), Path(clone.git_dir).parent / "state") as worktree:
        commit = worktree.commit([path], message.format(layer=layer))
    assert commit is not None
    return commit


def files_below(folder: str | Path) -> list[Path]:
    return [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
