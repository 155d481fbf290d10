"""`fixloop`, and `python -m fixloop_bot`."""

import gc
import sys


def main() -> int:
    """Run the command line and return the exit code; wrong usage ends the process with 2.

    While the package loads nothing is collected: of its thousands of functions and classes none ever is garbage, and to
    look through them takes a tenth of that time. `cli` goes on collecting once the command's own modules are there.
    """
    gc.disable()
    from fixloop_bot.entrypoints.cli import main as run  # noqa: PLC0415 - see above

    return run()


if __name__ == "__main__":
    sys.exit(main())
