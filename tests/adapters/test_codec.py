"""A state survives its file, whatever is in it; a file that is not a state is refused with the reason."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixloop_bot.adapters.codec import CodecError, decode, dump_state, encode, load_state, state_schema, to_json_value
from fixloop_bot.core.redact import redactor
from fixloop_bot.model.agent import AssistantTurn, ModelReply, ToolCall, Usage
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState

st.register_type_strategy(float, st.floats(allow_nan=False) | st.just(float("inf")))
st.register_type_strategy(str, st.text(st.characters(), max_size=8))

SCHEMA = Path(__file__).parents[2] / "docs" / "state.schema.json"
STATES = st.builds(LoopState, schema=st.just("fixloop.state/1"))


@given(STATES)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_state_survives_its_file_and_fits_the_schema(state: LoopState) -> None:
    text = dump_state(state)

    assert text.isascii()
    assert load_state(text) == state
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(json.loads(text))


def test_the_published_schema_is_the_code_s() -> None:
    wanted = json.dumps(state_schema(), indent=2)
    assert SCHEMA.read_text() == f"{wanted}\n", "docs/state.schema.json is to be what codec.state_schema() returns"


def test_a_file_name_that_is_no_utf8_survives() -> None:
    state = LoopState(run_id="r", untracked_at_start=("caf\udce9.txt",), error_count_by_layer={Layer.LINT: 2})
    assert load_state(dump_state(state).encode()) == state


def test_a_reply_with_tool_calls_survives() -> None:
    call = ToolCall("c1", "edit_file", {"path": "a.py", "old": "\x00\u2028", "nested": {"x": [1, None, True]}})
    reply = ModelReply(turn=AssistantTurn("", (call,)), usage=Usage(1, 2, 3, 4), model_id="m", cost_usd=None)
    assert decode(encode(to_json_value(reply)), ModelReply) == reply


def test_no_secret_reaches_the_file() -> None:
    state = LoopState(run_id="r", error_context='KEY="hunter2-hunter2"\n')
    text = dump_state(state, redact=redactor(["hunter2-hunter2"]))
    assert "hunter2" not in text
    assert load_state(text).error_context == 'KEY="***"\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "not JSON", id="an empty file"),
        pytest.param(b"\xff\xfe", "not JSON", id="bytes that are no text"),
        pytest.param('{"schema": "fixloop.state/1", "run_id": "r"', "not JSON", id="a torn file"),
        pytest.param("[]", "schema None", id="another JSON value"),
        pytest.param('{"schema": "fixloop.state/2", "run_id": "r"}', "reads 'fixloop.state/1'", id="a newer schema"),
        pytest.param('{"schema": "fixloop.state/1"}', "run_id", id="a missing field"),
        pytest.param('{"schema": "fixloop.state/1", "run_id": "r", "phase": "x"}', "phase", id="an unknown phase"),
        pytest.param('{"schema": "fixloop.state/1", "run_id": "r", "spent_usd": NaN}', "NaN", id="not a number"),
        pytest.param("[" * 100_000, "not JSON", id="nested too deep"),
    ],
)
def test_what_is_no_state_is_refused_with_the_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        load_state(text)
