"""From a remote's URL to the repository on the forge that it names."""

import re
from dataclasses import dataclass
from typing import Final

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_WEB: Final = re.compile(
    r"(?:https?|ssh|git)://(?:[^/@\s]{0,500}@)?(?P<host>[A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?/(?P<path>\S{1,300})"
)
_SCP: Final = re.compile(r"(?:[^/@:\s]{1,100}@)?(?P<host>[A-Za-z0-9.-]{1,253}):(?P<path>[^/\s]\S{0,300})")
"""git's short form, `git@host:owner/name.git` (git-clone(1), GIT URLS)."""


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """A repository on a forge; what the URL held of users and passwords is not in it."""

    host: str
    full_name: str
    """`owner/name`."""


def parse_remote(url: str) -> RemoteAddress | None:
    """Return the repository, None for what is no address of one (a local path, a deeper path)."""
    match = _WEB.fullmatch(url) or _SCP.fullmatch(url)
    if match is None:
        return None
    name = match["path"].rstrip("/").removesuffix(".git")
    return RemoteAddress(match["host"].lower(), name) if is_full_name(name) else None


def is_full_name(text: str) -> bool:
    """Return whether this may be a repository's `owner/name`."""
    return bool(_NAME.fullmatch(text)) and not {".", ".."} & set(text.split("/"))
