"""The words of one command line: from what stands after `/fixloop` to a command or an error that helps."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from fixloop_bot.model.comment_command import (
    ApproveCommand,
    CommandError,
    CommentCommand,
    DecideCommand,
    DenyCommand,
    HelpCommand,
    RevertCommand,
    RunCommand,
    RunOptions,
    StatusCommand,
    StopCommand,
)
from fixloop_bot.model.layer import Layer

RETRIES_RANGE: Final = (1, 10)
"""Numbers outside are clamped, as everywhere."""
MAX_USD: Final = 1000.0
MAX_DECISION_CHARACTERS: Final = 1000
MAX_LINE_CHARACTERS: Final = 2000
SHOWN_CHARACTERS: Final = 120

USAGE: Final[Mapping[str, str]] = {
    "run": "/fixloop [run] [--max-retries N] [--skip-compile] [--max-cost-usd X]",
    "status": "/fixloop status",
    "stop": "/fixloop stop",
    "decide": "/fixloop decide A|B [text]",
    "approve": "/fixloop approve",
    "deny": "/fixloop deny",
    "revert": "/fixloop revert LAYER|SHA",
    "help": "/fixloop help",
}
"""Every command and how it is written."""

_OPTIONS = ("--max-retries", "--skip-compile", "--max-cost-usd")
_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_MONEY = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,2})?", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{7,64}", re.ASCII)
_SPACE = re.compile(r"[ \t]+")
_DASHES = re.compile("^[-\u2010-\u2015\u2212]+")
_UNPRINTABLE = re.compile(r"[^ -~]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


class _Wrong(Exception):  # noqa: N818 - carries the fields of a CommandError, which is a value
    def __init__(self, problem: str, word: str = "", suggestion: str = "") -> None:
        super().__init__(problem)
        self.problem, self.word, self.suggestion = problem, word, suggestion


def parse_words(rest: str, *, name: str = "/fixloop") -> CommentCommand | CommandError:
    """Return the command of a line; `rest` is what follows its first word `name`. Never raises."""
    line = (name + rest).rstrip(" \t")
    words = [word for word in _SPACE.split(rest[:MAX_LINE_CHARACTERS].partition("<!--")[0]) if word]
    first = words[0].lower() if words else "run"
    is_option = bool(_DASHES.match(first))
    verb = "run" if is_option else first
    try:
        if len(line) > MAX_LINE_CHARACTERS:
            raise _Wrong(f"the line is longer than {MAX_LINE_CHARACTERS:,} characters")
        if name.lower() != "/fixloop":
            raise _Wrong("unknown command", name, " ".join(("/fixloop", *words[:1])))
        if verb not in USAGE:
            raise _Wrong("unknown command", words[0], _closest(first, tuple(USAGE)))
        return _PARSERS[verb](words if is_option else words[1:])
    except _Wrong as wrong:
        return CommandError(
            line=_shown(line),
            problem=wrong.problem,
            word=_shown(wrong.word),
            suggestion=_shown(wrong.suggestion),
            usage=USAGE.get(verb, USAGE["help"]),
        )


def _shown(text: str) -> str:
    """Return foreign text in printable ASCII, bounded, so that what looks alike shows its difference."""
    cut = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", cut)


def _closest(word: str, known: tuple[str, ...]) -> str:
    return next(iter(get_close_matches(word[:SHOWN_CHARACTERS], known, n=1, cutoff=0.6)), "")


def _run(words: list[str]) -> CommentCommand:
    options, seen, rest = RunOptions(), set[str](), iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        name = name.lower()
        if name not in _OPTIONS:
            raise _misplaced(word)
        if name in seen:
            raise _Wrong("the option is given twice", name)
        seen.add(name)
        options = _with_option(options, name, value if equals or name == "--skip-compile" else next(rest, ""))
        if name == "--skip-compile" and equals:
            raise _Wrong("the option takes no value", word, name)
    return RunCommand(options)


def _misplaced(word: str) -> _Wrong:
    """Return what is wrong with a word among the options; phones make one long dash of two hyphens."""
    if not _DASHES.match(word):
        return _Wrong("unexpected word", word)
    return _Wrong("unknown option", word, _closest(_DASHES.sub("--", word.lower()), _OPTIONS))


def _with_option(options: RunOptions, name: str, value: str) -> RunOptions:
    match name:
        case "--max-retries":
            return replace(options, max_retries=_retries(value))
        case "--max-cost-usd":
            return replace(options, max_cost_usd=_dollars(value))
        case _:
            return replace(options, skip_compile=True)


def _retries(value: str) -> int:
    if not _WHOLE.fullmatch(value):
        raise _Wrong("--max-retries needs a whole number from 1 to 10", value, "--max-retries 3")
    low, high = RETRIES_RANGE
    return min(max(int(value), low), high)


def _dollars(value: str) -> float:
    if not _MONEY.fullmatch(value) or not 0 < float(value) <= MAX_USD:
        raise _Wrong("--max-cost-usd needs US dollars from 0.01 to 1000", value, "--max-cost-usd 1.50")
    return float(value)


def _decide(words: list[str]) -> CommentCommand:
    option, text = (words[0].upper() if words else ""), _CONTROL.sub("", " ".join(words[1:]))
    if len(text) > MAX_DECISION_CHARACTERS:
        raise _Wrong(f"the text is longer than {MAX_DECISION_CHARACTERS:,} characters")
    match option:
        case "A" | "B":
            return DecideCommand(option, text)
        case _:
            raise _Wrong("decide needs A or B", words[0] if words else "", "/fixloop decide A")


def _revert(words: list[str]) -> CommentCommand:
    target = words[0].lower() if words else ""
    if len(words) > 1:
        raise _Wrong("unexpected word", words[1])
    if target in tuple(Layer):
        return RevertCommand(Layer(target))
    if _SHA.fullmatch(target):
        return RevertCommand(target)
    close = _closest(target, tuple(Layer))
    raise _Wrong("revert needs a layer or a commit id of at least 7 digits", words[0] if words else "", close)


def _bare(command: CommentCommand) -> Callable[[list[str]], CommentCommand]:
    """Return a parser for a command that takes no words."""

    def parse(words: list[str]) -> CommentCommand:
        if words:
            raise _Wrong("unexpected word", words[0])
        return command

    return parse


_PARSERS: Mapping[str, Callable[[list[str]], CommentCommand]] = {
    "run": _run,
    "status": _bare(StatusCommand()),
    "stop": _bare(StopCommand()),
    "decide": _decide,
    "approve": _bare(ApproveCommand()),
    "deny": _bare(DenyCommand()),
    "revert": _revert,
    "help": _bare(HelpCommand()),
}
