"""A sign-in that is under way lies in the browser that began it, sealed: no stranger can push another's out."""

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from typing import Final

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.github.sign_in import Begun
from fixloop_bot.entrypoints.dashboard.key import same

ON_THE_WAY_S: Final = 600.0
"""As long as GitHub's own code holds."""


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """A browser that was sent to GitHub, and where its person wanted to go."""

    begun: Begun
    """Without its address, once it comes back."""
    place: str


@dataclass(frozen=True, slots=True)
class Seal:
    """Makes and reads the cookie's value; it holds for one process. The state and PKCE's verifier are the browser's."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def closed(self, one: OnTheWay) -> str:
        """Return the value."""
        begun = one.begun
        until = SystemClock().monotonic() + ON_THE_WAY_S
        told = [until, begun.state, begun.verifier, begun.redirect_uri, one.place]
        text = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
        return f"{text}.{self._mark(text)}"

    def opened(self, value: str) -> OnTheWay | None:
        """Return what a value holds; None for one that was not made here, or too long ago."""
        text, _, mark = value.partition(".")
        if not same(mark, self._mark(text)):
            return None
        until, state, verifier, redirect_uri, place = json.loads(base64.urlsafe_b64decode(text))
        if until <= SystemClock().monotonic():
            return None
        return OnTheWay(Begun(url="", state=state, verifier=verifier, redirect_uri=redirect_uri), place)

    def _mark(self, text: str) -> str:
        return hmac.new(self.secret, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
