"""The scripted model: the demo's and the tests' stand-in, honest about its name."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.scripted_model import MODEL_ID, ScriptedModel, ScriptEntry, read_script
from fixloop_bot.app.converse import Bounds, opening_request
from fixloop_bot.model.agent import AssistantTurn, ModelAlias, ModelReply, ModelRequest, PromptTooLong, ProviderDown
from fixloop_bot.model.context import FixContext
from fixloop_bot.model.layer import Layer
from tests.fakes.model_script import finish, say, turn


def asked(layer: Layer = Layer.TEST, iteration: int = 1) -> ModelRequest:
    """Return the first request of an attempt."""
    context = FixContext(
        iteration=iteration, max_retries=3, story_id="", branch="", layer=layer, diagnosis="The lint check fails:"
    )
    return opening_request(context, Bounds(alias=ModelAlias.SONNET))


def said(outcome: object) -> str:
    """Return the text of a reply."""
    assert isinstance(outcome, ModelReply)
    return outcome.turn.text


def test_the_script_is_played_in_order_and_then_the_provider_is_away() -> None:
    model = ScriptedModel([say("one"), PromptTooLong("x"), say("two")])
    assert said(model.reply(asked())) == "one"
    assert isinstance(model.reply(asked()), PromptTooLong)
    assert said(model.reply(asked())) == "two"
    assert isinstance(model.reply(asked()), ProviderDown)
    assert len(model.requests) == 4


def test_an_entry_waits_for_its_layer_and_iteration() -> None:
    script = [
        ScriptEntry(turn=say("lint"), layer="lint"),
        ScriptEntry(turn=say("second"), iteration=2),
        ScriptEntry(turn=say("any"), repeat=True),
    ]
    model = ScriptedModel(script)
    # The diagnosis quotes the line of another layer: the first one has the say.
    assert [said(model.reply(asked(Layer.TEST))) for _ in range(2)] == ["any", "any"]
    assert said(model.reply(asked(Layer.LINT, 2))) == "lint"
    assert said(model.reply(asked(Layer.LINT, 2))) == "second"
    assert said(model.reply(asked(Layer.LINT, 2))) == "any"


def test_it_is_named_for_what_it_is_and_costs_what_it_is_told_to() -> None:
    model = ScriptedModel([turn(finish("done"))], price_usd=0.02)
    assert model.quote(asked()) == 0.02
    reply = model.reply(asked())
    assert isinstance(reply, ModelReply)
    assert (reply.model_id, reply.cost_usd, reply.stop_reason) == (f"{MODEL_ID}-sonnet", 0.02, "tool_use")
    assert reply.usage.input_tokens > 0


def test_a_judges_entry_is_for_the_judge_alone() -> None:
    model = ScriptedModel([ScriptEntry(turn=say("0.9"), judge=True), say("a repair")])
    judge = replace(asked(), with_tools=False)
    assert said(model.reply(asked())) == "a repair"
    assert said(model.reply(judge)) == "0.9"
    assert isinstance(model.reply(judge), ProviderDown)


def test_the_same_call_has_the_same_ids_whenever_it_is_played() -> None:
    played = [ScriptedModel([turn(finish(), finish())]).reply(asked()) for _ in range(2)]
    assert played[0] == played[1]
    other = ScriptedModel([turn(finish())]).reply(replace(asked(), key="1.2"))
    assert isinstance(other, ModelReply)
    assert other.turn.tool_calls[0].call_id == "scripted-1.2-1"


def test_a_script_is_read_from_json(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    entry = {
        "tool_calls": [{"name": "finish", "arguments": {"status": "done"}}],
        "text": "ü",
        "when": {"layer": "lint"},
    }
    file.write_text(
        json.dumps([entry, {"text": "x", "repeat": True, "when": {"iteration": 2, "judge": True}}]), encoding="utf-8"
    )
    first, second = read_script(file)
    assert (first.turn.text, first.layer, first.turn.tool_calls[0].arguments) == ("ü", "lint", {"status": "done"})
    assert second == ScriptEntry(turn=AssistantTurn("x"), iteration=2, judge=True, repeat=True)


@pytest.mark.parametrize(
    "text", ["{}", "[1]", '[{"tool_calls": [{}]}]', '[{"when": 3}]', "nonsense", '[{"tool_calls": 7}]']
)
def test_a_script_that_is_none_says_so(tmp_path: Path, text: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"script\.json|Expecting value"):
        read_script(file)
