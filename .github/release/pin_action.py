"""Writes action.yml, slim/action.yml and full/action.yml for published images: `pin_action.py IMAGE DIGESTS`.

IMAGE is the image's name without a tag; DIGESTS is a folder with one file per flavour that holds its digest.
"""

import re
import sys
from pathlib import Path

SOURCE_LINE = "  image: Dockerfile\n"
FLAVOURS = {"default": "action.yml", "slim": "slim/action.yml", "full": "full/action.yml"}
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def pin(action: str, image: str, digest: str) -> str:
    """Return the action's text with the image that was published in place of the one to build."""
    if not DIGEST.fullmatch(digest):
        raise SystemExit(f"not a digest: {digest!r}")
    if action.count(SOURCE_LINE) != 1:
        raise SystemExit(f"action.yml must have one line {SOURCE_LINE.strip()!r}")
    return action.replace(SOURCE_LINE, f"  image: docker://{image}@{digest}\n")


def main(image: str, digests: Path) -> None:
    """Write the three files below the working directory."""
    action = Path("action.yml").read_text(encoding="utf-8")
    for flavour, target in FLAVOURS.items():
        pinned = pin(action, image, (digests / flavour).read_text(encoding="utf-8").strip())
        Path(target).parent.mkdir(exist_ok=True)
        Path(target).write_text(pinned, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
