"""What inputs point at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.targets import to_target
from fixloop_bot.model.event import Ignored, Target


@pytest.mark.parametrize(
    ("inputs", "target"),
    [
        ({"pull-request": "12"}, Target(pull_request=12)),
        ({"pull-request": "#12"}, Target(pull_request=12)),
        ({"pull-request": " 12 "}, Target(pull_request=12)),
        ({"pull_request": 12}, Target(pull_request=12)),
        ({"pull-request": 12.0}, Target(pull_request=12)),
        ({"pull-request": False, "branch": None}, Target()),
        ({"branch": "refs/heads/release/1"}, Target(branch="release/1")),
        ({"branch": "fix#1+2,(3)"}, Target(branch="fix#1+2,(3)")),
        ({"something": "else"}, Target()),
    ],
    ids=["a number", "with a hash", "with blanks", "a real number", "a float", "nothing", "a ref", "odd", "unknown"],
)
def test_a_target(inputs: dict[str, object], target: Target) -> None:
    assert to_target(inputs) == target


@pytest.mark.parametrize(
    "inputs",
    [
        {"pull-request": "1", "branch": "main"},
        {"pull-request": "0"},
        {"pull-request": "-1"},
        {"pull-request": "1 2"},
        {"pull-request": "\uff11\uff12"},
        {"pull-request": "9" * 30},
        {"branch": "--upload-pack=x"},
        {"branch": "a\nb"},
        {"branch": "x" * 1001},
    ],
    ids=["both", "zero", "negative", "two numbers", "wide digits", "too large", "an option", "two lines", "too long"],
)
def test_no_target(inputs: dict[str, object]) -> None:
    assert isinstance(to_target(inputs), Ignored)


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@given(st.dictionaries(st.sampled_from(["pull-request", "pull_request", "branch"]), VALUES | st.lists(VALUES)))
def test_no_input_raises(inputs: dict[str, object]) -> None:
    to_target(inputs)
