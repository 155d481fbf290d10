"""Lines inserted above the faults of files whose comments begin with `#`: scripts, Makefiles, CMake's lists."""

from collections.abc import Mapping


def commented(files: Mapping[str, str], *paths: str) -> dict[str, str]:
    """Return these files with three lines of comment above, a script's below its first line."""
    return {path: _commented(files[path]) for path in paths}


def _commented(text: str) -> str:
    first, end, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
    return f"{first}{end}# Moved\n# down\n# by three.\n{rest}"
