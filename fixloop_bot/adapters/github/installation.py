"""Tokens of a GitHub App's installation, made when they are needed: they die after an hour."""

from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.github.session import Session


def mint_token(access: GitHubAccess) -> str:
    """Return a new token of the installation that the access names. Raises `ForgeError`; `TypeError` for a token."""
    session = Session(access)
    try:
        with session.app() as app:
            number = getattr(access.credential, "installation_id", 0)
            return session.ask("the App's own key", lambda: app.get_access_token(number).token)
    finally:
        session.close()
