"""One attempt's conversation: what is asked, carried out, paid, and how it ends.

The ports are the real ones on a temporary folder; only the model plays a script, once in process and once behind the
real SDK over HTTP.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings
from fixloop_bot.adapters.journal import FileJournal
from fixloop_bot.adapters.safe_files import SafeFiles
from fixloop_bot.adapters.scripted_model import Scripted, ScriptedModel
from fixloop_bot.adapters.workbench import FileWorkbench
from fixloop_bot.app.converse import Bounds, converse, opening_request
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.agent import (
    BudgetRefused,
    Finish,
    FinishStatus,
    FixReply,
    ModelAlias,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    UserTurn,
)
from fixloop_bot.model.context import FixContext, Snippet
from fixloop_bot.model.layer import Layer
from fixloop_bot.ports import Model
from tests.fakes.clock import FakeClock
from tests.fakes.model_script import Scripted as Reply
from tests.fakes.model_script import create, edit, finish, prompt_too_long, read, say, to_turn, turn, unauthorised
from tests.fakes.model_server import Fault, ModelServer

CONTEXT = FixContext(
    iteration=2,
    max_retries=3,
    story_id="S-1",
    branch="fix/add",
    layer=Layer.TEST,
    diagnosis="E assert -1 == 5\n" * 50,
    snippets=tuple(Snippet(path=f"{name}.py", start_line=1, text="x = 1\n" * 50) for name in "abcd"),
)
BOUNDS = Bounds(alias=ModelAlias.SONNET)


@dataclass
class Desk:
    """What a conversation needs beside its model."""

    folder: Path
    clock: FakeClock = field(default_factory=FakeClock)

    def __post_init__(self) -> None:
        self.tree = self.folder / "tree"
        self.tree.mkdir(exist_ok=True)
        (self.tree / "a.py").write_text("def add(a, b):\n    return a - b\n")
        (self.tree / "tests").mkdir(exist_ok=True)
        (self.tree / "tests/test_a.py").write_text("assert add(2, 3) == 5\n")
        self.journal = FileJournal(self.folder / "receipts/r.jsonl", self.folder / "transcript/r.jsonl", self.clock)

    def converse(self, model: Model, bounds: Bounds = BOUNDS) -> FixReply:
        """Hold the conversation with fresh tools."""
        bench = FileWorkbench(SafeFiles(str(self.tree)), Protection(), self.listed)
        return converse(CONTEXT, model=model, journal=self.journal, workbench=bench, clock=self.clock, bounds=bounds)

    def listed(self) -> Sequence[str]:
        """Return all files."""
        return [path.relative_to(self.tree).as_posix() for path in self.tree.rglob("*") if path.is_file()]

    @property
    def text(self) -> str:
        """Return the file that is to be repaired."""
        return (self.tree / "a.py").read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk in a fresh folder."""
    return Desk(tmp_path)


MEND = edit("a.py", "a - b", "a + b")
Play = Callable[[Sequence[Reply]], Model]


@pytest.fixture(params=["scripted", "anthropic"])
def play(request: pytest.FixtureRequest, desk: Desk) -> Iterator[Play]:
    """Return a way to make a model that plays a script: each test runs with the stand-in and with the real adapter."""
    servers: list[ModelServer] = []

    def over_http(script: Sequence[Reply]) -> Model:
        server = ModelServer(script)
        servers.append(server)
        server.__enter__()
        settings = AnthropicSettings(api_key="k", base_url=server.url)
        return AnthropicModel(settings, desk.clock, sleep=desk.clock.sleep)

    def in_process(script: Sequence[Reply]) -> Model:
        return ScriptedModel([_outcome(reply) for reply in script])

    yield in_process if request.param == "scripted" else over_http
    for server in servers:
        server.__exit__(None, None, None)


def _outcome(reply: Reply) -> Scripted:
    if not isinstance(reply, Fault):
        return to_turn(reply)
    return PromptTooLong(reply.message) if reply.status == 400 else ProviderDown(reply.message)


