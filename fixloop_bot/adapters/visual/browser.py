"""Pages in Chromium, drawn the same each time; it can reach nothing but the files of one folder."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, Route, WebSocketRoute, sync_playwright
from playwright.sync_api import Page as Tab

from fixloop_bot.adapters.visual.compare import MASK_COLOUR
from fixloop_bot.adapters.visual.site import ORIGIN, Site
from fixloop_bot.core.visual import candidates
from fixloop_bot.model.visual import Box, Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--disable-dev-shm-usage",  # a container's /dev/shm may be small
    "--disable-gpu",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--hide-scrollbars",
)
WIDTH, HEIGHT = 1280, 720
MAX_HEIGHT = 5_000
"""Pixels of a long page that are looked at."""
NOW = "2026-01-01T12:00:00Z"
"""What every page takes the time for."""
TIMEOUT_MS = 30_000
STILL = 6
"""Pictures at most until two in a row are the same."""
NAMED = 3
"""Elements that are named for a difference."""

_SETTLED = """async () => {
    await document.fonts.ready;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
_PAGE_HEIGHT = "() => Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)"
_ELEMENTS = """([left, top, right, bottom, most]) => {
    const found = [];
    for (const element of document.body.querySelectorAll('*')) {
        const { x, y, width, height } = element.getBoundingClientRect();
        const [l, t] = [x + scrollX, y + scrollY];
        const common = (Math.min(right, l + width) - Math.max(left, l)) * (Math.min(bottom, t + height) - Math.max(top, t));
        if (l >= right || t >= bottom || l + width <= left || t + height <= top || common <= 0) continue;
        const both = width * height + (right - left) * (bottom - top) - common;
        const name = element.localName + (element.id && '#' + element.id) + [...element.classList].map(c => '.' + c).join('');
        found.push([common / both, name]);
    }
    return found.sort((a, b) => b[0] - a[0]).slice(0, most).map(one => String(one[1]).slice(0, 120));
}"""  # noqa: E501


class NoBrowserError(Exception):
    """No Chromium, or none that starts; the text names what is missing."""


class RenderError(Exception):
    """A page that gives no picture."""


@dataclass(frozen=True, slots=True)
class Studio:
    """A browser, and the site that it shows."""

    context: BrowserContext
    site: Site
    selectors: Sequence[str]
    """Elements that are painted over."""

    @contextmanager
    def open(self, page: Page) -> Iterator["View"]:
        """Show a page. Raises `RenderError`."""
        file = next((name for name in candidates(page) if self.site.find(name)), None)
        if file is None:
            raise RenderError(f"there is no file {page.path}")
        self.site.loaded.clear()
        tab = self.context.new_page()
        try:
            tab.goto(self.site.address(file, page.query), wait_until="load", timeout=TIMEOUT_MS)
            tab.evaluate(_SETTLED)
            yield View(tab, replace(page, path=file), self.selectors)
        except Error as error:
            raise RenderError(_first_line(error)) from error
        finally:
            tab.close()


@dataclass(frozen=True, slots=True)
class View:
    """A page that is shown."""

    tab: Tab
    page: Page
    selectors: Sequence[str]

    def picture(self) -> bytes:
        """Return the page as PNG, once two pictures in a row are the same."""
        before = b""
        for _ in range(STILL):
            now = self._shot()
            if now == before:
                break
            before = now
        return now

    def _shot(self) -> bytes:
        height = min(max(int(self.tab.evaluate(_PAGE_HEIGHT)), HEIGHT), MAX_HEIGHT)
        return self.tab.screenshot(
            full_page=True,
            clip={"x": 0, "y": 0, "width": WIDTH, "height": height},
            animations="disabled",
            caret="hide",
            scale="css",
            mask=[self.tab.locator(selector) for selector in self.selectors],
            mask_color=MASK_COLOUR,
            timeout=TIMEOUT_MS,
        )

    def elements(self, box: Box) -> tuple[str, ...]:
        """Return the elements that lie best where a difference is, as CSS would select them; data of the page's."""
        found = self.tab.evaluate(_ELEMENTS, [*box, NAMED])
        names = [str(name)[:120] for name in found[:NAMED]] if isinstance(found, list) else []
        return tuple(name for name in names if name.isprintable())


@contextmanager
def open_studio(root: Path, selectors: Sequence[str]) -> Iterator[Studio]:
    """Start Chromium. Raises `NoBrowserError`."""
    site = Site(root.resolve())
    with sync_playwright() as playwright:
        bundled = playwright.chromium.executable_path
        program = bundled if Path(bundled).exists() else next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise NoBrowserError("no Chromium was found")
        try:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS, chromium_sandbox=False)
        except Error as error:
            raise NoBrowserError(f"Chromium could not be started ({_first_line(error)})") from error
        try:
            yield Studio(_context(browser, site), site, selectors)
        finally:
            browser.close()


def _context(browser: Browser, site: Site) -> BrowserContext:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=1,
        reduced_motion="reduce",
        color_scheme="light",
        locale="en-US",
        timezone_id="UTC",
        service_workers="block",
        accept_downloads=False,
    )
    context.set_default_timeout(TIMEOUT_MS)
    context.clock.set_fixed_time(NOW)
    context.route("**/*", lambda route: _answer(route, site))
    context.route_web_socket("**/*", _refuse)
    return context


def _answer(route: Route, site: Site) -> None:
    """Answer from the folder what is asked of the site; nothing else leaves the browser."""
    answer = site.answer(route.request.url)
    if answer is not None:
        body, kind = answer
        route.fulfill(body=body, content_type=kind)
    elif route.request.url.startswith(f"{ORIGIN}/"):
        route.fulfill(status=404, body="")
    else:
        route.abort("blockedbyclient")


def _refuse(socket: WebSocketRoute) -> None:
    socket.close()


def _first_line(error: Error) -> str:
    line = next((part for part in error.message.splitlines() if part.strip()), "")
    return "".join(char for char in line if char.isprintable())[:300]
