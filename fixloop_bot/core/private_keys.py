"""Private keys in a text: several lines, which a log may prefix, join, cut off at either end, or show in part.

Format: RFC 7468, textual encodings of PKIX structures; OpenSSH and OpenPGP write the same frame.
"""

import re
from collections.abc import Iterator, Sequence

MASK = "***"
LONGEST = 20_000
"""Characters between a key's two ends; RSA with 16,384 bits has 12,800."""
_FRAME = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_FOREIGN = re.compile(r"[<>{}()\"'`]")
"""Never inside a key: what has it between two frames is two texts, or two elements of a document."""
_BETWEEN = re.compile(r"(?:\\[nr]|\s)+")
"""White space, or the escapes of it."""
_OF_A_KEY = re.compile(r"[^A-Za-z0-9+/=]{0,3}[A-Za-z0-9+/]{16,80}={0,2}[^A-Za-z0-9+/=]{0,3}")
_PREFIX = re.compile(r"[^A-Za-z0-9]{1,3}|[A-Z]")
"""What a log may put before a line: `|`, `>`, `+`, pytest's `E`."""


def mask_private_keys(text: str, *, keep_lines: bool = False) -> str:
    """Return the text without private keys; time grows with its length alone.

    `keep_lines`: what follows a key keeps its line number. Of a key whose other end is not in the text, what looks
    like a key's lines goes as far as it goes on.
    """
    if "PRIVATE KEY" not in text:
        return text
    parts, done = [], 0
    for start, end in _keys(text):
        if start < done:
            continue
        kept = "\n" * text.count("\n", start, end) if keep_lines else ""
        parts += [text[done:start], MASK, kept]
        done = end
    return "".join([*parts, text[done:]])


def _keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each key starts and ends, in order."""
    frames = list(_FRAME.finditer(text))
    before = 0
    for number, frame in enumerate(frames):
        after = frames[number + 1] if number + 1 < len(frames) else None
        if frame[1] == "END":
            yield _back(text, before, frame.start()), frame.end()
        elif after is not None and after[1] == "END" and _is_one(text, frame.end(), after.start()):
            yield frame.start(), after.end()
        else:
            yield frame.start(), _on(text, frame.end(), after.start() if after else len(text))
        before = frame.end()


def _is_one(text: str, start: int, end: int) -> bool:
    return end - start <= LONGEST and not _FOREIGN.search(text, start, end)


def _on(text: str, start: int, limit: int) -> int:
    """Return where the lines of a key end that start behind its first line; one more where all is on one line."""
    pieces = list(_pieces(text, start, min(limit, start + LONGEST)))
    taken = _run(text, pieces)
    if taken == 0:
        return start
    end = pieces[taken - 1][1]
    cut_off = taken < len(pieces) and pieces[taken][1] == limit and "\n" not in text[end:limit]
    return limit if cut_off else end


def _back(text: str, limit: int, end: int) -> int:
    """Return where the lines of a key start whose last line starts at `end`; its own last line may be short."""
    pieces = list(_pieces(text, max(limit, end - LONGEST), end))[::-1]
    skipped = 0
    while skipped < min(2, len(pieces)) and not _OF_A_KEY.fullmatch(text, *pieces[skipped]):
        skipped += 1
    taken = _run(text, pieces[skipped:])
    return pieces[skipped + taken - 1][0] if taken else end


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the pieces between white space start and end."""
    for gap in _BETWEEN.finditer(text, start, end):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if end > start:
        yield start, end


def _run(text: str, pieces: Sequence[tuple[int, int]]) -> int:
    """Return how many pieces from the first belong to a key, prefixes of its lines among them."""
    taken = 0
    for number, (start, end) in enumerate(pieces):
        if _OF_A_KEY.fullmatch(text, start, end):
            taken = number + 1
        elif number > taken + 1 or not _PREFIX.fullmatch(text, start, end):
            break
    return taken
