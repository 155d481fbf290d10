"""Tokens that bind a form to a browser, a run and the very question that was shown."""

import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field

from fixloop_bot.model.outcome import Question

COOKIE = "fixloop-dashboard"
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Tokens:
    """They hold for one process of the dashboard; after a restart a page is to be loaded again."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def made(self, session: str, run_id: str, question: Question) -> str:
        """Return the token of a form."""
        about = "\0".join((session, run_id, question_hash(question)))
        return hmac.new(self.secret, about.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def holds(self, token: str, *, session: str, run_id: str, question: Question) -> bool:
        """Return whether the token was made for this, and there is a session."""
        made = self.made(session, run_id, question)
        return bool(session) and hmac.compare_digest(token.encode("utf-8", "replace"), made.encode())


def new_session() -> str:
    """Return a name for a browser that has none."""
    return secrets.token_urlsafe(24)


def session_in(cookie: str | None) -> str:
    """Return the session of a cookie; empty for what cannot be one."""
    return cookie if cookie and len(cookie) < _LONGEST and cookie.isascii() else ""


def question_hash(question: Question) -> str:
    """Return what changes with every word of a question: an answer to another one is refused."""
    return hashlib.sha256(json.dumps(asdict(question), sort_keys=True).encode()).hexdigest()
