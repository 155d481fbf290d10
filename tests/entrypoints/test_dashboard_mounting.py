"""The dashboard in the service: on where nobody reads it who should not, and never in the webhook's way."""

import hashlib
import re
from importlib.resources import files
from pathlib import Path
from shutil import rmtree

import pytest
from pydantic import ValidationError

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import encode, to_json_value
from fixloop_bot.adapters.git.clone import make_clone
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.service_database import open_database
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.dashboard.drawing import htmx
from fixloop_bot.entrypoints.dashboard.mounting import mounted
from fixloop_bot.entrypoints.dashboard_settings import DashboardSettings
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.delivery import Checkout
from fixloop_bot.model.service_health import NoProgress, ServiceHealth, WorkerHealth
from fixloop_bot.model.spending import Scope, Spending
from fixloop_bot.ports.jobs import Capacity, JobKind, JobOrder
from tests.entrypoints.dashboard_folder import begin, origin_of, question, wait
from tests.entrypoints.service_board import HOST, QueueIn, browser_of, named, served_from

SIGNED = {"FIXLOOP_APP_CLIENT_ID": "Iv1.1", "FIXLOOP_APP_CLIENT_SECRET": "a secret"}

PROXY = {"FIXLOOP_DASHBOARD_PROXY_HEADER": "X-User", "FIXLOOP_DASHBOARD_PROXY_SECRET": "sixteen-letters-and-more"}


def settings(**more: str) -> DashboardSettings:
    return DashboardSettings.model_validate(named(more))


@pytest.mark.parametrize(
    ("host", "given", "readers"),
    [
        pytest.param("127.0.0.1", {}, "who has the key", id="loopback"),
        pytest.param("::1", {}, "who has the key", id="loopback of IPv6"),
        pytest.param("0.0.0.0", {}, None, id="the network, and nobody is asked"),
        pytest.param("192.0.2.1", SIGNED, None, id="the network, and nobody may read"),
        pytest.param("0.0.0.0", {**SIGNED, "FIXLOOP_DASHBOARD_USERS": "pat"}, "who signs in", id="sign-in"),
        pytest.param("127.0.0.1", {**SIGNED, "FIXLOOP_DASHBOARD_ORG": "octo"}, "who signs in", id="also on loopback"),
        pytest.param("0.0.0.0", PROXY, "whom the proxy names", id="a proxy"),
        pytest.param("127.0.0.1", {"FIXLOOP_DASHBOARD": "off"}, None, id="off"),
    ],
)
def test_it_is_on_where_that_is_safe_and_the_log_says_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str, given: dict[str, str], readers: str | None
) -> None:
    found = mounted(served_from(tmp_path, host=host), DashboardSettings.model_validate(given), ServiceLog(redactor(())))
    said = capsys.readouterr().err
    assert (found is None) == (readers is None)
    assert f'"readers": "{readers}"' in said if readers else '"on": "no"' in said
    if host != "127.0.0.1" and readers is None:
        assert "FIXLOOP_DASHBOARD_USERS" in said


def test_where_it_is_demanded_and_must_not_be_the_service_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="FIXLOOP_APP_CLIENT_ID"):
        mounted(served_from(tmp_path, host="0.0.0.0"), settings(on="on"), ServiceLog(redactor(())))


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_proxy_that_anybody_could_play_stops_the_service_before_it_starts(tmp_path: Path, host: str) -> None:
    with pytest.raises(SettingsError, match="FIXLOOP_DASHBOARD_PROXY_SECRET"):
        mounted(served_from(tmp_path, host=host), settings(proxy_header="X-User"), ServiceLog(redactor(())))


def test_the_proxy_s_cookie_is_of_this_host_alone_where_people_come_by_https(tmp_path: Path) -> None:
    given = settings(proxy_header="X-User", proxy_secret="a-secret-of-16-letters", url="https://bot.example/dashboard")
    browser = browser_of(served_from(tmp_path), given, host="https://bot.example")
    sent = {"X-User": "ada", "X-Fixloop-Proxy-Secret": "a-secret-of-16-letters"}
    cookie = browser.get("/dashboard/", headers=sent).headers["Set-Cookie"]
    assert cookie.startswith("__Host-fixloop-dashboard=")
    assert "; Path=/; SameSite=strict; Secure" in cookie


@pytest.mark.parametrize(
    "given",
    [
        {"url": "bot.example/dashboard"}, {"url": "https://bot.example/"}, {"url": "https://a@bot.example/dashboard"},
        {"url": "https://bot.example/dashboard?x"}, {"url": "https://bot.example/x/dashboard"},
        {"proxy_header": "X User"}, {"proxy_secret": "x" * 15}, {"proxy_secret": "x" * 15 + " y"},
        {"users": "a b"}, {"org": "a/b"}, {"on": "maybe"},
    ],
    ids=str,
)  # fmt: skip
def test_a_setting_that_means_nothing_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        settings(**given)


def test_the_webhook_hears_every_name_and_the_dashboard_only_its_own(tmp_path: Path) -> None:
    browser = browser_of(served_from(tmp_path), settings())
    foreign = {"Host": "evil.example"}
    assert browser.get("/healthz", headers=foreign).text == "ok\n"
    assert browser.post("/webhook", headers=foreign, content=b"{}").status_code in (400, 401)
    assert browser.get("/dashboard/", headers=foreign).status_code == 421
    assert "Content-Security-Policy" not in browser.get("/healthz").headers
    assert browser.get("/dashboard").headers["Location"].endswith("/dashboard/")
    assert "The first pull request" in browser.get("/dashboard/").text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_what_is_open_to_this_machine_is_closed_to_what_a_proxy_passes_on(tmp_path: Path, header: str) -> None:
    assert browser_of(served_from(tmp_path), settings()).get("/dashboard/", headers={header: "x"}).status_code == 403