class TestBothModels:
    """The contract that the stand-in shares with the real adapter."""

    def test_an_edit_and_its_finish_are_one_call(self, desk: Desk, play: Play) -> None:
        reply = desk.converse(play([turn(MEND, finish("done", "wrong sign", "add"), text="I see.")]))
        assert reply.finish == Finish(status=FinishStatus.DONE, hypothesis="wrong sign", repair_action="add")
        assert (reply.changed, reply.calls, reply.said, reply.stopped) == (("a.py",), 1, "I see.", None)
        assert reply.usage.input_tokens > 0
        assert len(reply.model_ids) == 1
        assert desk.text == "def add(a, b):\n    return a + b\n"

    def test_a_finish_beside_a_failed_edit_is_not_accepted(self, desk: Desk, play: Play) -> None:
        failed = turn(edit("a.py", "a * b", "a + b"), finish())
        reply = desk.converse(play([failed, turn(MEND, finish("done", "second"))]))
        assert reply.finish is not None
        assert reply.finish.hypothesis == "second"
        assert (reply.calls, reply.changed) == (2, ("a.py",))

    def test_protected_files_stay_and_the_agent_may_give_up(self, desk: Desk, play: Play) -> None:
        asked = finish("need_decision", question="Which is right?", option_a="the test", option_b="the code")
        reply = desk.converse(play([edit("tests/test_a.py", "5", "-1"), asked]))
        assert reply.finish is not None
        assert reply.finish.status is FinishStatus.NEED_DECISION
        assert (reply.refused, reply.changed) == (("tests/test_a.py",), ())

    def test_a_prompt_that_is_too_long_is_halved_and_sent_again(self, desk: Desk, play: Play) -> None:
        reply = desk.converse(play([prompt_too_long(), prompt_too_long(), [MEND, finish()]]))
        assert reply.finish is not None
        assert reply.calls == 1

    def test_a_prompt_that_stays_too_long_ends_the_attempt(self, desk: Desk, play: Play) -> None:
        reply = desk.converse(play([prompt_too_long()] * 9))
        assert isinstance(reply.stopped, PromptTooLong)
        assert (reply.calls, len(desk.journal.receipts())) == (0, 8)

    def test_a_provider_that_is_down_stops_it(self, desk: Desk, play: Play) -> None:
        reply = desk.converse(play([MEND, unauthorised()]))
        assert isinstance(reply.stopped, ProviderDown)
        assert (reply.finish, reply.calls, reply.changed) == (None, 1, ("a.py",))
        assert [receipt.outcome for receipt in desk.journal.receipts()] == ["started", "ok", "started", "error"]

    def test_talk_is_answered_once(self, desk: Desk, play: Play) -> None:
        reply = desk.converse(play([say("Hmm."), say("I would rather not."), finish()]))
        assert (reply.finish, reply.calls, reply.said) == (None, 2, "I would rather not.")

    def test_several_calls_are_answered_each(self, desk: Desk, play: Play) -> None:
        look = turn(read("a.py"), read("nowhere.py"), create("new.py", ""), finish("blocked"))
        reply = desk.converse(play([look, turn(MEND, finish())]))
        assert reply.finish is not None
        assert reply.changed == ("a.py", "new.py")


class TestBounds:
    """What ends a conversation that does not end itself."""

    def test_it_never_makes_more_calls_than_it_may(self, desk: Desk) -> None:
        model = ScriptedModel([turn(read("a.py", start_line=n)) for n in range(1, 30)])
        reply = desk.converse(model, replace(BOUNDS, max_turns=4))
        assert (reply.calls, len(model.requests), reply.finish) == (4, 4, None)

    def test_refused_prompts_count_as_calls_made(self, desk: Desk) -> None:
        model = ScriptedModel([PromptTooLong("x")] * 9)
        desk.converse(model, replace(BOUNDS, max_turns=2))
        assert len(model.requests) == 2

    def test_the_same_failing_call_ends_it_the_third_time(self, desk: Desk) -> None:
        model = ScriptedModel([turn(edit("a.py", "nowhere", "x"))] * 9)
        assert desk.converse(model).calls == 3

    def test_other_failing_calls_go_on(self, desk: Desk) -> None:
        model = ScriptedModel([turn(edit("a.py", f"nowhere {n}", "x")) for n in range(5)] + [turn(MEND, finish())])
        assert desk.converse(model).finish is not None

    def test_no_call_starts_after_the_deadline(self, desk: Desk) -> None:
        model = ScriptedModel([turn(finish())])
        reply = desk.converse(model, replace(BOUNDS, deadline=desk.clock.time))
        assert (reply.calls, reply.stopped, model.requests) == (0, None, [])

    def test_the_cap_is_never_passed(self, desk: Desk) -> None:
        model = ScriptedModel([turn(read("a.py", start_line=n)) for n in range(1, 30)], price_usd=0.3)
        reply = desk.converse(model, replace(BOUNDS, cap_usd=1.0))
        assert isinstance(reply.stopped, BudgetRefused)
        assert (reply.stopped.needed_usd, round(reply.stopped.left_usd, 6)) == (0.3, 0.1)
        assert reply.calls == 3
        assert desk.journal.spent() == pytest.approx(0.9)
        assert reply.cost_usd == pytest.approx(0.9)

    def test_a_cap_refuses_a_call_of_unknown_price(self, desk: Desk) -> None:
        model = ScriptedModel([turn(MEND, finish())], price_usd=None)
        reply = desk.converse(model, replace(BOUNDS, cap_usd=1.0))
        assert reply.stopped == BudgetRefused(None, 1.0)
        assert model.requests == []

    def test_a_budget_of_others_ends_the_attempt_and_leaves_what_was_done_of_it(self, desk: Desk) -> None:
        model = OutOfMoney([turn(MEND)], price_usd=0.3)
        reply = desk.converse(model)
        assert reply.stopped == OutOfMoney.REFUSED
        assert (reply.calls, reply.cost_usd, reply.changed) == (1, 0.3, ("a.py",))
        assert [receipt.outcome for receipt in desk.journal.receipts()] == ["started", "ok", "started", "error"]
        assert desk.journal.receipts()[-1].detail == "the day's budget is used up"
        assert desk.journal.spent() == 0.3

    def test_without_a_cap_an_unknown_price_is_said_to_be_unknown(self, desk: Desk) -> None:
        reply = desk.converse(ScriptedModel([turn(MEND, finish())], price_usd=None))
        assert (reply.calls, reply.cost_usd) == (1, None)

    def test_a_reply_is_made_shorter_before_the_cap_refuses_it(self, desk: Desk) -> None:
        model = PricedByTokens([turn(MEND, finish())])
        reply = desk.converse(model, replace(BOUNDS, cap_usd=0.5))
        assert reply.finish is not None
        assert model.requests[0].max_tokens == 4_000
        assert model.requests[0].max_usd == 0.5

    def test_the_quote_for_the_next_attempt_is_for_the_shortest_reply(self) -> None:
        request = opening_request(CONTEXT, BOUNDS)
        assert (request.max_tokens, request.key) == (2_000, "2.1")
        assert isinstance(request.turns[0], UserTurn)


