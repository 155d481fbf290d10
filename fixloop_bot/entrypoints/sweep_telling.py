"""What a sweep from a shell prints."""

import sys
from collections.abc import Callable, Sequence

from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.status_line import money
from fixloop_bot.entrypoints.sweep_target import SweptTarget
from fixloop_bot.model.sweep import Selection

Redact = Callable[[str], str]


def tell_choice(selection: Selection, redact: Redact, *, as_json: bool) -> None:
    """Print what would be run on and what not, a line each, or one JSON object."""
    if as_json:
        _print_json(_choice(selection), redact)
        return
    lines = [f"{'RUN':<8} {plain(one.candidate.name)}, at most {money(one.max_cost_usd)}" for one in selection.chosen]
    lines += [f"{'LEAVE':<8} {plain(one.candidate.name)}: {plain(one.reason)}" for one in selection.skipped]
    sys.stdout.write(redact("\n".join(lines or ["There is nothing to choose from."])) + "\n")


def tell_end(selection: Selection, done: Sequence[SweptTarget], redact: Redact, *, as_json: bool) -> None:
    """Print the JSON object, or a last line where nothing was run."""
    if as_json:
        _print_json({**_choice(selection), "runs": [_run(one) for one in done]}, redact)
    elif not done:
        sys.stdout.write("Nothing to repair.\n")


def _choice(selection: Selection) -> dict[str, object]:
    return {
        "chosen": [
            {
                "name": one.candidate.name,
                "pull_request": one.candidate.pull_request,
                "branch": one.candidate.branch,
                "head_sha": one.candidate.head_sha,
                "max_cost_usd": one.max_cost_usd,
            }
            for one in selection.chosen
        ],
        "left": [
            {"name": one.candidate.name, "pull_request": one.candidate.pull_request, "reason": one.reason}
            for one in selection.skipped
        ],
    }


def _run(done: SweptTarget) -> dict[str, object]:
    given = done.outputs
    return {
        "name": done.name,
        "status": done.status,
        "reason": done.reason,
        "iterations": int(given.get("iterations") or 0),
        "commits": [sha for sha in given.get("commits", "").split(",") if sha],
        "cost_usd": _dollars(given.get("cost-usd", "0")),
        "state_dir": given.get("state-dir", ""),
    }


def _dollars(text: str) -> float | None:
    """Return the cost, None where it is unknown."""
    try:
        return float(text)
    except ValueError:
        return None


def _print_json(value: object, redact: Redact) -> None:
    sys.stdout.write(json_text(redact_json(value, redact)) + "\n")
