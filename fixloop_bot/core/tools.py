"""The fix agent's tools as data, and the reading of its last word.

Names and parameters speak for themselves, so that no description has to be sent (and paid) with every call.
"""

from collections.abc import Mapping
from typing import Any

from fixloop_bot.model.agent import Finish, FinishStatus

FINISH = "finish"
FIELD_LIMIT = 2_000
"""Characters kept of each text in a `finish`: it goes into records and comments."""

_TEXT = {"type": "string"}
_LINE = {"type": "integer"}


def _tool(name: str, properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    return {"name": name, "input_schema": schema | ({"required": list(required)} if required else {})}


TOOLS: tuple[Mapping[str, Any], ...] = (
    _tool("read_file", {"path": _TEXT, "start_line": _LINE, "end_line": _LINE}, "path"),
    _tool("search", {"pattern": _TEXT, "glob": _TEXT}, "pattern"),
    _tool("list_files", {"path": _TEXT}),
    _tool("edit_file", {"path": _TEXT, "old": _TEXT, "new": _TEXT}, "path", "old", "new"),
    _tool("create_file", {"path": _TEXT, "content": _TEXT}, "path", "content"),
    _tool(
        FINISH,
        {"status": {"enum": [status.value for status in FinishStatus]}}
        | dict.fromkeys(("hypothesis", "repair_action", "question", "option_a", "option_b", "reason"), _TEXT),
        "status",
        "hypothesis",
        "repair_action",
    ),
)
"""As the Messages API takes them: name and JSON Schema of the arguments."""


def parse_finish(arguments: Mapping[str, Any]) -> Finish | str:
    """Return what the agent's `finish` says, or what is wrong with it in words for the agent."""
    try:
        status = FinishStatus(arguments.get("status", ""))
    except ValueError:
        return "status must be done, need_decision or blocked"
    said = {name: _text(arguments.get(name)) for name in Finish.__dataclass_fields__ if name != "status"}
    missing = [name for name in _NEEDED[status] if not said[name]]
    if missing:
        return f"{status.value} needs {', '.join(missing)}"
    return Finish(status=status, **said)


_NEEDED: Mapping[FinishStatus, tuple[str, ...]] = {
    FinishStatus.DONE: (),
    FinishStatus.NEED_DECISION: ("question", "option_a", "option_b"),
    FinishStatus.BLOCKED: ("reason",),
}


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()[:FIELD_LIMIT]
