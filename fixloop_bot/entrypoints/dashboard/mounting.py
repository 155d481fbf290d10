"""The dashboard within `fixloop serve`, under `/dashboard`: on where nobody can read it who should not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

from starlette.routing import Mount

from fixloop_bot.adapters.codec import CodecError, decode
from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.git.shown import committed_diff
from fixloop_bot.adapters.github.sign_in import SignInAccess
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.state_folder import safe_name
from fixloop_bot.entrypoints.dashboard.access import LOOPBACK, Access, is_loopback
from fixloop_bot.entrypoints.dashboard.app import dashboard
from fixloop_bot.entrypoints.dashboard.key import Key
from fixloop_bot.entrypoints.dashboard.service_answers import RunQueue, ServiceAnswers
from fixloop_bot.entrypoints.dashboard.sessions import Sessions
from fixloop_bot.entrypoints.dashboard.sign_in import Readers, SignIn
from fixloop_bot.entrypoints.dashboard.sources import ServiceSide, Source, Sources
from fixloop_bot.entrypoints.dashboard_settings import DashboardSettings, Switch
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.delivery import Checkout
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.service_health import ServiceHealth
from fixloop_bot.model.spending import Spending

PATH: Final = "/dashboard"
KEY_FILE: Final = "dashboard-key"
HOW_TO: Final = (
    "others than this machine can connect: set FIXLOOP_APP_CLIENT_ID, FIXLOOP_APP_CLIENT_SECRET and "
    "FIXLOOP_DASHBOARD_USERS or FIXLOOP_DASHBOARD_ORG for GitHub sign-in, or FIXLOOP_DASHBOARD_PROXY_HEADER and "
    "FIXLOOP_DASHBOARD_PROXY_SECRET for a proxy that knows people; and FIXLOOP_DASHBOARD_URL, where they find it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What the service has, as far as the dashboard shows it."""

    records: HistoryCache
    """The records of all runs."""
    jobs: Path
    """The folder of the jobs' folders, with the clones of the runs under way."""
    host: str
    """The address that is listened on."""
    port: int
    queue: RunQueue
    """Used in any thread."""
    github: ServiceSettings
    redact: Callable[[str], str]
    spending: Callable[[], Sequence[Spending]] | None = None
    health: Callable[[], ServiceHealth] | None = None


def mounted(served: Served, settings: DashboardSettings, log: ServiceLog) -> Mount | None:
    """Return the dashboard's place among the routes, None where it is off; the log says which, and why.

    Raises `SettingsError` where it is demanded and must not be.
    """
    if settings.switch is Switch.OFF:
        log.note("dashboard", on="no", why="FIXLOOP_DASHBOARD is off")
        return None
    sign_in = _sign_in(served.github, settings) if settings.signs_in else None
    access = access_of(served.host, settings, sign_in)
    if access is None:
        if settings.switch is Switch.ON:
            raise SettingsError(f"FIXLOOP_DASHBOARD is on, but {HOW_TO}")
        log.note("dashboard", on="no", why=HOW_TO)
        return None
    who = "who signs in" if sign_in else "whom the proxy names" if access.proxy_header else "who has the key"
    told = _keep_key(served, access.key) if access.key else {}
    log.note("dashboard", on="yes", path=PATH, readers=who, **told)
    return Mount(PATH, dashboard(_sources(served), access, sign_in))


def access_of(host: str, settings: DashboardSettings, sign_in: SignIn | None) -> Access | None:
    """Return who may speak to it; None where nobody would ask them who they are, and others could connect.

    Raises `SettingsError` for a proxy that could not be told from anybody else.
    """
    names = frozenset(name for name in (settings.host,) if name) - LOOPBACK
    if sign_in is not None:
        return Access(names=names, sessions=sign_in.sessions, secure=settings.is_secure)
    if settings.proxy_header:
        secret = settings.secret_of_proxy
        header = settings.proxy_header
        return Access(names=names, proxy_header=header, proxy_secret=secret, secure=settings.is_secure)
    key = Key(place=f"in the file records/{KEY_FILE} of the service's state folder")
    return Access(direct=True, key=key) if is_loopback(host) else None


def _keep_key(served: Served, key: Key) -> dict[str, str]:
    """Write the address with the key where the service's user alone can read it; return what the log may say of it."""
    file = served.records.folder.root / KEY_FILE
    shown = f"[{served.host}]" if ":" in served.host else served.host
    address = f"http://{shown}:{served.port}{PATH}/"
    try:
        write_durably(file, f"{key.address(address)}\n".encode())
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from None
    return {"address": address, "key_file": str(file)}


def _sign_in(github: ServiceSettings, settings: DashboardSettings) -> SignIn:
    secret = settings.client_secret.get_secret_value() if settings.client_secret else ""
    access = SignInAccess(
        client_id=settings.client_id,
        client_secret=secret,
        server_url=github.server_url.rstrip("/"),
        api_url=github.api_url.rstrip("/"),
    )
    readers = Readers(users=settings.logins, organization=settings.organization.strip())
    sessions = Sessions(secure=settings.is_secure)
    return SignIn(access=access, readers=readers, public_url=settings.url, sessions=sessions)


def _sources(served: Served) -> Sources:
    records = served.records
    Thread(target=records.read, daemon=True).start()  # many runs take seconds, which the first reader need not wait

    source = Source(
        number=0,
        records=records,
        flags=("--state-dir", str(records.folder.root)),
        answers=ServiceAnswers(records, served.queue, served.github),
        service=ServiceSide(site=served.github.server_url.rstrip("/"), open_runs=served.queue.open_runs),
        diff=lambda run: clone_diff(served.jobs, run),
    )
    return Sources((source,), served.redact, spending=served.spending, health=served.health)


def clone_diff(jobs: Path, run: RunFacts) -> str:
    """Return what a run under way has committed; empty once its clone is gone, or where another machine has it."""
    if run.standing is None:
        return ""
    try:
        note = (jobs / safe_name(run.run_id) / "checkout.json").read_bytes()
        return committed_diff(decode(note, Checkout), run.standing.start, run.standing.head)
    except (OSError, CodecError):
        return ""
