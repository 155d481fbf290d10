"""The source side of a repository: its branches, its people, its forks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Self

from tests.fakes.github.state.accounts import LEVELS, Account
from tests.fakes.github.state.git_store import GitStore

if TYPE_CHECKING:
    from tests.fakes.github.state.world import World

_NOREPLY = re.compile(r"^(?:\d{1,12}\+)?([A-Za-z0-9\[\]-]{1,60})@users\.noreply\.github\.com$")


@dataclass(slots=True, kw_only=True)
class Protection:
    """What a protected branch demands. Pushes to it are refused, but for those of `bypass` (logins)."""

    contexts: tuple[str, ...] = ()
    reviews: int = 1
    bypass: frozenset[str] = field(default_factory=frozenset)


class Source:
    """Branches, permissions and forks over a bare repository."""

    def __init__(
        self,
        *,
        world: "World",
        owner: Account,
        name: str,
        private: bool = False,
        default_branch: str = "main",
        parent: Self | None = None,
    ) -> None:
        self.world = world
        self.id = world.next_id()
        self.owner = owner
        self.name = name
        self.private = private
        self.default_branch = default_branch
        self.parent = parent
        self.created_at: datetime = world.now()
        self.git = GitStore(world.root / owner.login / f"{name}.git")
        self.protected: dict[str, Protection] = {}
        self.levels: dict[str, str] = {}
        self.refuses_pushes: str | None = None
        """Why every push is refused (a fork that an organisation owns, an archive), or None."""
        self.deleted = False

    @property
    def full_name(self) -> str:
        """Return `owner/name`."""
        return f"{self.owner.login}/{self.name}"

    def head(self, branch: str | None = None) -> str:
        """Return the commit at the tip of a branch (default: the default branch)."""
        name = branch or self.default_branch
        tip = self.git.tip(f"refs/heads/{name}")
        if tip is None:
            raise LookupError(f"{self.full_name} has no branch {name!r}")
        return tip

    def commit(
        self,
        branch: str,
        files: Mapping[str, str | bytes | None],
        *,
        message: str = "Change",
        author: str | Account = "mona",
        modes: Mapping[str, str] | None = None,
    ) -> str:
        """Commit onto a branch as if a person had pushed, and return the sha.

        `files` maps paths to whole contents, None removes; `modes` maps a path to another mode than `100644`
        (`100755`, or `120000` with the target as content). A branch that is not there starts at the default
        branch.
        """
        parent = self.git.tip(f"refs/heads/{branch}") or self.git.tip(f"refs/heads/{self.default_branch}")
        account = self.world.account(author)
        stamp = f"{account.login} <{account.email}> {int(self.world.now().timestamp())} +0000"
        parts = [f"commit refs/heads/{branch}\ncommitter {stamp}\n".encode(), _data(message.encode())]
        if parent:
            parts.append(f"from {parent}\n".encode())
        parts += [_change(path, content, (modes or {}).get(path, "100644")) for path, content in files.items()]
        self.git.import_commit(b"".join(parts))
        return self.head(branch)

    def branch(self, name: str, at: str | None = None) -> str:
        """Make or move a branch to a commit (default: the default branch's) and return that commit."""
        sha = at or self.head()
        self.git.update_ref(f"refs/heads/{name}", sha)
        return sha

    def delete_branch(self, name: str) -> None:
        """Delete a branch."""
        self.git.delete_ref(f"refs/heads/{name}", self.head(name))

    def read(self, path: str, branch: str | None = None) -> str | None:
        """Return a file's text on a branch, or None where there is none."""
        content = self.git.read(self.head(branch), path)
        return None if content is None else content.decode()

    def messages(self, branch: str, since: str | None = None) -> list[str]:
        """Return the commit messages of a branch, oldest first, without those up to the commit `since`."""
        head = self.head(branch)
        return [commit.message for commit in self.git.log(f"{since}..{head}" if since else head)]

    def protect(
        self, branch: str, *, contexts: tuple[str, ...] = (), reviews: int = 1, bypass: tuple[str, ...] = ()
    ) -> None:
        """Protect a branch: pushes are refused, except those of the logins in `bypass`."""
        self.protected[branch] = Protection(contexts=contexts, reviews=reviews, bypass=frozenset(bypass))

    def permit(self, who: str | Account, level: str) -> None:
        """Give a person a level on this repository alone."""
        self.levels[self.world.account(who).login.lower()] = level

    def level_of(self, account: Account) -> str:
        """Return a person's level: `none`, `read`, `triage`, `write`, `maintain` or `admin`."""
        if account is self.owner:
            return "admin"
        return self.levels.get(account.login.lower(), account.permission)

    def allows(self, account: Account, level: str) -> bool:
        """Tell whether a person has at least that level."""
        return LEVELS.index(self.level_of(account)) >= LEVELS.index(level)

    def fork(self, owner: str | Account, *, name: str | None = None, refuses_pushes: str | None = None) -> Self:
        """Return a fork with all branches; `refuses_pushes` says why it takes none, as organisations' forks do."""
        account = self.world.account(owner)
        made = type(self)(
            world=self.world,
            owner=account,
            name=name or self.name,
            private=self.private,
            default_branch=self.default_branch,
            parent=self,
        )
        made.git.create(self.default_branch)
        made.git.run("fetch", "--quiet", str(self.git.path), "+refs/heads/*:refs/heads/*")
        made.refuses_pushes = refuses_pushes
        self.world.repositories[made.full_name.lower()] = made  # type: ignore[assignment]
        return made

    def delete(self) -> None:
        """Delete the repository; pull requests from it stay, with no head repository."""
        self.deleted = True
        del self.world.repositories[self.full_name.lower()]

    def account_of(self, email: str) -> Account | None:
        """Return whom GitHub takes for the author of a commit."""
        found = _NOREPLY.match(email)
        return self.world.accounts.get(found.group(1).lower()) if found else None


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"


def _change(path: str, content: str | bytes | None, mode: str) -> bytes:
    quoted = '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if content is None:
        return f"D {quoted}\n".encode()
    raw = content.encode() if isinstance(content, str) else content
    return f"M {mode} inline {quoted}\n".encode() + _data(raw)
