"""fixloop's own commits, told by their trailer."""

import pytest

from fixloop_bot.core.messages import clean_message, fix_message
from fixloop_bot.core.own_commit import is_own_message
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState

STATE = LoopState(run_id="20261130T120000-0a1b2c3d")


@pytest.mark.parametrize(
    "message",
    [
        fix_message(STATE, Layer.LINT, 1),
        clean_message(STATE, Layer.TEST, 0),
        "fix\r\n\r\nFixloop-Run: r1\r\n",
        "fix\n\nFixloop-Run: r1\nCo-authored-by: A <a@b.c>",
        "fix\n\nfixloop-run: r1",
    ],
    ids=["an attempt", "a clean layer", "from Windows", "with another trailer", "in other case, as git allows"],
)
def test_own(message: str) -> None:
    assert is_own_message(message)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Sell fruit",
        "Speak of Fixloop-Run: r1",
        "Squash\n\nFixloop-Run: r1\n\nand then my own work",
        "fix\n\n Fixloop-Run: r1",
        "fix\n\nFixloop-Run:\n",
        "fix\n\nFixloop-Runs: r1",
    ],
    ids=["empty", "plain", "in the subject", "quoted above the end", "indented", "without value", "another trailer"],
)
def test_not_own(message: str) -> None:
    assert not is_own_message(message)
