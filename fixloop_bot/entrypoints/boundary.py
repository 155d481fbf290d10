"""The one error boundary: whatever goes wrong becomes one honest line and a stable exit code."""

import gc
import io
import signal
import sys
import traceback
from collections.abc import Callable
from enum import Enum
from types import FrameType
from typing import TextIO

from fixloop_bot.adapters.sandbox.hide import hide_process
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.status_line import one_line, refused
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.config import ConfigProblem


class Answer(Enum):
    """What standard output gets when a command fails before it could answer itself."""

    NONE = "nothing"
    LINE = "a status line"
    JSON = "the result as JSON"


def guarded(command: Callable[[], int], *, answer: Answer = Answer.NONE, redact: Callable[[str], str] = str) -> int:
    """Run a command and return its exit code, whatever happens in it."""
    hide_process()
    signal.signal(signal.SIGTERM, _interrupt)
    _write_anything(sys.stdout, sys.stderr)
    try:
        return command()
    except (SettingsError, ConfigProblem) as error:
        return _tell(f"configuration: {error}", ExitCode.USAGE, redact)
    except KeyboardInterrupt:
        return _tell("interrupted", ExitCode.INTERRUPTED, redact)
    except OSError as error:
        text = f"The system refused: {error}. State or worktree could not be written."
        return _answer(text, answer, ExitCode.BLOCKED, redact)
    except Exception as error:
        sys.stderr.write(defused(redact(traceback.format_exc())))
        text = f"A fault of fixloop itself ({type(error).__name__}: {error}). Please report it."
        return _answer(text, answer, ExitCode.FAULT, redact)
    finally:
        gc.freeze()  # else the interpreter, as it ends, looks for cycles in all that was imported: a third of a second


def _write_anything(*streams: TextIO) -> None:
    """Let the streams take every text, also where the terminal's encoding cannot spell it."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _tell(text: str, code: ExitCode, redact: Callable[[str], str]) -> int:
    sys.stderr.write(f"fixloop: {one_line(redact(text), limit=2000)}\n")
    return code


def _answer(text: str, answer: Answer, code: ExitCode, redact: Callable[[str], str]) -> int:
    """Answer in the form that was asked for; a command without one fails by its exit code and the error stream."""
    line = refused(redact(text))
    match answer:
        case Answer.NONE:
            return _tell(text, ExitCode.FAULT, redact)
        case Answer.LINE:
            sys.stdout.write(line + "\n")
        case Answer.JSON:
            told = {"status": "BLOCKED", "status_line": line, "terminal_state": None}
            sys.stdout.write(json_text(told) + "\n")
    return _tell(text, code, redact)
