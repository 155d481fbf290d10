"""The Anthropic adapter against a server that speaks the API, through the real SDK."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.model.agent import (
    AssistantTurn,
    ModelAlias,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    ToolCall,
    ToolResult,
    Usage,
    UserTurn,
)
from fixloop_bot.model.config import ModelPrice
from tests.fakes.clock import FakeClock
from tests.fakes.model_script import call
from tests.fakes.model_server import (
    Fault,
    ModelServer,
    edit,
    finish,
    overloaded,
    prompt_too_long,
    say,
    server_error,
    too_many_requests,
    turn,
    unauthorised,
)

KEY = "sk-ant-api03-verysecret"
USAGE = Usage(1_000, 100, 2_000, 400)


def request(*turns: AssistantTurn | UserTurn, **changes: object) -> ModelRequest:
    """Return a request of one short user turn unless told otherwise."""
    values: dict[str, object] = {
        "model": ModelAlias.SONNET,
        "system": "Repair it.",
        "turns": turns or (UserTurn("The test check fails"),),
        "max_tokens": 1_000,
        "deadline": 1_000_000.0 + 600,
        "key": "1.1",
    }
    return ModelRequest(**(values | changes))  # type: ignore[arg-type]


def model(server: ModelServer, clock: FakeClock | None = None, **settings: object) -> AnthropicModel:
    """Return the adapter on a server, waiting on a clock that costs no time."""
    clock = clock or FakeClock()
    values: dict[str, object] = {"api_key": KEY, "base_url": server.url}
    return AnthropicModel(AnthropicSettings(**(values | settings)), clock, sleep=clock.sleep)  # type: ignore[arg-type]


def test_a_reply_has_its_calls_its_usage_its_served_id_and_its_price() -> None:
    with ModelServer([turn(edit("a.py", "ä", "b\n"), finish("done"), text="Found it.")], usage=USAGE) as server:
        reply = model(server).reply(request())

    assert isinstance(reply, ModelReply)
    assert reply.turn.text == "Found it."
    assert [(made.name, made.arguments.get("old")) for made in reply.turn.tool_calls] == [
        ("edit_file", "ä"),
        ("finish", None),
    ]
    assert (reply.usage, reply.model_id, reply.stop_reason) == (USAGE, "claude-sonnet-5-5", "tool_use")
    # 1,000 in at 2, 100 out at 10, 2,000 read at 0.1, 400 written at 2.5 dollars a million
    assert reply.cost_usd == pytest.approx((1_000 * 2 + 100 * 10 + 2_000 * 0.1 + 400 * 2.5) / 1e6)


def test_the_request_has_the_tools_the_cache_marks_and_no_temperature() -> None:
    told = UserTurn(results=(ToolResult("toolu_1", "no such file", is_error=True),))
    said = AssistantTurn("", (ToolCall("toolu_1", "read_file", {"path": "a.py"}),))
    with ModelServer([finish("done")]) as server:
        model(server).reply(request(UserTurn("It fails. " * 300), said, told))
    body = server.requests[0].body

    assert [tool["name"] for tool in body["tools"]][-1] == "finish"
    assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][2]["content"][0]["is_error"] is True
    assert "temperature" not in body
    assert KEY not in server.requests[0].text


def test_a_request_too_short_to_be_cached_carries_no_marks() -> None:
    with ModelServer([finish("done")]) as server:
        model(server).reply(request())
    assert "cache_control" not in server.requests[0].text


def test_a_judge_gets_no_tools() -> None:
    with ModelServer([say("yes")]) as server:
        model(server).reply(request(with_tools=False))
    assert "tools" not in server.requests[0].body


def test_secrets_and_lone_surrogates_never_leave() -> None:
    with ModelServer([say("fine")]) as server:
        settings = AnthropicSettings(api_key=KEY, base_url=server.url)
        hider = AnthropicModel(settings, FakeClock(), redact=lambda text: text.replace("hunter2", "***"))
        said = AssistantTurn("", (ToolCall("c1", "edit_file", {"new": "hunter2", "lines": [1, None]}),))
        result = UserTurn(results=(ToolResult("c1", "password hunter2 \udcff"),))
        assert isinstance(hider.reply(request(UserTurn("hunter2"), said, result)), ModelReply)
    assert "hunter2" not in server.requests[0].text


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(too_many_requests(), id="a 429 without advice"),
        pytest.param(overloaded(), id="a 529"),
        pytest.param(server_error(), id="a 500"),
        pytest.param(Fault(kind="garbage"), id="a page of garbage bytes"),
        pytest.param(Fault(kind="cut"), id="a connection that dies within the stream"),
        pytest.param(Fault(kind="short"), id="a stream that ends half way"),
        pytest.param(Fault(kind="error-event"), id="an error event in the stream"),
    ],
)
def test_passing_trouble_is_tried_again(trouble: Fault) -> None:
    with ModelServer([trouble, say("fine")]) as server:
        reply = model(server, clock := FakeClock()).reply(request())
    assert isinstance(reply, ModelReply)
    assert reply.turn.text == "fine"
    assert len(server.requests) == 2
    assert len(clock.slept) == 1


def test_a_broken_stream_is_paid_and_counted() -> None:
    with ModelServer([Fault(kind="cut"), say("fine")], usage=Usage(100, 10)) as server:
        reply = model(server).reply(request())
    assert isinstance(reply, ModelReply)
    assert reply.usage.input_tokens == 200
    assert reply.usage.output_tokens > 11


def test_a_broken_stream_is_not_tried_again_past_what_the_call_may_cost() -> None:
    with ModelServer([Fault(kind="cut"), say("fine")]) as server:
        adapter = model(server)
        quote = adapter.quote(request())
        outcome = adapter.reply(request(max_usd=quote))
    assert len(server.requests) == 1
    assert isinstance(outcome, ProviderDown)
    assert outcome.cost_usd is not None
    assert outcome.cost_usd > 0


def test_the_advised_wait_is_honoured() -> None:
    with ModelServer([too_many_requests("42"), say("fine")]) as server:
        assert isinstance(model(server, clock := FakeClock()).reply(request()), ModelReply)
    assert clock.slept == [42.0]


@pytest.mark.parametrize("advice", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_wait_past_the_deadline_is_not_begun(advice: str) -> None:
    with ModelServer([too_many_requests(advice), say("fine")]) as server:
        outcome = model(server, clock := FakeClock()).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert clock.slept == []


@pytest.mark.parametrize("advice", ["soon", "-5", "1e999", "nan", "١٢", "9" * 40])
def test_advice_that_is_no_time_is_ignored(advice: str) -> None:
    with ModelServer([too_many_requests(), say("fine")]) as server:
        server.replies[0] = Fault(status=429, headers={"retry-after": advice.encode("ascii", "ignore").decode()})
        assert isinstance(model(server, clock := FakeClock()).reply(request()), ModelReply)
    assert 0 < clock.slept[0] < 5


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        pytest.param(overloaded(), "529", id="a 529"),
        pytest.param(server_error(), "500", id="a 500"),
        pytest.param(Fault(kind="garbage"), "", id="a page of garbage bytes"),
    ],
)
def test_trouble_to_the_end_is_a_provider_that_is_down(trouble: Fault, said: str) -> None:
    with ModelServer([trouble] * 50) as server:
        clock = FakeClock()
        outcome = model(server, clock).reply(request(deadline=clock.time + 60))
    assert isinstance(outcome, ProviderDown)
    assert said in outcome.detail
    assert outcome.advice
    assert outcome.cost_usd == 0
    assert clock.time < 1_000_000 + 60
    assert len(server.requests) > 3


@pytest.mark.parametrize("kind", ["silence", "drip"])
def test_a_provider_that_never_answers_is_cut_off_at_the_deadline(kind: str) -> None:
    clock = SystemClock()
    with ModelServer([Fault(kind=kind)]) as server:  # type: ignore[arg-type]
        adapter = AnthropicModel(AnthropicSettings(api_key=KEY, base_url=server.url), clock)
        outcome = adapter.reply(request(deadline=clock.now() + 0.5))
    assert isinstance(outcome, ProviderDown)
    assert len(server.requests) == 1


def test_an_address_that_nobody_listens_on_is_a_provider_that_is_down() -> None:
    with ModelServer([]) as server:
        pass
    clock = FakeClock()
    assert isinstance(model(server, clock).reply(request(deadline=clock.time + 20)), ProviderDown)


@pytest.mark.parametrize("address", ["nowhere", "ftp://127.0.0.1"])
def test_an_address_that_is_none_is_said_at_once(address: str) -> None:
    clock = FakeClock()
    adapter = AnthropicModel(AnthropicSettings(api_key=KEY, base_url=address), clock, sleep=clock.sleep)
    outcome = adapter.reply(request())
    assert isinstance(outcome, ProviderDown)
    assert "anthropic-base-url" in outcome.advice
    assert clock.slept == []


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(prompt_too_long(), id="a 400 that says so"),
        pytest.param(Fault(status=413, error_type="request_too_large"), id="a 413"),
    ],
)
def test_a_prompt_that_is_too_long_is_told_apart(refusal: Fault) -> None:
    with ModelServer([refusal]) as server:
        assert isinstance(model(server).reply(request()), PromptTooLong)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("refusal", "advice"),
    [
        pytest.param(unauthorised(), "ANTHROPIC_API_KEY", id="a key that is refused"),
        pytest.param(Fault(status=403), "ANTHROPIC_API_KEY", id="a key without access"),
        pytest.param(Fault(status=404), "models.ids", id="a model that is not known"),
        pytest.param(Fault(status=400, message="Your credit balance is too low"), "credit", id="an empty account"),
    ],
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(refusal: Fault, advice: str) -> None:
    with ModelServer([refusal]) as server:
        outcome = model(server).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert advice in outcome.advice
    assert len(server.requests) == 1


def test_no_error_text_has_the_key() -> None:
    with ModelServer([Fault(status=401, message=f"bad key {KEY}"), Fault(status=500, message=KEY)]) as server:
        adapter = model(server)
        for _ in range(2):
            assert KEY not in repr(adapter.reply(request(deadline=1_000_000.1)))
    assert KEY not in repr(AnthropicSettings(api_key=KEY))


@pytest.mark.parametrize("key", ["", "  \n", "ключ", "a b"])
def test_a_key_that_is_none_is_said_before_anything_is_sent(key: str) -> None:
    with ModelServer([]) as server:
        outcome = model(server, api_key=key).reply(request())
    assert isinstance(outcome, ProviderDown)
    assert "ANTHROPIC_API_KEY" in outcome.advice
    assert server.requests == []


def test_without_a_key_the_sdk_is_not_imported() -> None:
    program = """
