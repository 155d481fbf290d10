"""A model that plays a script: for tests and the demo, without a network or a price."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixloop_bot.core.prompt import layer_line
from fixloop_bot.model.agent import (
    AssistantTurn,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    ToolCall,
    Usage,
    UserTurn,
)

MODEL_ID = "scripted"
"""Of every alias, with its name: they stand for different models."""
_LAYER_LINE_END = layer_line("").removeprefix("The ")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptEntry:
    """One reply of a script."""

    turn: AssistantTurn
    layer: str = ""
    """Played only in a conversation about this layer; empty: any."""
    iteration: int | None = None
    """Played only in this iteration; None: any."""
    judge: bool = False
    """Played for the rubric's judge alone, which may only talk; other entries never are."""
    repeat: bool = False
    """Played as often as it is its turn, not once."""


Scripted = ScriptEntry | AssistantTurn | PromptTooLong | ProviderDown


class ScriptedModel:
    """The port `Model`: each call takes the first entry that is left and fits; calls cost `price_usd` each.

    When nothing is left the provider counts as away.
    """

    def __init__(self, script: Iterable[Scripted], *, price_usd: float | None = 0.0) -> None:
        self._left = [ScriptEntry(turn=entry) if isinstance(entry, AssistantTurn) else entry for entry in script]
        self._price_usd = price_usd
        self.requests: list[ModelRequest] = []

    def prepare(self) -> None:
        """Be ready as ever."""

    def quote(self, request: ModelRequest) -> float | None:  # noqa: ARG002 - every call has the same price
        """Return the price of a call."""
        return self._price_usd

    def reply(self, request: ModelRequest) -> ModelOutcome:
        """Play the next entry that fits."""
        self.requests.append(request)
        entry = next((entry for entry in self._left if _fits(entry, request)), None)
        if entry is None:
            return ProviderDown("the script has no more to say", "Add entries to the script.")
        if not isinstance(entry, ScriptEntry):
            self._left.remove(entry)
            return entry
        if not entry.repeat:
            self._left.remove(entry)
        turn = _with_ids(entry.turn, request.key)
        return ModelReply(
            turn=turn,
            usage=_usage(request, turn),
            model_id=f"{MODEL_ID}-{request.model}",
            cost_usd=self._price_usd,
            stop_reason="tool_use" if turn.tool_calls else "end_turn",
        )


def read_script(path: Path) -> tuple[ScriptEntry, ...]:
    """Return the script in a JSON file: a list of `{"tool_calls": [{"name", "arguments"}], "text", "when", "repeat"}`.

    Raises OSError, or ValueError that says what is wrong.
    """
    match json.loads(path.read_text(encoding="utf-8")):
        case list() as entries:
            return tuple(_to_entry(entry, f"{path}: reply {number}") for number, entry in enumerate(entries, start=1))
        case _:
            raise ValueError(f"{path}: a script is a list of replies")


def _to_entry(entry: Mapping[str, Any], where: str) -> ScriptEntry:
    try:
        calls = tuple(ToolCall("", str(call["name"]), dict(call["arguments"])) for call in entry.get("tool_calls", ()))
        when: Mapping[str, Any] = entry.get("when", {})
        return ScriptEntry(
            turn=AssistantTurn(str(entry.get("text", "")), calls),
            layer=str(when.get("layer", "")),
            iteration=when.get("iteration"),
            judge=bool(when.get("judge", False)),
            repeat=bool(entry.get("repeat", False)),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: {type(error).__name__}: {error}") from error


def _fits(entry: ScriptEntry | PromptTooLong | ProviderDown, request: ModelRequest) -> bool:
    if not isinstance(entry, ScriptEntry):
        return True
    if entry.judge is request.with_tools:
        return False
    opening = request.turns[0].text if request.turns and isinstance(request.turns[0], UserTurn) else ""
    # The first such line is the prompt's own; a log further down may quote another.
    failing = next((line for line in opening.split("\n") if line.endswith(_LAYER_LINE_END)), "")
    layer_fits = not entry.layer or failing == layer_line(entry.layer)
    return layer_fits and (entry.iteration is None or request.key.startswith(f"{entry.iteration}."))


def _with_ids(turn: AssistantTurn, key: str) -> AssistantTurn:
    """Return the turn with call ids that are the same whenever the same call is played."""
    calls = (ToolCall(f"{MODEL_ID}-{key}-{n}", call.name, call.arguments) for n, call in enumerate(turn.tool_calls, 1))
    return AssistantTurn(turn.text, tuple(calls))


def _usage(request: ModelRequest, turn: AssistantTurn) -> Usage:
    """Return token numbers of a plausible size, four characters to a token."""
    return Usage(len(request.system + repr(request.turns)) // 4, len(repr(turn)) // 4)
