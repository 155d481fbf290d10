"""`terminal.json` as a file: what is malformed, or says more than it proves, is refused."""

from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import CodecError, parse
from fixloop_bot.adapters.exact import check_utc, exactly
from fixloop_bot.adapters.repair_record import SIZE_LIMIT, RecordError
from fixloop_bot.model.outcome import Status, Terminal

TERMINAL_SCHEMA = "fixloop.terminal/1"


def read_terminal(path: Path) -> Terminal | RecordError:
    """Read a terminal record; whatever is wrong with it, the answer is a `RecordError` that says what."""
    try:
        with path.open("rb") as file:
            content = file.read(SIZE_LIMIT)
        return terminal_of(parse(content))
    except (OSError, CodecError, ValueError) as error:
        return RecordError(str(path), str(error))


def terminal_of(value: Any) -> Terminal:  # noqa: ANN401
    """Return the record that a JSON value holds; raises ValueError for what docs/terminal.schema.json refuses.

    And for a Succeeded without evidence, with a criterion that is not met, or that calls itself false.
    """
    if not isinstance(value, dict) or value.get("schema") != TERMINAL_SCHEMA:
        raise ValueError(f"schema is not {TERMINAL_SCHEMA!r}")
    terminal = exactly(Terminal, value)
    if not terminal.run_id:
        raise ValueError("run_id must not be empty")
    if terminal.status is Status.NEED_DECISION:
        raise ValueError("a run that waits for a decision has not ended")
    check_utc("terminated_at", terminal.terminated_at)
    return terminal
