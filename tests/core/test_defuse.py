"""Foreign text on standard output gives a GitHub runner no command."""

import json

import pytest

from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.status_line import one_line

COMMANDS = [
    "::add-mask::x",
    "::set-output name=a::b",
    "  ::error::x",
    "\t::stop-commands::x",
    "text\r::warning::x",
    "text\n::group::x",
    "##[command]x",
    "text ##[set-env name=A;]b",
    "###[add-path]x",
]


def obeyed(text: str) -> bool:
    """Return whether a runner would take a line for a command (actions/runner, ActionCommand.TryParse)."""
    lines = text.replace("\r", "\n").split("\n")
    return any(line.lstrip().startswith("::") or "##[" in line for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_is_left(command: str) -> None:
    assert obeyed(command)
    for text in (command, f"before\n{command}\nafter", command * 3):
        assert not obeyed(defused(text))
        assert "##[" not in one_line(text)


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_the_same_value_and_holds_no_command(command: str) -> None:
    value = {command: [command, {"output": f"x\n{command}"}]}
    assert json.loads(json_text(value)) == value
    assert not obeyed(json_text(value))


def test_ordinary_text_stays_as_it_is() -> None:
    text = "std::vector<int> x; // ## [heading]\n  a::b\nfn main() { ::std::env }\n# [link]"
    assert defused(text) == text.replace("\n  ::", "\n  \u2502 ::")
