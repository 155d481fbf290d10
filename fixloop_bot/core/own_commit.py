"""Knowing fixloop's own commits again."""

import re

from fixloop_bot.core.messages import RUN_TRAILER

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_TRAILER = re.compile(rf"^{RUN_TRAILER}:[ \t]*\S", re.MULTILINE | re.IGNORECASE)


def is_own_message(message: str) -> bool:
    """Return whether a commit message carries fixloop's trailer, as git reads it: in the last paragraph.

    Anyone can write one, so it only ever turns automatic work away and never allows anything
    (https://git-scm.com/docs/git-interpret-trailers).
    """
    last = _PARAGRAPHS.split(message.replace("\r\n", "\n").strip())[-1]
    return bool(_TRAILER.search(last))
