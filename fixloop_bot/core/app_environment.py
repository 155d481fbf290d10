"""What the service reads about its App from an environment file."""

import re

from fixloop_bot.model.app import RegisteredApp

_SAFE = re.compile(r"[A-Za-z0-9_.~+/:=-]{1,500}")
_PATH = re.compile(r"[^'\x00-\x1f\x7f]{1,1000}")


def environment_lines(app: RegisteredApp, *, key_path: str, server_url: str, api_url: str) -> list[str]:
    """Return the file's lines, read alike by systemd's EnvironmentFile, Compose's env_file and a shell.

    Raises ValueError, which names the field and not its value, for what could not be written so.
    """
    values = {
        "FIXLOOP_APP_ID": str(app.app_id),
        "FIXLOOP_APP_PRIVATE_KEY_FILE": key_path,
        "FIXLOOP_APP_CLIENT_ID": app.client_id,
        "FIXLOOP_APP_CLIENT_SECRET": app.client_secret,
        "FIXLOOP_WEBHOOK_SECRET": app.webhook_secret,
    }
    if server_url != "https://github.com":
        values |= {"GITHUB_SERVER_URL": server_url, "GITHUB_API_URL": api_url}
    return [f"{name}={_quoted(name, value)}" for name, value in values.items()]


def can_be_named(path: str) -> bool:
    """Return whether an environment file can hold the path."""
    return _PATH.fullmatch(path) is not None


def _quoted(name: str, value: str) -> str:
    if _SAFE.fullmatch(value):
        return value
    if not can_be_named(value) or not name.endswith("_FILE"):
        raise ValueError(f"{name} is empty, or has a character that an environment file cannot hold")
    return f"'{value}'"
