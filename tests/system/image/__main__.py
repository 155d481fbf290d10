"""`python -m tests.system.image full` builds a flavour and prints its size; `full` takes long and is in no test."""

import sys
import time

from tests.system.image.buildah import Buildah


def main() -> None:
    """Build what is named."""
    buildah = Buildah()
    for flavour in sys.argv[1:] or ["slim", "default"]:
        start = time.monotonic()
        image = buildah.build(flavour)
        print(f"{image.tag}: {image.megabytes} MB, built in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
