"""Asking GitHub what a token may do."""

from typing import Protocol


class Probe(Protocol):
    """Tries permissions out on what does not exist, so that nothing changes whatever the answer is."""

    def may(self, permission: str) -> bool | None:
        """Return whether the token has a permission, `checks: write`; None: GitHub does not tell.

        Raises ForgeError where GitHub gives no answer at all.
        """
        ...
