"""What came of a replay, in one line and as JSON."""

from collections.abc import Sequence
from typing import Any

from fixloop_bot.core.proof import LINE_LIMIT, SHOWN, VERDICT_WORDS, proof_json
from fixloop_bot.core.render.words import count
from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.proof import Proof, Verdict
from fixloop_bot.model.replay import Recorded, Replay


def judged(run: Recorded, differs: Sequence[str], *, notes: Sequence[str] = (), proof: Proof | None = None) -> Replay:
    """Return the verdict: what disagrees breaks it; a DONE is as good as its proof."""
    claims_done = run.terminal is not None and run.terminal.status == "DONE"
    verdict, why = Verdict.HOLDS, tuple(differs)
    if differs:
        verdict = Verdict.BROKEN
    elif claims_done and proof:
        verdict, why = proof.verdict, proof.why
    return Replay(run_id=run.run_id, verdict=verdict, why=why, checked=_checked(run), notes=tuple(notes), proof=proof)


def replay_line(replay: Replay) -> str:
    """Return the verdict in one line."""
    if replay.verdict is Verdict.HOLDS:
        proven = "the termination gate passes again" if replay.proof else "the run claims no DONE"
        text = f"{', '.join(replay.checked)} agree; {proven}."
    else:
        more = f"; and {len(replay.why) - SHOWN} more" if len(replay.why) > SHOWN else ""
        text = "; ".join(one_line(why, limit=300) for why in replay.why[:SHOWN]) + more
    notes = f" Not checked: {'; '.join(replay.notes[:SHOWN])}." if replay.notes else ""
    return one_line(f"{VERDICT_WORDS[replay.verdict]}: run {replay.run_id}: {text}{notes}", limit=LINE_LIMIT)


def replay_json(replay: Replay) -> dict[str, Any]:
    """Return all that was found."""
    return {
        "verdict": str(replay.verdict),
        "line": replay_line(replay),
        "run_id": replay.run_id,
        "why": list(replay.why),
        "checked": list(replay.checked),
        "not_checked": list(replay.notes),
        "gate": proof_json(replay.proof) if replay.proof else None,
    }


def _checked(run: Recorded) -> tuple[str, ...]:
    rows = sum(len(rows) for rows in run.rows.values())
    counted = ((run.records, "repair record"), (run.receipts, "receipt"), (run.runlog, "log line"))
    return (*(count(len(found), noun) for found, noun in counted), count(rows, "database row"))
