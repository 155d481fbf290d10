"""GitHub from a shell: which repository, at which address, with which token."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixloop_bot.adapters.git.credential import Credential
from fixloop_bot.adapters.git.remote_url import origin_url, worktree_root
from fixloop_bot.adapters.github.access import GitHubAccess, Patience, TokenAccess
from fixloop_bot.core.remote_address import RemoteAddress, is_full_name, parse_remote
from fixloop_bot.core.workflow_file import WORKFLOW_PATH
from fixloop_bot.entrypoints.settings import SettingsError

TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
HOW_TO_GIVE_ONE = "Set GITHUB_TOKEN or GH_TOKEN; with the GitHub CLI: export GH_TOKEN=$(gh auth token)."
PUBLIC = "github.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellGitHub:
    """Where GitHub is, as this shell says."""

    full_name: str
    token: str = field(repr=False)
    """Empty: none."""
    api_url: str
    server_url: str
    root: Path | None
    """Top folder of the worktree of the current folder, where that is a worktree."""

    @property
    def access(self) -> GitHubAccess:
        """Return what a connection needs; raises SettingsError without a token."""
        if not self.token:
            raise SettingsError(f"no token for GitHub. {HOW_TO_GIVE_ONE}")
        return GitHubAccess(
            full_name=self.full_name,
            credential=TokenAccess(self.token),
            api_url=self.api_url,
            workflow_path=WORKFLOW_PATH,
            patience=Patience(retries=3, longest_wait_s=60.0),
        )


def read_shell(env: Mapping[str, str], repository: str | None, folder: Path) -> ShellGitHub:
    """Return it; raises SettingsError where no repository is named, or a name or token cannot be one."""
    origin = parse_remote(origin_url(folder))
    if repository is not None and not is_full_name(repository):
        raise SettingsError(f"--repository: {repository!r} is not OWNER/NAME")
    name = repository or (origin.full_name if origin else "")
    if not name:
        raise SettingsError("no repository: give --repository OWNER/NAME (no remote `origin` here names one)")
    api_url = env.get("GITHUB_API_URL") or _api(origin.host if origin and not repository else PUBLIC)
    return ShellGitHub(
        full_name=name,
        token=_token(env),
        api_url=api_url,
        server_url=(env.get("GITHUB_SERVER_URL") or site_of(api_url)).rstrip("/"),
        root=worktree_root(folder),
    )


def same_repository(shell: ShellGitHub, folder: Path) -> bool:
    """Return whether the folder's `origin` is the repository that is spoken of."""
    origin: RemoteAddress | None = parse_remote(origin_url(folder))
    return origin is not None and origin.full_name.lower() == shell.full_name.lower()


def _api(host: str) -> str:
    """Return GitHub's own API; raises SettingsError for another host.

    The remote is whatever the repository's configuration says, and the token must not go where only that points to.
    """
    if host in (PUBLIC, f"ssh.{PUBLIC}", f"www.{PUBLIC}"):
        return f"https://api.{PUBLIC}"
    raise SettingsError(
        f"the remote `origin` is on {host}: if your token belongs there, say so by GITHUB_API_URL=https://{host}/api/v3"
    )


def site_of(api_url: str) -> str:
    """Return the site that an API belongs to: git sends the token there, so it never comes from the remote."""
    plain = api_url.rstrip("/")
    return f"https://{PUBLIC}" if plain == f"https://api.{PUBLIC}" else plain.removesuffix("/api/v3")


def _token(env: Mapping[str, str]) -> str:
    name, token = next(((name, env[name].strip()) for name in TOKENS if env.get(name, "").strip()), ("", ""))
    if token:
        try:
            Credential(token)
        except ValueError as error:
            raise SettingsError(f"{name}: {error}") from None
    return token
