"""Where durable state lies: one folder per repository, outside every worktree."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,150}")


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The layout. Names that come from outside are checked before they become paths."""

    root: Path

    @property
    def database(self) -> Path:
        """Return the SQLite database."""
        return self.root / "run-state.db"

    @property
    def runlog(self) -> Path:
        """Return the log of all attempts, one line each."""
        return self.root / "RUNLOG.md"

    @property
    def recovery_log(self) -> Path:
        """Return the log of salvages and rollbacks."""
        return self.root / "recovery-log.md"

    @property
    def learnings(self) -> Path:
        """Return what tool errors have taught."""
        return self.root / "learnings.yaml"

    @property
    def shadows(self) -> Path:
        """Return the folder of shadow git directories."""
        return self.root / "git"

    @property
    def salvages(self) -> Path:
        """Return the folder of all salvaged work."""
        return self.root / "salvage"

    @property
    def scratch(self) -> Path:
        """Return the folder for reports and temporary files."""
        return self.root / "scratch"

    def setup(self, worktree: str) -> Path:
        """Return the note of a worktree's last setup; `worktree` is the key of its shadow."""
        return self.root / "setup" / f"{safe_name(worktree)}.json"

    def state(self, run_id: str) -> Path:
        """Return `state.json` of a run."""
        return self.root / "runs" / safe_name(run_id) / "state.json"

    def origin(self, run_id: str) -> Path:
        """Return where a run of the service comes from."""
        return self.root / "runs" / safe_name(run_id) / "origin.json"

    def terminal(self, run_id: str) -> Path:
        """Return `terminal.json` of a run."""
        return self.root / "runs" / safe_name(run_id) / "terminal.json"

    def verifications(self, run_id: str) -> Path:
        """Return what later verifications found of a run's claim to be DONE."""
        return self.root / "runs" / safe_name(run_id) / "verifications.jsonl"

    def pictures(self, run_id: str) -> Path:
        """Return the folder of the pictures that a run's visual layer shows."""
        return self.root / "visual" / safe_name(run_id)

    def record(self, iteration_id: str) -> Path:
        """Return the repair record of an attempt."""
        return self.root / "repair" / f"{safe_name(iteration_id)}.json"

    def receipts(self, run_id: str) -> Path:
        """Return the receipts of a run's model calls."""
        return self.root / "receipts" / f"{safe_name(run_id)}.jsonl"

    def salvage(self, name: str) -> Path:
        """Return the folder of one salvage."""
        return self.salvages / safe_name(name)


def open_state_folder(root: Path) -> StateFolder:
    """Make the folder, readable to its owner alone, and return its layout. Raises OSError when that cannot be."""
    root.mkdir(parents=True, exist_ok=True)
    root.chmod(0o700)
    return StateFolder(root.resolve())


def default_state_root(common_dir: str, env: Mapping[str, str]) -> Path:
    """Return the default folder for a repository, by its common git directory.

    `env` may give XDG_STATE_HOME (XDG Base Directory Specification); else it is the platform's own place.
    """
    key = repository_key(common_dir)
    if env.get("XDG_STATE_HOME"):
        return Path(env["XDG_STATE_HOME"], "fixloop", key)
    return platformdirs.user_state_path("fixloop", appauthor=False) / key


def repository_key(common_dir: str) -> str:
    """Return a readable name with a hash: two clones are two keys, the worktrees of one clone share theirs."""
    path = Path(common_dir)
    named = path.parent if path.name == ".git" else path
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", named.name).strip("-.")[:40] or "repository"
    return f"{name}-{hashlib.sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"


def safe_name(name: str) -> str:
    """Return the name if it is one plain file name; raises ValueError if not."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"not a plain name of letters, digits, '.', '_' and '-': {name!r}")
    return name
