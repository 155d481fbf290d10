"""`python -m fixloop_bot` is `fixloop`."""

import sys

from fixloop_bot.entrypoints.cli import main

if __name__ == "__main__":
    sys.exit(main())
