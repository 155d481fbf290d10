"""The forge's git: one address, one credential, and no configuration, helper, hook, redirect or question."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fixloop_bot.adapters.git.clone import drop_stale_locks
from fixloop_bot.adapters.git.command import Completed, Git, GitError
from fixloop_bot.adapters.git.credential import Credential, settings_env
from fixloop_bot.core.delivery import classify_trouble
from fixloop_bot.core.redact import redactor
from fixloop_bot.model.delivery import CheckoutProblem, RemoteTrouble

_NETWORK_NAMES: Mapping[str, str] = {
    "HTTP_PROXY": "http_proxy",
    "HTTPS_PROXY": "https_proxy",
    "ALL_PROXY": "all_proxy",
    "NO_PROXY": "no_proxy",
    "GIT_SSL_CAINFO": "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH": "GIT_SSL_CAPATH",
    "SSL_CERT_FILE": "GIT_SSL_CAINFO",
    "SSL_CERT_DIR": "GIT_SSL_CAPATH",
}
"""Which variables of the process say how to reach the network, in upper case, and how git spells them."""

_WEB = re.compile(
    r"https?://(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~%+-]{1,255}){1,20}"
)
"""No user, no query, and no `*`, which would widen the place that the token is sent to."""
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

_ALWAYS = (
    ("credential.helper", ""),
    ("core.askPass", ""),
    ("http.followRedirects", "false"),
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "60"),
    ("submodule.recurse", "false"),
)
_SHOWN = 2_000
"""Characters of what git said that are kept."""


class RemoteError(Exception):
    """The forge's git failed; `problem` is the value to hand on."""

    def __init__(self, problem: CheckoutProblem) -> None:
        """Keep the problem; its detail is already free of secrets."""
        self.problem = problem
        super().__init__(problem.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """One repository on the forge.

    https, or plain http on the loopback interface, where no token can be overheard; `file://` only for those who ask.
    """

    url: str
    """Without any credential."""
    credential: Credential | None = None
    network_env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The process's environment; only proxies and certificates are taken of it."""
    allow_file: bool = False
    timeout_s: float = 600.0
    """For one command."""

    @property
    def scheme(self) -> str:
        """Return the scheme, in lower case."""
        return self.url.partition(":")[0].lower()

    def env(self) -> dict[str, str]:
        """Return what git's process for this repository has in its environment, the credential included."""
        network = {
            spelling: value
            for name, value in self.network_env.items()
            if (spelling := _NETWORK_NAMES.get(name.upper()))
        }
        own = self.credential.settings(self.url) if self.credential and self.scheme != "file" else ()
        return {**network, "GIT_ALLOW_PROTOCOL": self.scheme, **settings_env((*_ALWAYS, *own))}

    def clean(self, text: str) -> str:
        """Return what git said without secrets and not too long, its end kept."""
        known = [self.credential.token] if self.credential else []
        return redactor(known)(text).strip()[-_SHOWN:]


def talk(git: Git, remote: Remote, *argv: str, ok: tuple[int, ...] = (0,)) -> Completed:
    """Run a git command that speaks to the forge. Raises `RemoteError`."""
    check_address(remote)
    speaking = Git(cwd=git.cwd, options=git.options, env=git.env, timeout_s=remote.timeout_s)
    try:
        return speaking.run(*argv, ok=ok, env=remote.env())
    except GitError as error:
        said = error.stderr.decode("utf-8", "replace")
        raise RemoteError(CheckoutProblem(classify_trouble(said), remote.clean(said))) from None


def fetch(git: Git, remote: Remote, refspecs: Sequence[str], *options: str) -> None:
    """Fetch exactly these refs: no tags, no submodules, nothing written but what the refspecs say."""
    drop_stale_locks(git.env["GIT_DIR"])
    fixed = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance")
    talk(git, remote, "fetch", *fixed, *options, "--end-of-options", remote.url, *refspecs)


def remote_head(git: Git, remote: Remote, branch: str) -> str | None:
    """Return where a branch stands on the forge at this moment, None where there is none. Raises `RemoteError`."""
    ref = f"refs/heads/{branch}"
    listed = talk(git, remote, "ls-remote", "--quiet", "--heads", "--end-of-options", remote.url, ref).text
    found = {name: sha for sha, _, name in (line.partition("\t") for line in listed.splitlines())}
    return found.get(ref)


def check_address(remote: Remote) -> None:
    """Raise `RemoteError` for an address that fixloop does not speak to; credentials in it are never repeated."""
    if remote.allow_file and remote.url.startswith("file:///") and remote.url.isprintable():
        return
    web = _WEB.fullmatch(remote.url)
    if not web:
        raise RemoteError(CheckoutProblem(RemoteTrouble.BAD_ADDRESS, "not a plain https address of a repository"))
    if remote.scheme == "http" and urlsplit(remote.url).hostname not in _LOOPBACK:
        raise RemoteError(CheckoutProblem(RemoteTrouble.BAD_ADDRESS, "plain http would show the token to everybody"))


def check_ref(git: Git, ref: str) -> None:
    """Raise `RemoteError` for what git does not take as a full refname (git-check-ref-format(1))."""
    if "\0" in ref or git.run("check-ref-format", ref, ok=(0, 1)).code:
        raise RemoteError(CheckoutProblem(RemoteTrouble.BAD_ADDRESS, f"not a legal name of a ref: {ref!r}"))
