"""Names of fixloop's own branches."""

import re
from typing import Final

OWN_PREFIX: Final = "fixloop/"
SHORT: Final = 7
"""Characters of a commit id."""
_SHORT: Final = re.compile(rf"-[0-9a-f]{{{SHORT}}}", re.ASCII)


def proposal_branch(branch: str, head_sha: str = "") -> str:
    """Return the branch on which a repair of a protected or default branch is proposed.

    `head_sha` is given where the plain name is taken, by an older proposal: that one is never written over.
    """
    return f"{OWN_PREFIX}{branch}-{head_sha[:SHORT]}" if head_sha else OWN_PREFIX + branch


def proposes_for(branch: str, own: str) -> bool:
    """Return whether `own` is a branch on which a repair of `branch` is proposed."""
    start = proposal_branch(branch)
    return own == start or (own.startswith(start) and bool(_SHORT.fullmatch(own[len(start) :])))


def is_own_branch(branch: str) -> bool:
    """Return whether fixloop made the branch, going by its name alone."""
    return branch.startswith(OWN_PREFIX)
