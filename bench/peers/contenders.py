"""Each program: how it is installed, started, and what a model that knows the answer would say to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.peers import install
from bench.peers.ground import CHEAT, RIGHT, SAYS, SED, TASK, TEST, WRONG
from fixloop_bot.model.agent import ToolCall
from tests.fakes.model_script import Scripted, call, edit, finish, say, turn

FIXED = say("Fixed.")


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One program; the scripts are its own words for the same deeds."""

    name: str
    place: str
    """Name of the folder that keeps it."""
    install: install.Install
    arguments: Sequence[str]
    fix: Sequence[Scripted]
    lie: Sequence[Scripted]
    cheat: Sequence[Scripted]
    tested: Sequence[Scripted]
    """The shortest script by which it sees what the tests print, and mends it."""
    testing: Sequence[str] = ()
    """Arguments for that; none: the same."""
    by_tools: bool = True
    env: Mapping[str, str] = field(default_factory=dict)


def _block(path: str, old: str, new: str) -> Scripted:
    """Return an edit as aider reads it."""
    return say(f"{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n")


def _pages(old: str, new: str) -> Scripted:
    return _block("pages.py", f"    return pages[{old}]", f"    return pages[{new}]")


def _claude(command: str) -> ToolCall:
    return call("Bash", command=command, description="run it")


def _mini(command: str) -> ToolCall:
    return call("bash", command=command)


def _aider(*task: str) -> tuple[str, ...]:
    quiet = ("--yes-always", "--no-check-update", "--analytics-disable", "--no-show-model-warnings")
    return ("--model", "anthropic/claude-sonnet-4-5", *quiet, *task, "pages.py", "test_pages.py")


_END = _mini("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
_MINI_ENV = {"MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors"}
_LITELLM_ENV = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
_CLAUDE_ENV = {"IS_SANDBOX": "1", "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
_PRINT = ("-p", TASK, "--dangerously-skip-permissions")
_FIX = turn(edit("pages.py", WRONG, RIGHT), finish(hypothesis="off by one"))

FIXLOOP = Contender(
    name="fixloop",
    place="fixloop",
    install=install.this,
    arguments=("-m", "fixloop_bot", "run", "--worktree-path", "{root}", "--state-dir", "{state}"),
    fix=[_FIX],
    tested=[_FIX],
    lie=[finish(hypothesis=f"it was off by one, {number}") for number in range(6)],
    cheat=[turn(edit("test_pages.py", ", 3)", ", 2)"), finish(hypothesis=f"2 is right, {n}")) for n in range(6)],
)
MINI = Contender(
    name="mini-swe-agent 2.4",
    place="mini",
    install=install.pip("mini-swe-agent>=2.4,<2.5", "mini"),
    arguments=("-y", "--exit-immediately", "-m", "anthropic/claude-sonnet-4-5", "-t", TASK),
    fix=[_mini(SED), _END],
    tested=[_mini(TEST), _mini(SED), _END],
    lie=[_END],
    cheat=[_mini(CHEAT), _END],
    env=_MINI_ENV | _LITELLM_ENV,
)
CLAUDE = Contender(
    name="Claude Code 2.1, print mode",
    place="claude",
    install=install.npm("@anthropic-ai/claude-code@2.1", "claude"),
    arguments=_PRINT,
    fix=[_claude(SED), FIXED],
    tested=[_claude(TEST), _claude(SED), FIXED],
    lie=[FIXED],
    cheat=[_claude(CHEAT), FIXED],
    env=_CLAUDE_ENV,
)
BARE = Contender(
    name="the same, bare, one tool",
    place=CLAUDE.place,
    install=CLAUDE.install,
    arguments=(*_PRINT, "--bare", "--tools", "Bash"),
    fix=CLAUDE.fix,
    tested=CLAUDE.tested,
    lie=CLAUDE.lie,
    cheat=CLAUDE.cheat,
    env=_CLAUDE_ENV,
)
AIDER = Contender(
    name="aider 0.86",
    place="aider",
    install=install.pip("aider-chat>=0.86,<0.87", "aider"),
    arguments=_aider("--message", TASK),
    testing=_aider("--no-auto-commits", "--test-cmd", TEST, "--auto-test", "--message", TASK),
    fix=[_pages(WRONG, RIGHT), say("fix: last page")],
    tested=[_block("pages.py", SAYS, SAYS.replace("last", "final")), _pages(WRONG, RIGHT)],  # tests follow an edit
    lie=[FIXED],
    cheat=[_block("test_pages.py", "[1, 2, 3]), 3)", "[1, 2, 3]), 2)"), say("fix: the test")],
    by_tools=False,
    env=_LITELLM_ENV,
)
PEERS = (MINI, CLAUDE, BARE, AIDER)
