"""The money book of a run on disk: receipts of every call, and the replies, so that nothing is paid twice.

Both files only grow, one JSON object a line, each line on disk before the call goes on; a line that a crash cut off
is passed over.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.json_lines import JsonLines
from fixloop_bot.model.agent import (
    AssistantTurn,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    ProviderDown,
    Receipt,
    ToolCall,
    Usage,
)
from fixloop_bot.ports import Clock

_Call = tuple[str, str]
"""Key and content digest of a request."""


class FileJournal:
    """The port `Journal`; `receipts` is `<run_id>.jsonl`, `transcript` a file beside it with what was answered.

    `redact` takes the secrets out of every text before it is written.
    """

    def __init__(self, receipts: Path, transcript: Path, clock: Clock, *, redact: Callable[[str], str] = str) -> None:
        self._run_id = receipts.stem
        self._clock = clock
        self._redact = redact
        self._receipts_file, self._transcript_file = JsonLines(receipts), JsonLines(transcript)
        self._receipts = [to_receipt(line) for line in self._receipts_file.read() if "outcome" in line]
        kept = list(self._transcript_file.read())
        self._replies = {_call(line): _to_reply(line["reply"]) for line in kept}
        self._altered = {_call(line) for line in kept if line.get("altered")}
        self._close_paid()

    def paid(self, request: ModelRequest) -> ModelReply | None:
        """Return the earlier reply if the very same call was already paid.

        Not one that held a secret: it was kept without it, and would write other text than the model did.
        """
        call = (request.key, digest(request, self._redact))
        return None if call in self._altered else self._replies.get(call)

    def begin(self, request: ModelRequest, reserved_usd: float | None) -> ModelReply | None:
        """Note that the call starts, with what it may cost; return the earlier reply if there is one."""
        earlier = self.paid(request)
        if earlier is None:
            self._note(self._receipt(request, "started", reserved_usd=reserved_usd))
        return earlier

    def finish(self, request: ModelRequest, outcome: ModelOutcome) -> None:
        """Note how the call ended; a reply is kept before it is called paid."""
        if isinstance(outcome, ModelReply):
            call = (request.key, digest(request, self._redact))
            said = asdict(outcome)
            kept = _redacted(said, self._redact)
            altered = json.dumps(kept, default=str) != json.dumps(said, default=str)
            self._transcript_file.add({"key": call[0], "sha256": call[1], "reply": kept, "altered": altered})
            self._replies[call] = replace(outcome, replayed=True)
            self._note(_paid(self._receipt(request, "ok"), outcome))
            return
        cost = outcome.cost_usd if isinstance(outcome, ProviderDown) else 0.0
        self._note(replace(self._receipt(request, "error"), cost_usd=cost, detail=outcome.detail[:500]))

    def spent(self) -> float:
        """Return US dollars that count against the cap; a call without an end or a price counts what it reserved."""
        total = 0.0
        open_calls: dict[str, float] = {}
        for receipt in self._receipts:
            reserved = open_calls.pop(receipt.key, 0.0)
            if receipt.outcome == "started":
                total += reserved
                open_calls[receipt.key] = receipt.reserved_usd or 0.0
            else:
                total += reserved if receipt.cost_usd is None else receipt.cost_usd
        return total + sum(open_calls.values())

    def receipts(self) -> Sequence[Receipt]:
        """Return all receipts of the run, oldest first."""
        return tuple(self._receipts)

    def _receipt(self, request: ModelRequest, outcome: str, *, reserved_usd: float | None = None) -> Receipt:
        iteration = request.key.partition(".")[0]
        return Receipt(
            run_id=self._run_id,
            key=request.key,
            iteration=int(iteration) if iteration.isdecimal() else 0,
            outcome=outcome,
            model=request.model.value,
            reserved_usd=reserved_usd,
            at=self._clock.iso(),
        )

    def _note(self, receipt: Receipt) -> None:
        self._receipts_file.add(_redacted(asdict(receipt), self._redact))
        self._receipts.append(receipt)

    def _close_paid(self) -> None:
        """Write the last receipt of a call whose reply was kept just before the process was killed."""
        last = {receipt.key: receipt for receipt in self._receipts}
        for (key, _), reply in self._replies.items():
            started = last.get(key)
            if started is not None and started.outcome == "started":
                self._note(_paid(replace(started, outcome="ok", at=self._clock.iso()), reply))


def digest(request: ModelRequest, redact: Callable[[str], str] = str) -> str:
    """Return the SHA-256 of all that decides the reply; time and money bounds do not.

    Of the text as it is sent and kept, without secrets: a resumed run asks from a state that holds none.
    """
    turns = _redacted([asdict(turn) for turn in request.turns], redact)
    content = [request.model.value, request.system, request.with_tools, turns]
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def _call(line: Mapping[str, Any]) -> _Call:
    return str(line["key"]), str(line["sha256"])


def _paid(receipt: Receipt, reply: ModelReply) -> Receipt:
    return replace(receipt, model_id=reply.model_id, cost_usd=reply.cost_usd, usage=reply.usage)


def to_receipt(line: Mapping[str, Any]) -> Receipt:
    """Return the receipt that a line holds; raises KeyError or TypeError for a line that holds none."""
    return Receipt(**{**line, "usage": Usage(**line["usage"])})


def _to_reply(line: Mapping[str, Any]) -> ModelReply:
    calls = tuple(ToolCall(**call) for call in line["turn"]["tool_calls"])
    turn = AssistantTurn(line["turn"]["text"], calls)
    return ModelReply(**{**line, "turn": turn, "usage": Usage(**line["usage"]), "replayed": True})


def _redacted(value: object, redact: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: _redacted(item, redact) for key, item in value.items()}
    return [_redacted(item, redact) for item in value] if isinstance(value, list | tuple) else value
