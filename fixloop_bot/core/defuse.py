"""Texts for standard output and error, in which a GitHub runner finds no command of anybody else's.

The runner (actions/runner, `ActionCommand`) obeys a line that starts with `::` after white space, and one that has
`##[` anywhere; it ends lines at a lone carriage return too. fixloop's output may be a step's log.
"""

import json
import re
from typing import Any

_OLD = "##["
_LINE = re.compile(r"(?:^|(?<=[\n\r\x0b\x0c\x85\u2028\u2029]))([^\S\n\r]{0,200})::")


def defused(text: str) -> str:
    """Return the text with a mark before `::` at the start of a line, and a space within `##[`."""
    return _LINE.sub("\\1\u2502 ::", text).replace(_OLD, "## [")


def json_text(value: Any) -> str:  # noqa: ANN401 - any value that JSON can hold
    r"""Return readable JSON in which no runner finds a command; `##[` in a string is spelled `##\u005b`."""
    return json.dumps(value, indent=2, ensure_ascii=False).replace(_OLD, "##\\u005b")
