"""The one workflow file to install, from its template."""

import json
import re
from collections.abc import Sequence
from typing import Final

from fixloop_bot.core.render.escape import visible

WORKFLOW_PATH: Final = ".github/workflows/fixloop.yml"
NOBODY: Final = "replace--me/"
"""Two hyphens in a row are in no account's name on GitHub: as long as it stands there, nobody else's code runs."""
PLACEHOLDER: Final = f"{NOBODY}fixloop@v0"
MOST_WATCHED: Final = 50

_PLACEHOLDER_LINE: Final = re.compile(rf"{re.escape(PLACEHOLDER)}( #.*)?$", re.MULTILINE)
_ACTION: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}(?:/[A-Za-z0-9._-]{1,100}){0,5}@[A-Za-z0-9_./-]{1,200}"
)
_COMMIT: Final = re.compile(r"@[0-9a-f]{40}$")
_WATCH: Final = re.compile(r"^  workflow_run:.*\n    workflows: \[CI\]\n    types: \[completed\]\n", re.MULTILINE)


def is_action(text: str) -> bool:
    """Return whether a step may use it: `OWNER/REPOSITORY[/PATH]@REF`."""
    return bool(_ACTION.fullmatch(text))


def to_workflow(template: str, *, action: str = "", watched: Sequence[str] = ()) -> str:
    """Return the workflow: `action` in the place of the placeholder, and started by the failure of `watched`.

    GitHub knows the workflows to watch by their names alone; without any, that trigger is left out.
    """
    watch = _WATCH.search(template)
    if watch is None:
        raise ValueError("the template has no `workflow_run`")
    names = json.dumps(sorted({visible(name) for name in watched})[:MOST_WATCHED], ensure_ascii=False)
    watching = watch[0].replace("[CI]", names) if watched else ""
    text = template[: watch.start()] + watching + template[watch.end() :]
    return _PLACEHOLDER_LINE.sub(lambda found: _used(action, found[1] or ""), text) if action else text


def _used(action: str, comment: str) -> str:
    return action if _COMMIT.search(action) else action + comment
