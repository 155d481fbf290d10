"""Secrets that lie in files: a folder of Docker's or systemd's, with a file for each variable."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SECRETS: Final = (
    "ANTHROPIC_API_KEY",
    "FIXLOOP_APP_CLIENT_SECRET",
    "FIXLOOP_APP_PRIVATE_KEY",
    "FIXLOOP_DASHBOARD_PROXY_SECRET",
    "FIXLOOP_DATABASE_URL",
    "FIXLOOP_WEBHOOK_SECRET",
)
"""Variables that may lie in a file of their name; a file `*.env` may hold these and others, as NAME=VALUE lines."""
MAX_BYTES: Final = 64_000


def read_secret_files(folder: Path) -> dict[str, str]:
    """Return variable → value of what lies in the folder. Raises OSError, and ValueError for what is no such file."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.env")):
        found.update(_lines(_text(path)))
    for name in SECRETS:
        if (folder / name).exists():
            found[name] = _text(folder / name).strip("\r\n")
    return found


def _text(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path.name} is no secret: it is larger than {MAX_BYTES:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not UTF-8") from None


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the variables of an environment file, quoted as `fixloop init --app` and a shell quote them."""
    for line in text.splitlines():
        name, separator, value = line.strip().partition("=")
        if separator and not name.startswith("#"):
            yield name, " ".join(shlex.split(value))
