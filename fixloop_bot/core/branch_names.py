"""Names of fixloop's own branches."""

from typing import Final

OWN_PREFIX: Final = "fixloop/"


def proposal_branch(branch: str) -> str:
    """Return the branch on which a repair of a protected or default branch is proposed."""
    return OWN_PREFIX + branch


def is_own_branch(branch: str) -> bool:
    """Return whether fixloop made the branch, going by its name alone."""
    return branch.startswith(OWN_PREFIX)
