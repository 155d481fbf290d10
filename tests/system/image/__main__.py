"""`python -m tests.system.image full` builds a flavour, tries its programs and prints its size.

The full flavour takes minutes and two gigabytes, so no test builds it.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.system.image.buildah import Buildah
from tests.system.image.container import opened
from tests.system.image.programs import missing


def main() -> int:
    """Build what is named, and return 1 where a program does not start."""
    buildah = Buildah()
    failed = 0
    for flavour in sys.argv[1:] or ["slim", "default"]:
        start = time.monotonic()
        image = buildah.build(flavour)
        print(f"{image.tag}: {image.megabytes} MB, built in {time.monotonic() - start:.0f} s")
        with tempfile.TemporaryDirectory() as folder, opened(buildah, image, Path(folder) / "github") as container:
            for fault in missing(container, flavour):
                print(f"{image.tag}: {fault}", file=sys.stderr)
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
