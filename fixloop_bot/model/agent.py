"""What passes between the loop and the fix agent's model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ModelAlias(StrEnum):
    """The roles that a model plays; ids and prices are settings."""

    HAIKU = "haiku"
    SONNET = "sonnet"
    OPUS = "opus"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, as the Messages API counts them: `input_tokens` excludes cached ones."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of the model; `arguments` is what the model wrote, unchecked."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to a tool call."""

    call_id: str
    content: str
    is_error: bool = False
    proposed: bool = False
    """An edit of a protected file: not made, but kept to be put to a person."""


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """What the model said in one turn."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What the model is told: text, or the results of its calls."""

    text: str = ""
    results: tuple[ToolResult, ...] = ()


Turn = AssistantTurn | UserTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call of a model: the whole conversation so far."""

    model: ModelAlias
    system: str
    turns: tuple[Turn, ...]
    max_tokens: int
    deadline: float
    """Seconds since the epoch; retries end before it."""
    key: str = ""
    """Identifies the call within its run (`<iteration>.<turn>`); a repeated key and content is not paid again."""
    with_tools: bool = True
    """False: the model may only talk (a judge or a tie-break)."""
    max_usd: float | None = None
    """The most that the call and its retries may cost together; None: no bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A call that succeeded."""

    turn: AssistantTurn
    usage: Usage
    model_id: str
    """The id that served it."""
    cost_usd: float | None
    """None: no price is known for the id."""
    stop_reason: str = ""
    replayed: bool = False
    """Taken from the journal of an earlier, killed process: paid then."""


@dataclass(frozen=True, slots=True)
class PromptTooLong:
    """The provider refused the prompt's size."""

    detail: str


@dataclass(frozen=True, slots=True)
class ProviderDown:
    """No reply is to be had: no key, key refused, or the provider stays away; `advice` says what a person can do."""

    detail: str
    advice: str = ""
    cost_usd: float | None = 0.0
    """What replies that broke off have cost all the same; None: unknown."""


@dataclass(frozen=True, slots=True)
class BudgetRefused:
    """The next call could pass the cap; `needed_usd` None means that no price is known."""

    needed_usd: float | None
    left_usd: float
    detail: str = ""
    """Which budget it is, where it is not the run's own cap."""
    advice: str = ""


ModelOutcome = ModelReply | PromptTooLong | ProviderDown | BudgetRefused


class FinishStatus(StrEnum):
    """How the agent ends an attempt."""

    DONE = "done"
    NEED_DECISION = "need_decision"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """The agent's own word on its attempt: a claim, never a verdict."""

    status: FinishStatus
    hypothesis: str = ""
    repair_action: str = ""
    question: str = ""
    option_a: str = ""
    option_b: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change of a protected file that the agent asked for: it is on no disk and in no commit."""

    path: str
    before: str | None
    """None: there is no such file."""
    after: str
    is_test: bool
    """A test, its data, or a test inside product code; anything else needs an approval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixReply:
    """All that came of one attempt's conversation."""

    finish: Finish | None = None
    """None: the agent talked without finishing, ran out of turns, or was stopped."""
    changed: tuple[str, ...] = ()
    """Paths that its edits changed, sorted."""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    calls: int = 0
    model_ids: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Protected or forbidden paths that it tried to touch."""
    proposals: tuple[Proposal, ...] = ()
    """What it would change in protected files, by path."""
    stopped: BudgetRefused | ProviderDown | PromptTooLong | None = None
    """What kept it from going on; with `calls == 0` no attempt took place."""
    said: str = ""
    """Its last text, shortened; for the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One line of `receipts/*.jsonl`: a model call before it starts (`started`) and after (`ok`, `error`)."""

    run_id: str
    key: str
    iteration: int
    outcome: str
    model: str
    model_id: str = ""
    reserved_usd: float | None = None
    cost_usd: float | None = None
    usage: Usage = field(default_factory=Usage)
    detail: str = ""
    at: str = ""
    """ISO 8601, UTC."""