def test_budgets_workers_and_stuck_runs_are_shown(tmp_path: Path) -> None:
    health = ServiceHealth(
        jobs={"waiting": 3, "running": 1},
        oldest_waiting_s=754,
        workers=(WorkerHealth(name="host-1", seen_s=2, running=1), WorkerHealth(name="<b>", seen_s=900, is_late=True)),
        no_progress=(NoProgress(run_id="r9", repository="octo/shop", silent_s=7300),),
    )
    budgets = (
        Spending(scope=Scope.REPOSITORY, key="octo/<shop>", day="2026-11-30", spent_usd=41.5, limit_usd=50),
        Spending(scope=Scope.AUTHOR, key="mallory", day="2026-11-30", spent_usd=21, limit_usd=20),
        Spending(scope=Scope.PULL_REQUEST, key="octo/shop#5", spent_usd=1, limit_usd=None),
    )
    served = served_from(tmp_path, spending=lambda: budgets, health=lambda: health)
    browser = browser_of(served, settings())
    page = browser.get("/dashboard/health").text
    for words in ("has waited 13 min", "15 min ago", "silent too long", "2.0 h", "&lt;b&gt;", "Jobs, waiting"):
        assert words in page
    spend = browser.get("/dashboard/productivity").text
    for words in ("Spend against budgets", "octo/&lt;shop&gt;", "$8.50", "83.0 %", "105.0 %", "none"):
        assert words in spend
    assert spend.index("mallory") < spend.index("octo/&lt;shop&gt;")


def test_what_a_run_has_committed_is_shown_while_its_clone_is_there(tmp_path: Path) -> None:
    git = make_clone(tmp_path / "jobs/live/clone")
    start, head = (commit(git, text) for text in ("old\n", "<b>new</b>\n"))
    made = Checkout(
        root=git.env["GIT_WORK_TREE"], git_dir=git.cwd, branch=None, head_sha=start, base_sha=None, merge_base=None
    )
    (tmp_path / "jobs/live/checkout.json").write_text(encode(to_json_value(made)))
    begin(tmp_path, "live", origin=origin_of(), commits=(start, head))
    browser = browser_of(served_from(tmp_path), settings())
    page = browser.get("/dashboard/runs/0/live").text
    assert '<span class="add">+&lt;b&gt;new&lt;/b&gt;' in page
    assert "No worker has it in hand" in page
    watched = browser.get("/dashboard/runs/0/live?live=1").text
    (seen,) = re.findall(r"seen=([0-9a-f]{16})", watched)
    assert browser.get(f"/dashboard/runs/0/live?live=1&seen={seen}").status_code == 204
    rmtree(tmp_path / "jobs")
    assert "Committed so far" not in browser.get("/dashboard/runs/0/live").text


def commit(git: Git, text: str) -> str:
    """Return a commit whose one file has this text."""
    blob = git.run("hash-object", "-w", "--stdin", stdin=text.encode()).text
    tree = git.run("mktree", stdin=f"100644 blob {blob}\ta.txt\n".encode()).text
    return git.run("commit-tree", "-m", "x", tree).text


def test_the_vendored_script_is_the_one_that_was_published() -> None:
    found = hashlib.sha256(htmx()).hexdigest()
    assert found == "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
    static = files("fixloop_bot.entrypoints.dashboard") / "static"
    assert "Zero-Clause BSD" in (static / "htmx-LICENSE.txt").read_text()


def test_an_answered_question_is_shown_as_queued_and_then_as_under_way(tmp_path: Path) -> None:
    wait(tmp_path, question(), run_id="old-run", origin=origin_of())
    browser = browser_of(served_from(tmp_path), settings())
    assert "NEED_DECISION</td>" in browser.get("/dashboard/").text
    order = JobOrder(
        job_id="old-run-2", kind=JobKind.RUN, repository="octo/shop", branch=origin_of().branch, installation_id=1,
        delivery_id="d", event="dashboard", body=b"",
    )  # fmt: skip
    QueueIn(tmp_path).submit(order)
    runs = browser.get("/dashboard/").text
    assert "octo/shop:feature: run old-run-2" in runs
    assert "SUPERSEDED</td>" in runs
    assert "1 is answered" in browser.get("/dashboard/decisions").text
    assert "Run old-run-2 on this branch is queued" in browser.get("/dashboard/runs/0/old-run").text
    queued = browser.get("/dashboard/runs/0/old-run-2")
    assert (queued.status_code, "The run is queued." in queued.text) == (404, True)
    assert browser.post("/dashboard/runs/0/old-run/answer", headers={"Origin": HOST}).status_code == 409
    with open_database("", tmp_path, SystemClock()) as database:
        assert JobClaims(database, "w", Capacity()).claim(JobKind.RUN)
    begin(tmp_path, "old-run-2", origin=origin_of())
    assert '<a href="/dashboard/runs/0/old-run-2">old-run-2</a>' in browser.get("/dashboard/runs/0/old-run").text
    assert "A worker has it in hand." in browser.get("/dashboard/runs/0/old-run-2").text


def test_where_nobody_is_named_a_question_is_shown_and_not_answered(tmp_path: Path) -> None:
    wait(tmp_path, question(), run_id="r", origin=origin_of())
    page = browser_of(served_from(tmp_path), settings()).get("/dashboard/decisions").text
    assert "<form" not in page
    assert "sign-in must be switched on" in page
    assert "/fixloop decide A" in page
