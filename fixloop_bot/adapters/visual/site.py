"""The worktree as a site of its own: every request of a page is answered from its files, and none leaves."""

import mimetypes
import posixpath
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

ORIGIN = "http://localhost"
"""No socket is ever opened for it: the browser's requests are answered before they are sent."""
CLOSED = (".fixloop/", ".git/")
"""A page must not show the picture that it is compared with."""
MAX_FILE = 50_000_000
MAX_LOADED = 200


@dataclass(slots=True)
class Site:
    """The files below one folder, and which of them were asked for."""

    root: Path
    loaded: list[str] = field(default_factory=list)

    def address(self, path: str, query: str) -> str:
        """Return a file's address."""
        return f"{ORIGIN}/{quote(path)}{query}"

    def find(self, path: str) -> Path | None:
        """Return the regular file at a relative path, None where there is none inside of the folder."""
        try:
            real = (self.root / path).resolve()
            inside = real.is_file() and real.is_relative_to(self.root) and real.stat().st_size <= MAX_FILE
        except (OSError, ValueError, RuntimeError):
            return None
        return real if inside else None

    def answer(self, address: str) -> tuple[bytes, str] | None:
        """Return the content and its type for an address of this site, None for every other and for no file."""
        parts = urlsplit(address)
        if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
            return None
        path = posixpath.normpath("/" + unquote(parts.path)) + "/" * parts.path.endswith("/")
        path = path.lstrip("/")
        if path.startswith(CLOSED):
            return None
        file = self.find(f"{path}index.html" if path.endswith("/") or not path else path)
        if file is None:
            return None
        name = file.relative_to(self.root).as_posix()
        if name not in self.loaded and len(self.loaded) < MAX_LOADED:
            self.loaded.append(name)
        return file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream"
