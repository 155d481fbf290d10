"""A report's page in a real browser: quiet, alone, readable on a phone and in the dark."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.fakes.run_history import write_history, write_long_run
from tests.system.toolchains import install

PHONE, DESK = {"width": 400, "height": 800}, {"width": 1200, "height": 800}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    install({"chromium": "chromium"})
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the pages of a run with one attempt, of one with 200, and of 40 runs."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for attempts in (1, 200):
        root = tmp_path_factory.mktemp("state")
        made[f"{attempts} attempts"] = report(root, folder, write_long_run(root, attempts=attempts, seed=attempts))
    root = write_history(tmp_path_factory.mktemp("state"), runs=40, seed=3).root
    return {**made, "40 runs": report(root, folder)}


def report(root: Path, folder: Path, *run: str) -> Path:
    """Write a page through the command, as a person would."""
    page = folder / f"{root.name}.html"
    command = [sys.executable, "-m", "fixloop_bot", "report", *run, "--state-dir", str(root), "--html", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    return page


def opened(browser: Browser, path: Path, *, size: dict[str, int], scheme: str = "light") -> tuple[Page, list[str]]:
    """Open the page; return it with everything that it asked for or complained about."""
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    heard: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        heard.append(message.text)

    def on_request(request: Request) -> None:
        heard.append(request.url)

    page.on("console", on_console)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", on_request)
    page.goto(path.as_uri())
    return page, heard


@pytest.mark.parametrize("name", ["1 attempts", "200 attempts", "40 runs"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["on a phone", "on a desk"])
def test_the_page_opens_in_silence_and_fits(
    browser: Browser, pages: dict[str, Path], name: str, size: dict[str, int]
) -> None:
    page, heard = opened(browser, pages[name], size=size)
    assert heard == [pages[name].as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    labels = page.evaluate("[...document.querySelectorAll('svg.names text')].map(t => t.getBoundingClientRect().left)")
    assert labels
    assert min(labels) >= 0, "a lane's name is cut off"
    assert page.evaluate("[...document.querySelectorAll('svg.area')].every(s => s.getBoundingClientRect().width > 200)")
    page.context.close()


@pytest.mark.parametrize("name", ["1 attempts", "200 attempts", "40 runs"])
def test_no_two_numbers_below_a_plot_touch_on_a_phone(browser: Browser, pages: dict[str, Path], name: str) -> None:
    page, _ = opened(browser, pages[name], size=PHONE)
    gaps = page.evaluate(
        "[...document.querySelectorAll('svg.area')].flatMap(s => {"
        " const b = [...s.querySelectorAll('text.tick')].map(t => t.getBoundingClientRect());"
        " return b.slice(1).map((r, i) => r.left - b[i].right); })"
    )
    assert min(gaps, default=1) > 0
    page.context.close()


@pytest.mark.parametrize(("name", "rows"), [("1 attempts", 1), ("200 attempts", 200)])
def test_every_attempt_has_its_row_and_its_mark(browser: Browser, pages: dict[str, Path], name: str, rows: int) -> None:
    page, _ = opened(browser, pages[name], size=DESK)
    assert page.locator("tbody tr").count() == rows
    assert page.locator("figure").first.locator("circle.mark").count() == rows
    assert page.get_by_role("img").count() == 4
    assert page.get_by_role("region", name="Attempts").count() == 1
    assert page.locator("script").count() == 0
    page.context.close()


def test_every_run_has_its_row(browser: Browser, pages: dict[str, Path]) -> None:
    page, _ = opened(browser, pages["40 runs"], size=DESK)
    assert page.get_by_role("region", name="Runs, newest first").locator("tbody tr").count() == 40
    page.context.close()


def test_the_dark_has_colours_of_its_own_and_both_can_be_read(browser: Browser, pages: dict[str, Path]) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        page, _ = opened(browser, pages["200 attempts"], size=DESK, scheme=scheme)
        colours[scheme] = page.evaluate(
            "['body', 'td.good', 'td.bad', 'figure .note'].map(s => getComputedStyle(document.querySelector(s)).color)"
            ".concat(getComputedStyle(document.body).backgroundColor)"
        )
        page.context.close()
    assert not set(colours["light"]) & set(colours["dark"])
    for scheme, (*texts, ground) in colours.items():
        for text in texts:
            assert contrast(text, ground) >= 4.5, (scheme, text, ground)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two `rgb(r, g, b)` colours (WCAG 2.2, 1.4.3)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
