"""Settings of the dashboard that `fixloop serve` mounts: whether it is on, and who may read it."""

import re
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from fixloop_bot.entrypoints.settings import SettingsError

_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
_SECRET = re.compile(r"[!-~]{16,1000}")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?")


class Switch(StrEnum):
    """Whether there is a dashboard."""

    AUTO = "auto"
    """Where it is safe: with sign-in or a proxy, or where this machine alone can connect."""
    ON = "on"
    """Else the service does not start."""
    OFF = "off"


class DashboardSettings(BaseSettings):
    """What the environment says; secrets show in no `repr`."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True)

    switch: Switch = Field(Switch.AUTO, alias="FIXLOOP_DASHBOARD")
    url: str = Field("", alias="FIXLOOP_DASHBOARD_URL")
    proxy_header: str = Field("", alias="FIXLOOP_DASHBOARD_PROXY_HEADER")
    proxy_secret: SecretStr | None = Field(None, alias="FIXLOOP_DASHBOARD_PROXY_SECRET")
    users: str = Field("", alias="FIXLOOP_DASHBOARD_USERS")
    organization: str = Field("", alias="FIXLOOP_DASHBOARD_ORG")
    client_id: str = Field("", alias="FIXLOOP_APP_CLIENT_ID")
    client_secret: SecretStr | None = Field(None, alias="FIXLOOP_APP_CLIENT_SECRET")

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value)
        plain = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
        named = parts.username is None and parts.path.rstrip("/") == "/dashboard"
        if value and not (plain and named):
            raise ValueError("an address such as https://fixloop.example.org/dashboard is wanted")
        return value.rstrip("/")

    @field_validator("proxy_header")
    @classmethod
    def _header(cls, value: str) -> str:
        if value and not _HEADER.fullmatch(value):
            raise ValueError("the name of a header is wanted")
        return value

    @field_validator("proxy_secret")
    @classmethod
    def _long(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _SECRET.fullmatch(value.get_secret_value()):
            raise ValueError("at least 16 characters are wanted, of ASCII and without spaces")
        return value

    @field_validator("users", "organization")
    @classmethod
    def _names(cls, value: str) -> str:
        if not all(_NAME.fullmatch(name.strip()) for name in value.split(",") if name.strip()):
            raise ValueError("GitHub logins are wanted, with commas between")
        return value

    @property
    def secret_of_proxy(self) -> str:
        """Return what the proxy sends. Raises `SettingsError` where nothing is set."""
        if self.proxy_secret is None:
            raise SettingsError(
                "FIXLOOP_DASHBOARD_PROXY_SECRET is not set: any process of this machine could send the proxy's header. "
                "Let the proxy send this secret, of at least 16 characters, as X-Fixloop-Proxy-Secret"
            )
        return self.proxy_secret.get_secret_value()

    @property
    def is_secure(self) -> bool:
        """Return whether people find it by HTTPS."""
        return self.url.startswith("https://")

    @property
    def logins(self) -> frozenset[str]:
        """Return who may read, in small letters."""
        return frozenset(name.strip().lower() for name in self.users.split(",") if name.strip())

    @property
    def host(self) -> str:
        """Return the public name, without a port."""
        found = urlsplit(self.url).hostname or ""
        return f"[{found}]" if ":" in found else found

    @property
    def signs_in(self) -> bool:
        """Return whether people can sign in, and somebody may read."""
        return bool(self.client_id and self.client_secret and (self.logins or self.organization))


def load_dashboard_settings() -> DashboardSettings:
    """Return the settings; raises `SettingsError` that names the variable at fault and never its value."""
    try:
        return DashboardSettings.model_validate({})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise SettingsError(f"{first['loc'][0] if first['loc'] else 'settings'}: {first['msg']}") from None
