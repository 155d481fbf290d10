"""Pictures of the visual layer, brought from where commands may write to where they may not."""

import re
import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fixloop_bot.adapters.report_watch import read_regular

PICTURES = ".pictures"
"""What a report's path has behind it, as the folder of its pictures."""
MAX_PICTURES = 60
"""Of one look: three of a page."""
MAX_BYTES = 5_000_000
"""Of one picture."""
MAX_LOOKS = 30
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,140}\.png")
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class PictureStore:
    """A folder with a numbered folder for each look; `base` is what the names that are told are relative to."""

    folder: Path
    base: Path | None = None
    """None: absolute paths are told."""

    def keep(self, source: Path) -> tuple[str, ...]:
        """Copy a folder's pictures, no link followed, and remove it; return where they are. Bounded in every way."""
        if source.is_symlink() or not source.is_dir():
            return ()
        found = {}
        names = sorted(path.name for path in islice(source.iterdir(), 10 * MAX_PICTURES))
        for name in filter(PLAIN.fullmatch, names[:MAX_PICTURES]):
            data = read_regular(source / name, MAX_BYTES + 1) or b""
            if data.startswith(PNG) and len(data) <= MAX_BYTES:
                found[name] = data
        shutil.rmtree(source, ignore_errors=True)
        return self._write(found) if found else ()

    def _write(self, pictures: dict[str, bytes]) -> tuple[str, ...]:
        look = 1 + sum(1 for _ in self.folder.iterdir()) if self.folder.is_dir() else 1
        if look > MAX_LOOKS:
            return ()
        target = self.folder / str(look)
        target.mkdir(parents=True)
        for name, data in pictures.items():
            (target / name).write_bytes(data)
        shown = target.relative_to(self.base) if self.base else target
        return tuple(str(shown / name) for name in pictures)
