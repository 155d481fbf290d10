"""Who may do what: accounts, apps, installations and tokens."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

ACTIONS_APP_ID = 15368
ACTIONS_BOT_ID = 41898282
LEVELS = ("none", "read", "triage", "write", "maintain", "admin")

ACTIONS_PERMISSIONS: Mapping[str, str] = {
    "actions": "read",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "write",
}
"""What fixloop's own workflow file grants to GITHUB_TOKEN; `workflows` cannot be granted there."""


def node_id(prefix: str, number: int) -> str:
    """Return an opaque global id in the shape that GitHub gives them."""
    return f"{prefix}_kwDO{base64.urlsafe_b64encode(number.to_bytes(8, 'big')).decode().rstrip('=')}"


@dataclass(slots=True, kw_only=True, eq=False)
class Account:
    """A person, a bot or an organisation."""

    id: int
    login: str
    type: str = "User"
    """`User`, `Bot` or `Organization`."""
    permission: str = "read"
    """The level on every repository that does not say otherwise."""
    created_at: datetime

    @property
    def email(self) -> str:
        """Return the address by which GitHub attributes a commit to this account."""
        return f"{self.id}+{self.login}@users.noreply.github.com"


@dataclass(slots=True, kw_only=True, eq=False)
class App:
    """A GitHub App with its key pair and its bot account."""

    id: int
    slug: str
    owner: Account
    bot: Account
    permissions: Mapping[str, str]
    events: tuple[str, ...]
    created_at: datetime
    webhook_secret: str = ""
    client_secret: str = ""
    public: bool = True
    callback_urls: tuple[str, ...] = ()
    """Where people may be sent back to after they signed in."""

    @property
    def client_id(self) -> str:
        """Return the public half of what people sign in with."""
        return f"Iv1.{self.id:016x}"

    @property
    def private_key(self) -> str:
        """Return the key that signs the App's JSON web tokens, as PEM."""
        return _keys(self.slug)[0]

    @property
    def public_key(self) -> str:
        """Return the key that verifies them, as PEM."""
        return _keys(self.slug)[1]


@dataclass(slots=True, kw_only=True, eq=False)
class Installation:
    """An App installed on some repositories (full names)."""

    id: int
    app: App
    account: Account
    repositories: set[str]
    permissions: Mapping[str, str]
    created_at: datetime
    suspended_at: datetime | None = None
    """While it is set, no token is made and none works."""


@dataclass(slots=True, kw_only=True, eq=False)
class Token:
    """A credential: a person's (no `permissions`: the account's own rights) or an installation's."""

    value: str
    account: Account
    permissions: Mapping[str, str] | None = None
    app: App | None = None
    installation: Installation | None = None
    repositories: set[str] | None = None
    """Full names; None is every repository."""
    expires_at: datetime | None = None
    scopes: frozenset[str] = field(default_factory=lambda: frozenset({"repo", "workflow"}))
    """Classic scopes of a person's token; without `workflow` no workflow file can be pushed."""

    @property
    def is_jwt(self) -> bool:
        """Tell whether this is an App speaking as itself."""
        return self.app is not None and self.permissions is None

    @property
    def may_push_workflows(self) -> bool:
        """Tell whether a push may touch .github/workflows."""
        if self.permissions is None:
            return "workflow" in self.scopes
        return self.permissions.get("workflows") == "write"

    def grants(self, need: str) -> bool:
        """Tell whether the token's own permissions include `need`, such as `checks:write`."""
        if self.permissions is None:
            return not self.is_jwt
        name, _, level = need.partition(":")
        return name == "metadata" or self.permissions.get(name) in {level, "write", "admin"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """What a browser brings back from GitHub, good once and for ten minutes."""

    app: App
    login: str
    redirect_uri: str
    challenge: str
    """Of PKCE; empty: none was given."""
    until: datetime


@cache
def _keys(slug: str) -> tuple[str, str]:
    """Make one key pair per slug and process: making them is slow."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()
