"""How commands of the pull request are held, and what of that can be had on a machine."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

SandboxLevel = Literal["best", "strict", "off"]
"""What is demanded: all that can be had, all there is or nothing is run, or none."""


class RunsAs(StrEnum):
    """Whose rights commands have."""

    OTHER = "a user of their own"
    READER = "a user of their own, who may read toolchains that only root can reach"
    SELF = "fixloop's own user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What can be had for a process of fixloop's on its machine."""

    runs_as: RunsAs
    shortfall: str = ""
    """Why it is not `OTHER`, in words."""
    advice: str = ""
    """How to mend that."""
    landlock: int = 0
    """Version of the kernel's Landlock, 0 for none."""
    seccomp: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What is asked for."""

    level: SandboxLevel = "best"
    network: bool = True
    memory_mb: int | None = None
    """Of each process; None: no limit, as address and thread sanitizers reserve terabytes."""
    processes: int = 4096
    """Processes and threads at one time."""
