"""The dashboard in a real browser: quiet, readable on a phone and in the dark, and an answer that is really done."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.conftest import open_hub
from tests.e2e.service_stage import serving
from tests.e2e.test_decision import asked, stale
from tests.e2e.workspace import Workspace
from tests.entrypoints.dashboard_folder import EVIL, begin, origin_of, question, wait
from tests.fakes.github import FakeGitHub
from tests.fakes.model_server import ModelServer
from tests.fakes.run_history import write_history, write_long_run
from tests.system.dashboard_stage import Served, opened, served
from tests.system.test_report_page import DESK, PHONE, contrast
from tests.system.toolchains import install

PAGES = ("/", "/decisions", "/productivity", "/health")
PATHS = (
    *PAGES,
    "/runs/0/long-run",
    "/runs/0/waits",
    "/?text=%3Cscript%3E",
    "/runs/0/titled",
    "/?repository=octo%2Fshop",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    install({"chromium": "chromium"})
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve 10,000 runs, one with 200 attempts, and one that waits with an attacker's words and pull request."""
    root = write_history(tmp_path_factory.mktemp("state"), runs=10_000, seed=3).root
    write_long_run(tmp_path_factory.mktemp("long"), attempts=200, seed=1)
    shutil.copytree(tmp_path_factory.getbasetemp() / "long0", root, dirs_exist_ok=True)
    wait(root, question())
    begin(root, "titled", origin=origin_of())
    with served(root) as found:
        yield found


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["on a phone", "on a desk"])
def test_every_page_is_silent_and_fits(browser: Browser, full: Served, path: str, size: dict[str, int]) -> None:
    with opened(browser, full, size=size) as (page, heard):
        page.goto(full.address + path)
        assert set(heard) <= {full.address + path, f"{full.address}/style.css", "data:,"}
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert page.locator("script, img, iframe").count() == 0
        unnamed = "input:not([type=hidden]), select, textarea"
        assert page.evaluate(f"[...document.querySelectorAll('{unnamed}')].every(one => one.labels.length)")
        assert page.locator("h1").count() == 1


@pytest.mark.parametrize("runs", [0, 1], ids=["no run", "one run"])
def test_every_page_is_there_from_the_first_run_on(browser: Browser, tmp_path: Path, runs: int) -> None:
    if runs:
        wait(tmp_path / "state", question())
    with served(tmp_path / "state") as board, opened(browser, board, size=PHONE) as (page, heard):
        for path in PAGES:
            answered = page.goto(board.address + path)
            assert answered is not None
            assert answered.status == 200
        page.goto(board.address)
        words = "1 of 1 run." if runs else "No run yet."
        expect(page.get_by_text(words)).to_be_visible()
        assert all(one.startswith((board.address, "data:,")) for one in heard), heard


