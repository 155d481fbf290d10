"""`fixloop dashboard` before a real browser that was given its address."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Dialog, Page

from tests.fakes.until import ended


@dataclass(frozen=True)
class Served:
    """A dashboard that runs; `keyed` is the address that it printed."""

    keyed: str

    @property
    def address(self) -> str:
        """Return it without the key, and without a slash at the end."""
        return self.keyed.partition("/?")[0]


@contextmanager
def served(*roots: Path, env: Mapping[str, str] | None = None) -> Iterator[Served]:
    """Serve through the command, as a person would."""
    folders = [word for root in roots for word in ("--state-dir", str(root))]
    command = [sys.executable, "-m", "fixloop_bot", "dashboard", "--port", "0", *folders]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
    with ended(started) as process:
        assert process.stdout is not None
        yield Served(process.stdout.readline().strip())
        process.send_signal(signal.SIGINT)
        process.wait(20)


@contextmanager
def opened(
    browser: Browser, board: Served | None = None, *, size: dict[str, int], scheme: str = "light"
) -> Iterator[tuple[Page, list[str]]]:
    """Give a page that has been given the key, and everything that it asked for or complained about since."""
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    if board is not None:
        first = context.new_page()
        first.goto(board.keyed)
        assert first.url == f"{board.address}/"
        first.close()
    page, heard = context.new_page(), list[str]()

    def on_dialog(dialog: Dialog) -> None:
        heard.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: heard.append(request.url))
    page.on("dialog", on_dialog)
    yield page, heard
    context.close()
