"""New files that nobody else can read: made before they are needed, so that what they are for can still be left."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def new_private_files(*paths: Path) -> Iterator[tuple[BinaryIO, ...]]:
    """Make the files, mode 0600; none is left where making one, or the block, fails. Raises OSError."""
    made: list[Path] = []
    try:
        with ExitStack() as stack:
            opened = []
            for path in paths:
                opened.append(stack.enter_context(os.fdopen(os.open(path, _NEW, 0o600), "wb")))
                made.append(path)
            yield tuple(opened)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise
