"""How to reach GitHub, and as whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TokenAccess:
    """A token: GITHUB_TOKEN, a person's, or an App installation's that somebody else minted."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAccess:
    """A GitHub App: installation tokens are minted, and minted again before they end."""

    app_id: int
    private_key: str = field(repr=False)
    """PEM."""
    installation_id: int
    permissions: Mapping[str, str] | None = None
    """What a token may at most, as `contents` → `read`; None: all that the installation was granted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is waited for GitHub."""

    retries: int = 6
    backoff_s: float = 0.5
    """Doubled with each retry, at most 120 s."""
    longest_wait_s: float = 300.0
    """For a rate limit; beyond it the call fails."""
    secondary_wait_s: float = 60.0
    """For a secondary limit that does not say how long, as GitHub's documentation advises."""
    timeout_s: int = 30
    between_writes_s: float = 1.0
    """GitHub asks for a second between changes: docs.github.com/rest/using-the-rest-api/best-practices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubAccess:
    """Everything that a connection needs."""

    full_name: str
    """`owner/name`; empty for an App that looks where it is installed."""
    credential: TokenAccess | AppAccess
    api_url: str = "https://api.github.com"
    """GITHUB_API_URL; of a GitHub Enterprise Server it ends with `/api/v3`."""
    workflow_path: str = ""
    """Of the workflow that fixloop itself runs in: its checks are not taken for the project's. Empty in the service."""
    patience: Patience = field(default_factory=Patience)
