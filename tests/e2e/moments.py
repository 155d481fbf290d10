"""Moments of a run at which something happens to it: the real command, ended in the middle of a named function."""

import sys

from tests.e2e.workspace import Finished, Workspace, finished

_CHILD = """
import importlib, os, signal, sys
module, path, when, happens = sys.argv[1].split(":")
owner = importlib.import_module(module)
*outer, name = path.split(".")
for part in outer:
    owner = getattr(owner, part)
real = getattr(owner, name)
def event():
    setattr(owner, name, real)
    if happens == "FAULT":
        raise LookupError("a fault of its own")
    os.kill(os.getpid(), getattr(signal, happens))
def wrapped(*given, **named):
    if when == "before":
        event()
    result = real(*given, **named)
    if when == "after":
        event()
    return result
setattr(owner, name, wrapped)
from fixloop_bot.entrypoints.cli import main
sys.exit(main(sys.argv[2:]))
"""


def run_until(workspace: Workspace, moment: str, *more: str, happens: str = "SIGKILL") -> Finished:
    """Run `fixloop run` to the first call of a function: `module:function:before` or `:after`.

    `happens` is a signal that the process sends itself, or FAULT: an exception that nobody expects.
    """
    arguments = workspace.arguments(*more)[3:]
    command = [sys.executable, "-c", _CHILD, f"fixloop_bot.{moment}:{happens}", *arguments]
    done = finished(command, env=workspace.environment())
    assert "AttributeError" not in done.stderr, done.stderr
    return done
