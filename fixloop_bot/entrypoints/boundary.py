"""The one error boundary: whatever goes wrong becomes one honest line and a stable exit code."""

import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType

from fixloop_bot.core.status_line import one_line, refused
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.config import ConfigProblem


def guarded(command: Callable[[], int], *, status_line: bool, redact: Callable[[str], str] = str) -> int:
    """Run a command and return its exit code. With `status_line` a failure still prints one line on stdout."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return command()
    except (SettingsError, ConfigProblem) as error:
        return _tell(f"configuration: {error}", ExitCode.USAGE, redact)
    except KeyboardInterrupt:
        return _tell("interrupted", ExitCode.INTERRUPTED, redact)
    except OSError as error:
        return _blocked(f"The system refused: {error}. State or worktree could not be written.", status_line, redact)
    except Exception as error:
        sys.stderr.write(redact(traceback.format_exc()))
        kind = type(error).__name__
        return _fault(f"A fault of fixloop itself ({kind}: {error}). Please report it.", status_line, redact)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _tell(text: str, code: ExitCode, redact: Callable[[str], str]) -> int:
    sys.stderr.write(f"fixloop: {one_line(redact(text), limit=2000)}\n")
    return code


def _blocked(text: str, status_line: bool, redact: Callable[[str], str]) -> int:  # noqa: FBT001
    if status_line:
        sys.stdout.write(refused(redact(text)) + "\n")
        return ExitCode.BLOCKED
    return _tell(text, ExitCode.FAULT, redact)


def _fault(text: str, status_line: bool, redact: Callable[[str], str]) -> int:  # noqa: FBT001
    if status_line:
        sys.stdout.write(refused(redact(text)) + "\n")
    return _tell(text, ExitCode.FAULT, redact)
