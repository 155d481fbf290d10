"""Which level of the sandbox is reached, and which cannot be had."""

from dataclasses import dataclass
from typing import Literal

SandboxLevel = Literal["best", "strict", "off"]
REACHED = (
    "commands get an environment without keys and tokens, closed standard input, limits of time and output, and end "
    "with all their descendants; they run as fixloop's own user, with network"
)


@dataclass(frozen=True, slots=True)
class NotGranted:
    """What was demanded cannot be had, so nothing is run; both texts are for a person."""

    reason: str
    advice: str


def granted(level: SandboxLevel, *, network: bool) -> str | NotGranted:
    """Return in words what is reached for a demanded level; `network`: commands may use it."""
    if level == "strict":
        why = "the sandbox level `strict` is demanded and cannot be had yet: commands run as fixloop's own user"
        return NotGranted(why, "set `sandbox` to `best`, and let fixloop run only on code whose authors you trust")
    if not network:
        why = "`sandbox.network: false` is demanded and cannot be had yet: commands reach the network"
        return NotGranted(why, "remove `sandbox.network` from .fixloop.yml, or cut the job's network off yourself")
    return f"{level}; {REACHED}"