def test_a_person_without_a_mouse_finds_a_run(browser: Browser, full: Served) -> None:
    with opened(browser, full, size=DESK) as (page, _):
        page.goto(full.address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        page.get_by_label("Text").focus()
        page.keyboard.type("long-run")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_have_text("1 of 10,003 runs.")
        page.get_by_role("link", name="long-run").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Run long-run")
        for landmark in ("banner", "main", "contentinfo"):
            assert page.get_by_role(landmark).count() == 1
        assert page.get_by_role("navigation", name="Pages").locator("[aria-current]").inner_text() == "Runs"
        page.get_by_role("link", name="Health").press("Enter")
        assert page.locator("[aria-current=page]").inner_text() == "Health"


def test_a_watched_run_is_drawn_anew_with_and_without_a_script(browser: Browser, tmp_path: Path) -> None:
    begin(tmp_path, "live", iterations=1)
    with served(tmp_path) as board, opened(browser, board, size=DESK) as (page, heard):
        plain = browser.new_context(java_script_enabled=False).new_page()
        plain.goto(board.keyed)
        for each in (page, plain):
            each.goto(f"{board.address}/runs/0/live?live=1")
            expect(each.get_by_text("Attempts: 1 of 3.")).to_be_visible()
        page.evaluate("window.same = true")
        page.get_by_role("link", name="Stop").focus()
        begin(tmp_path, "live", iterations=2)
        for each in (page, plain):
            expect(each.get_by_text("Attempts: 2 of 3.")).to_be_visible(timeout=15_000)
        assert page.evaluate("window.same")
        wait(tmp_path, question(words=EVIL), run_id="live")
        expect(page.get_by_role("heading", name="Waits for your answer")).to_be_visible(timeout=15_000)
        expect(page.get_by_role("status")).to_have_text("NEED_DECISION: 0 attempts so far.")
        assert page.locator("[hx-get]").count() == 0, "what has ended is not asked for any more"
        allowed = (board.address, "data:,")
        assert all(one.startswith(allowed) for one in heard), heard
        plain.context.close()


def test_a_person_signs_in_is_asked_about_and_signs_out(browser: Browser, tmp_path: Path) -> None:
    with FakeGitHub() as github, ModelServer([]) as model:
        hub = open_hub(github, tmp_path)
        app = github.app("fixloop")
        app.callback_urls = ("http://127.0.0.1/dashboard/sign-in/done",)
        installed = github.install(app, hub.shop)
        pull = hub.break_it()
        origin = replace(origin_of(pull.number), installation_id=installed.id, repository_id=hub.shop.id)
        wait(tmp_path / "service state/records", question(), origin=origin)
        with (
            serving(
                hub,
                model,
                FIXLOOP_APP_CLIENT_ID=app.client_id,
                FIXLOOP_APP_CLIENT_SECRET=app.client_secret,
                FIXLOOP_DASHBOARD_USERS="rita",
            ) as service,
            opened(browser, size=PHONE) as (page, heard),
        ):
            github.browser_login = "rita"
            page.goto(f"{service.url}/dashboard/decisions")
            page.get_by_role("link", name="Sign in with GitHub").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Decisions that wait")
            assert EVIL.replace("\u202e", "") in page.locator("q").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
            page.get_by_role("radio", name="B: Repair the code").check()
            page.get_by_role("button", name="Send the answer").click()
            expect(page.get_by_role("status")).to_contain_text("need write permission", timeout=20_000)
            page.get_by_role("button", name="Sign out").press("Enter")
            expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
            assert all(one.startswith((service.url, github.site, "data:,")) for one in heard), heard


def test_pages_lead_on_and_keep_the_filter(browser: Browser, full: Served) -> None:
    with opened(browser, full, size=DESK) as (page, _):
        page.goto(full.address)
        page.get_by_label("Branch").fill("fix/totals")
        page.get_by_role("button", name="Show").click()
        page.get_by_label("Branch").fill("")
        page.get_by_role("button", name="Show").click()
        page.get_by_role("link", name="Older").click()
        expect(page.get_by_role("status")).to_have_text("10,003 of 10,003 runs, page 2 of 201.")


def test_both_schemes_can_be_read(browser: Browser, full: Served) -> None:
    for scheme in ("light", "dark"):
        with opened(browser, full, size=DESK, scheme=scheme) as (page, _):
            page.goto(f"{full.address}/decisions")
            shown = "['body', 'a', '.diff .add', '.diff .del', '.diff .at', 'legend', '.above', 'footer']"
            colours = page.evaluate(f"{shown}.map(s => getComputedStyle(document.querySelector(s)).color)")
            grounds = page.evaluate(
                "['body', '.diff', 'button'].map(s => getComputedStyle(document.querySelector(s)).backgroundColor)"
            )
            text = page.evaluate("getComputedStyle(document.querySelector('button')).color")
        assert contrast(text, grounds[2]) >= 4.5
        for colour in colours:
            assert min(contrast(colour, ground) for ground in grounds[:2]) >= 4.5, (scheme, colour)


def test_an_attackers_words_are_seen_as_they_are(browser: Browser, full: Served) -> None:
    with opened(browser, full, size=DESK) as (page, heard):
        page.goto(f"{full.address}/decisions")
        assert EVIL.replace("\u202e", "") in page.locator("h2").inner_text()
        page.get_by_role("radio").first.check()
        page.get_by_role("button", name="Send the answer").click()
        expect(page.get_by_role("status")).to_have_text("The run's worktree is not here: type the command there.")
        assert all(one.startswith((full.address, "data:,")) for one in heard), heard


def test_an_answer_is_really_done(browser: Browser, workspace: Workspace) -> None:
    start = stale(workspace)
    run = asked(workspace)
    with served(workspace.state, env=workspace.environment()) as board, opened(browser, board, size=PHONE) as (page, _):
        page.goto(board.address)
        page.get_by_role("link", name="Decisions").click()
        page.get_by_role("radio", name="A: expect 24").check()
        page.get_by_role("button", name="Send the answer").click()
        said = re.compile("^The run (goes on with it, as process|went on with it and has ended. DONE)")
        expect(page.get_by_role("status")).to_have_text(said, timeout=20_000)
        page.get_by_role("link", name="Back to the run").click()
        for _ in range(60):
            if page.get_by_text("DONE (Succeeded)").count():
                break
            page.wait_for_timeout(500)
            page.reload()
        expect(page.get_by_text(f"Run {run}").last).to_contain_text("DONE (Succeeded)")
        assert workspace.subjects(start) == ["fix-loop: test clean (decision)"]
        assert page.get_by_text("Evidence of the gate").count() == 1
