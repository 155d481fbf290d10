"""The GitHub App that the service acts as."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class AppOrder:
    """What a person says of the App that is to be registered."""

    name: str
    """At most 34 characters, unique on the whole of GitHub; it can be changed on GitHub's page."""
    url: str
    """The service's address as GitHub reaches it, without a slash at its end."""
    server_url: str = "https://github.com"
    organisation: str = ""
    """Who is to own the App; empty: the person who registers it."""
    public: bool = False
    """Whether accounts other than the owner may install it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredApp:
    """An App as GitHub hands it over, once; the secrets show in no `repr`."""

    app_id: int
    slug: str
    page: str
    """Its public page on GitHub."""
    client_id: str
    client_secret: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    private_key: str = field(repr=False)
    """PEM."""