import json, sys
from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.model.agent import ModelAlias, ModelRequest, UserTurn
model = AnthropicModel(AnthropicSettings(), SystemClock())
model.reply(ModelRequest(model=ModelAlias.SONNET, system="", turns=(UserTurn("x"),), max_tokens=1, deadline=9e9))
print(json.dumps(sorted(sys.modules)))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=root, check=True)
    assert {"anthropic", "httpx2", "genai_prices"}.isdisjoint(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("key", "loaded"),
    [pytest.param("sk-ant-x", True, id="a call can be made"), pytest.param("", False, id="no call can be made")],
)
def test_the_sdk_is_loaded_in_the_background_ahead_of_a_call(key: str, loaded: bool) -> None:
    program = f"""
import gc, sys, threading
from fixloop_bot.adapters.anthropic_model import AnthropicModel
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings
from fixloop_bot.adapters.clock import SystemClock
AnthropicModel(AnthropicSettings(api_key={key!r}), SystemClock()).prepare()
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
assert gc.isenabled()
sys.exit(0 if "anthropic" in sys.modules else 9)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == (0 if loaded else 9)


def test_another_id_and_an_unknown_price_are_told_honestly() -> None:
    with ModelServer([call("finish", status="done")]) as server:
        adapter = model(server, ids={"haiku": "claude-next-9"})
        asked = request(model=ModelAlias.HAIKU)
        assert adapter.quote(asked) is None
        reply = adapter.reply(asked)
    assert isinstance(reply, ModelReply)
    assert (reply.model_id, reply.cost_usd) == ("claude-next-9", None)
    assert server.requests[0].body["model"] == "claude-next-9"


def test_a_quote_is_never_less_than_the_price_of_what_was_sent() -> None:
    with ModelServer([say("done")]) as server:
        adapter = model(server, prices={"sonnet": ModelPrice(input=3, output=15)})
        asked = request(UserTurn("é" * 10_000))
        quote = adapter.quote(asked)
    assert quote is not None
    # every byte a token, all of it written to the cache, and every token of the reply used
    assert quote >= (20_000 * 2.5 + 1_000 * 10) / 1e6
