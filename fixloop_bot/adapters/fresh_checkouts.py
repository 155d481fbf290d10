"""Fresh checkouts of a run's commits: private folders, each with a sandbox like the run's own."""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.environment import moved_environment
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.fresh import FreshCommit, check_out_fresh
from fixloop_bot.adapters.git.paths import OutsideWorktreeError
from fixloop_bot.adapters.git.recorded import NoSuchCommitError
from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.git.shadow import shadow_key
from fixloop_bot.adapters.picture_store import PictureStore
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.redacted_runner import RedactedRunner
from fixloop_bot.adapters.sandbox.enclosure import Enclosure, Site, enclose_alike
from fixloop_bot.adapters.sandbox.paths import Grounds
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.ports.project import FreshCheckout, NoFreshCheckoutError

_TROUBLE = (NoSuchCommitError, GitError, OutsideWorktreeError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitFreshCheckouts:
    """`FreshCheckouts` of a repository whose worktree this process has locked."""

    repository: Repository
    held: Enclosure
    """The sandbox on the worktree: that of a checkout is as strong, and its commands run as the same user."""
    env: Mapping[str, str]
    config: RepoConfig
    closed: Sequence[Path] = ()
    """Folders that commands may not read: fixloop's state."""
    time_left: Callable[[], float] | None = None
    """Seconds of the run."""
    redact: Callable[[str], str] = str
    note: Callable[[str], None]
    pictures: PictureStore | None = None

    @contextmanager
    def open(self, commit: str) -> Iterator[FreshCheckout]:
        """Write the commit out; all of it is gone with the context. Raises `NoFreshCheckoutError`."""
        with ExitStack() as stack:
            try:
                fresh = self._opened(commit, stack)
            except _TROUBLE as error:
                raise NoFreshCheckoutError(f"no fresh checkout of {commit[:12]} can be had: {error}") from error
            yield fresh

    def clear_stale(self) -> None:
        """Take away what killed runs on this worktree have left."""
        for path in Path(tempfile.gettempdir()).glob(f"{self.prefix}*"):
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
                shutil.rmtree(path, ignore_errors=True)

    @property
    def prefix(self) -> str:
        """Return how the folders of this worktree's checkouts are named."""
        return f"fixloop-fresh-{shadow_key(self.repository)}-"

    def _opened(self, commit: str, stack: ExitStack) -> FreshCheckout:
        folder = Path(tempfile.mkdtemp(prefix=self.prefix)).resolve()
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        scratch = folder / "scratch"
        scratch.mkdir()
        written = check_out_fresh(self.repository, commit, folder / "checkout")
        env = moved_environment(self.env, self.repository.root, str(written.root))
        held = stack.enter_context(enclose_alike(self.held, self._site(written, folder, env)))
        project = GitProject(
            written.root,
            scratch=scratch,
            list_files=written.files,
            base_env=env,
            config=self.config,
            redact=self.redact,
            pictures=self.pictures,
        )
        return FreshCheckout(
            project=project,
            runner=RedactedRunner(held.runner(env, scratch, time_left=self.time_left), self.redact),
            tree=written.tree(),
            seal=lambda unwanted: _seal(written, unwanted),
        )

    def _site(self, written: FreshCommit, folder: Path, env: Mapping[str, str]) -> Site:
        common = Path(self.repository.common_dir).resolve()
        grounds = Grounds(
            root=written.root,
            scratch=folder / "scratch",
            beside=(written.git_dir, common),
            closed=[path.resolve() for path in (*self.closed, Path(self.repository.root))],
        )
        return Site(grounds=grounds, env=env, note=self.note, passages=(folder,))


def _seal(written: FreshCommit, unwanted: Callable[[str], bool]) -> None:
    try:
        written.seal(unwanted)
    except _TROUBLE as error:
        raise NoFreshCheckoutError(f"the files could not be made as committed again: {error}") from error
