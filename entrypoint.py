"""The Action's door: what the container and host/action.yml start."""

import sys

from fixloop_bot.entrypoints.action import main

if __name__ == "__main__":
    sys.exit(main())
