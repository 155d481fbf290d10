"""Search in the worktree's files, in linear time whatever the pattern (RE2) and with bounded work and output."""

from collections.abc import Callable, Iterable, Iterator

import re2
from pathspec import GitIgnoreSpec

from fixloop_bot.adapters.safe_files import FileAccessError
from fixloop_bot.core.private_keys import mask_private_keys

BYTES_LIMIT = 64_000_000
"""Bytes read for one search."""
MATCH_LIMIT = 50
LINE_LIMIT = 200
PATTERN_LIMIT = 500


def search(pattern: str, glob: str, paths: Iterable[str], read: Callable[[str], bytes]) -> str:
    """Return `path:line: text` for each line that matches, at most 50.

    `pattern` is a regular expression where RE2 understands it, else plain text; `glob` is gitwildmatch, empty for
    all files; `read` may raise `FileAccessError`, which passes over the file.
    """
    found: list[str] = []
    matches = _matcher(pattern[:PATTERN_LIMIT])
    for path, content in _contents(_select(glob[:PATTERN_LIMIT], paths), read):
        if not matches(content):
            continue
        for number, line in enumerate(content.split(b"\n"), start=1):
            if matches(line):
                if len(found) == MATCH_LIMIT:
                    return "\n".join([*found, "[more matches left out; narrow the pattern or the glob]"])
                found.append(f"{path}:{number}: {line.strip().decode('utf-8', 'replace')[:LINE_LIMIT]}")
    return "\n".join(found) or "no match"


def _matcher(pattern: str) -> Callable[[bytes], bool]:
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile("(?m)" + pattern, options)
    except (re2.error, UnicodeEncodeError):
        literal = pattern.encode("utf-8", "replace")
        return lambda content: literal in content
    return lambda content: compiled.search(content) is not None


def _select(glob: str, paths: Iterable[str]) -> Iterator[str]:
    if not glob:
        return iter(paths)
    try:
        spec: GitIgnoreSpec = GitIgnoreSpec.from_lines([glob], backend="re2")
    except ValueError as error:
        raise FileAccessError(f"glob {glob!r} is not valid") from error
    return (path for path in paths if spec.match_file(path))


def _contents(paths: Iterable[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, bytes]]:
    left = BYTES_LIMIT
    for path in paths:
        try:
            content = read(path)
        except FileAccessError:
            continue
        left -= len(content)
        if left < 0:
            return
        if b"\0" not in content[:4096]:
            yield path, _without_keys(content)


def _without_keys(content: bytes) -> bytes:
    """Return the content without private keys, of which single lines could be matched; lines keep their numbers."""
    if b"PRIVATE KEY" not in content:
        return content
    return mask_private_keys(content.decode("utf-8", "surrogateescape"), keep_lines=True).encode(
        "utf-8", "surrogateescape"
    )
