"""Where a run's state may lie, and the runs of other places that stand in its way."""

from pathlib import Path

from fixloop_bot.adapters.git.repository import Repository
from fixloop_bot.adapters.open_run import NAME, read_open_run
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.settings import SettingsError


def state_root(folder: Path, repository: Repository) -> Path:
    """Return the absolute folder; raises SettingsError where the run's own files would become part of the worktree."""
    root = folder.absolute().resolve()
    for place in (repository.root, repository.git_dir, repository.common_dir):
        if root.is_relative_to(Path(place).resolve()):
            raise SettingsError(
                f"state-dir (FIXLOOP_STATE_DIR): {root} lies inside {place}, which fixloop repairs; name a folder "
                "outside of it, or leave the setting out"
            )
    return root


def unfinished_elsewhere(git_dir: str, root: Path) -> str:
    """Return why no run may start with this state folder: another one has an unfinished run here; empty: none has."""
    run = read_open_run(git_dir)
    if run is None or Path(run.state_dir) == root:
        return ""
    other = StateFolder(Path(run.state_dir))
    try:
        unfinished = other.state(run.run_id).exists() and not other.terminal(run.run_id).exists()
    except (ValueError, OSError):
        return ""
    if not unfinished:
        return ""
    return (
        f"Run {run.run_id} is unfinished in this worktree, its state is in another folder. To go on with it: "
        f"--state-dir {run.state_dir}. To drop it: delete {git_dir}/{NAME}; what it had set aside stays in its folder."
    )
