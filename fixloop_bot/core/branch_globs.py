"""Branch patterns as GitHub's workflows have them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase


def matches(branch: str, patterns: Sequence[str]) -> bool:
    """Return whether a branch is selected: `*` stays within a `/`, `**` does not, a later `!pattern` excludes again.

    The rules are those of `on.push.branches`; a whole part has to be `**` for that to cross slashes.
    """
    selected = False
    for pattern in patterns:
        excludes = pattern.startswith("!")
        if excludes == selected and _matches(branch.split("/"), pattern.removeprefix("!").split("/")):
            selected = not excludes
    return selected


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Match part by part; `reach` holds how many parts of the name the pattern so far can have used up."""
    reach = {0}
    for piece in pattern:
        if piece == "**":
            reach = set(range(min(reach), len(parts) + 1)) if reach else reach
        else:
            reach = {used + 1 for used in reach if used < len(parts) and fnmatchcase(parts[used], piece)}
    return len(parts) in reach
