"""Addresses in the client's own terms: its scheme, host, port and path prefix."""

from dataclasses import dataclass
from urllib.parse import quote

ENTERPRISE_PREFIX = "/api/v3"


@dataclass(frozen=True, slots=True)
class Urls:
    """Builds what GitHub writes into `url` and `html_url` fields."""

    site: str
    """Where people and git go: scheme, host, port."""
    prefix: str = ""
    """The REST API's path prefix: empty, or `/api/v3` as on GitHub Enterprise Server."""

    def api(self, *parts: str | int) -> str:
        """Return an address in the REST API."""
        return self._join(self.site + self.prefix, parts)

    def html(self, *parts: str | int) -> str:
        """Return an address that a person opens."""
        return self._join(self.site, parts)

    def repo(self, full_name: str, *parts: str | int) -> str:
        """Return an address under a repository in the REST API."""
        return self.api("repos", full_name, *parts)

    @property
    def graphql(self) -> str:
        """Return the GraphQL endpoint."""
        return f"{self.site}/api/graphql" if self.prefix else f"{self.site}/graphql"

    @staticmethod
    def _join(start: str, parts: tuple[str | int, ...]) -> str:
        return "/".join([start, *(quote(str(part), safe="/{}.:@+,") for part in parts)])
