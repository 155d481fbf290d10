"""The lines of the logs that people read: `RUNLOG.md` and `recovery-log.md`."""

from collections.abc import Mapping

from fixloop_bot.core.observe import circle_words
from fixloop_bot.model.attempt import Rung
from fixloop_bot.model.outcome import Status, Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState

TEXT_LIMIT = 160
"""Characters of a foreign text."""


def attempt_line(record: RepairRecord) -> str:
    """Return the attempt in one line, its id in backquotes."""
    before, after = record.verification_before.score, record.verification_after.score
    cost = "cost unknown" if record.cost_usd is None else f"${record.cost_usd:.2f}"
    result = "productive" if record.productive else "unproductive"
    rung = f" {record.rung}" if record.rung else ""
    again = f" repeats {record.repeats}" if record.repeats else ""
    return (
        f"{record.created_at} `{record.iteration_id}` {record.layer} {record.failure_mode} {record.model}{rung}"
        f" {result}{again} {before:.2f} → {after:.2f} {cost} {(record.commit or 'no commit')[:12]}"
        f" {_plain(record.hypothesis)}"
    )


def stop_mark(run_id: str) -> str:
    """Return what a run's last line is known by."""
    return f"`{run_id}-stop`"


def stop_line(state: LoopState, terminal: Terminal) -> str:
    """Return how a run that gave up ended, in one line; empty for a run that did not."""
    if state.end is None or state.end.status is not Status.BLOCKED:
        return ""
    rungs = " → ".join(state.rungs[-2:]) if Rung.REVERT in state.rungs[-2:] else str(Rung.STOP)
    circle = circle_words(state)
    shown = f" circle {circle}" if circle else ""
    return (
        f"{terminal.terminated_at} {stop_mark(state.run_id)} {rungs} {state.end.breaker or 'stopped'} {terminal.state}"
        f" stands on {state.clean_commit[:12]}{shown} {_plain(terminal.reason)}"
    )


def recovery_mark(name: str, digest: str) -> str:
    """Return what one salvage is known by: its folder, and its patch (SHA-256)."""
    return f"`{name}` ({digest[:12]})"


def recovery_line(name: str, digest: str, manifest: Mapping[str, object]) -> str:
    """Return one salvage, which goes before every rollback, in one line; `manifest` as `app.settle` makes it."""
    told = {key: _plain(str(manifest.get(key, "?"))) for key in ("created_at", "run_id", "why", "base", "head")}
    return (
        f"{told['created_at']} {recovery_mark(name, digest)} run {told['run_id']}{_attempt(manifest)}: {told['why']}."
        f" From {told['head'][:12]} back to {told['base'][:12]}."
        f" Patch: `salvage/{name}/change.patch`. To apply it, with the state folder's path:"
        f" `git apply --3way STATE_DIR/salvage/{name}/change.patch`"
    )


def _attempt(manifest: Mapping[str, object]) -> str:
    number = manifest.get("attempt")
    return f", attempt {number}" if isinstance(number, int) and number else ""


def _plain(text: str) -> str:
    return " ".join(text.split())[:TEXT_LIMIT].replace("`", "'")
