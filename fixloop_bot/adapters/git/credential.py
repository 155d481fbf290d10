"""The token, for one address and one git process: in that process's environment, and nowhere else."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

USER = "x-access-token"
"""Name under which GitHub takes every kind of token (Basic authentication)."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A token; it shows in no `repr`."""

    token: str = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what could end the header line and begin another."""
        if not self.token or not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise ValueError("a token is one word of printable ASCII characters")

    def settings(self, url: str) -> tuple[tuple[str, str], ...]:
        """Return git's settings that send the token to this address alone (git-config(1), `http.<url>.*`)."""
        basic = base64.b64encode(f"{USER}:{self.token}".encode()).decode()
        return ((f"http.{url}.extraHeader", f"Authorization: basic {basic}"),)


def settings_env(settings: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Return the variables by which git takes settings from its environment (git(1), `GIT_CONFIG_COUNT`)."""
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env