class TestReplies:
    """What is done with what the model says."""

    def test_a_call_that_was_cut_off_is_not_carried_out(self, desk: Desk) -> None:
        model = CutOff([turn(read("a.py"), MEND), turn(MEND, finish())], cut_off_first=1)
        reply = desk.converse(model)
        told = model.requests[1].turns[-1]
        assert isinstance(told, UserTurn)
        assert [result.is_error for result in told.results] == [False, True]
        assert "cut off" in told.results[1].content
        assert reply.changed == ("a.py",)

    def test_a_finish_that_was_cut_off_is_no_finish(self, desk: Desk) -> None:
        model = CutOff([turn(MEND, finish("done", "half a hypo")), turn(finish("done", "whole"))], cut_off_first=1)
        reply = desk.converse(model)
        assert reply.finish is not None
        assert reply.finish.hypothesis == "whole"

    def test_each_shrunk_prompt_is_shorter(self, desk: Desk) -> None:
        model = ScriptedModel([turn(read("a.py"))] + [PromptTooLong("x")] * 4)
        desk.converse(model)
        sizes = [len(request.turns[0].text) for request in model.requests if isinstance(request.turns[0], UserTurn)]
        assert sizes[1] > 1.5 * sizes[2] > 2 * sizes[3]
        assert [len(request.turns) for request in model.requests] == [1, 3, 3, 3, 3]

    def test_what_was_paid_before_a_crash_is_not_paid_again(self, tmp_path: Path) -> None:
        script = [turn(read("a.py")), turn(MEND, finish("done", "sign"))]
        first = Desk(tmp_path).converse(ScriptedModel(script, price_usd=0.3))
        again, model = Desk(tmp_path), ScriptedModel([], price_usd=0.3)
        second = again.converse(model, replace(BOUNDS, cap_usd=0.6))
        assert second == first
        assert model.requests == []
        assert again.text == "def add(a, b):\n    return a + b\n"
        assert again.journal.spent() == pytest.approx(0.6)


class PricedByTokens(ScriptedModel):
    """A scripted model whose price follows the length that a reply may have."""

    def quote(self, request: ModelRequest) -> float | None:
        return request.max_tokens / 10_000


class OutOfMoney(ScriptedModel):
    """A scripted model that a budget refuses when its script is over."""

    REFUSED = BudgetRefused(0.3, 0.1, "the day's budget is used up", "wait")

    def reply(self, request: ModelRequest) -> ModelOutcome:
        reply = super().reply(request)
        return reply if isinstance(reply, ModelReply) else self.REFUSED


class CutOff(ScriptedModel):
    """A scripted model whose first replies run out of tokens."""

    def __init__(self, script: Sequence[Scripted], *, cut_off_first: int) -> None:
        super().__init__(script)
        self.cut_off_first = cut_off_first

    def reply(self, request: ModelRequest) -> ModelOutcome:
        reply = super().reply(request)
        cut = len(self.requests) <= self.cut_off_first and isinstance(reply, ModelReply)
        return replace(reply, stop_reason="max_tokens") if cut and isinstance(reply, ModelReply) else reply
