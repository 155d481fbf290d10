"""Each program: how it is installed, started, and what a model that knows the answer would say to it."""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers.ground import CHEAT, RIGHT, SED, TASK, TEST, WRONG
from fixloop_bot.model.agent import ToolCall
from tests.fakes.model_script import Scripted, call, edit, finish, say, turn

PLACE = Path(__file__).parents[2] / "build" / "bench-peers"
"""Kept between runs: they are large."""
FIXED = say("Fixed.")


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One program; the scripts are its own words for the same deeds."""

    name: str
    place: str
    """Name of the folder that keeps it."""
    install: Callable[[Path], str]
    """Install into a folder, if it is not there; return the program. Raises CalledProcessError."""
    arguments: Sequence[str]
    fix: Sequence[Scripted]
    lie: Sequence[Scripted]
    cheat: Sequence[Scripted]
    look: ToolCall | None = None
    """Running the tests first; None: it sends what they say by itself, or never."""
    by_tools: bool = True
    env: Mapping[str, str] = field(default_factory=dict)


def _pip(package: str, program: str) -> Callable[[Path], str]:
    def install(folder: Path) -> str:
        if not (folder / "bin" / program).exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            subprocess.run(
                [str(folder / "bin" / "pip"), "install", "--quiet", package], check=True, capture_output=True
            )
        return str(folder / "bin" / program)

    return install


def _npm(package: str, program: str) -> Callable[[Path], str]:
    def install(folder: Path) -> str:
        found = folder / "node_modules" / ".bin" / program
        if not found.exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
            subprocess.run(command, check=True, capture_output=True)
        return str(found)

    return install


def _itself(_folder: Path) -> str:
    return sys.executable


def _block(path: str, old: str, new: str) -> Scripted:
    """Return an edit as aider reads it."""
    return say(f"{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n")


def _claude(command: str) -> ToolCall:
    return call("Bash", command=command, description="run it")


def _mini(command: str) -> ToolCall:
    return call("bash", command=command)


_END = _mini("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
_CLAUDE_ENV = {"IS_SANDBOX": "1", "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
_CLAUDE = _npm("@anthropic-ai/claude-code@2.1", "claude")
_OLD, _NEW = f"    return pages[{WRONG}]", f"    return pages[{RIGHT}]"

FIXLOOP = Contender(
    name="fixloop",
    place="fixloop",
    install=_itself,
    arguments=("-m", "fixloop_bot", "run", "--worktree-path", "{root}", "--state-dir", "{state}"),
    fix=[turn(edit("pages.py", WRONG, RIGHT), finish(hypothesis="off by one"))],
    lie=[finish(hypothesis=f"it was off by one, {number}") for number in range(6)],
    cheat=[turn(edit("test_pages.py", ", 3)", ", 2)"), finish(hypothesis=f"2 is right, {n}")) for n in range(6)],
)
PEERS = (
    Contender(
        name="mini-swe-agent 2.4",
        place="mini",
        install=_pip("mini-swe-agent>=2.4,<2.5", "mini"),
        arguments=("-y", "--exit-immediately", "-m", "anthropic/claude-sonnet-4-5", "-t", TASK),
        fix=[_mini(SED), _END],
        lie=[_END],
        cheat=[_mini(CHEAT), _END],
        look=_mini(TEST),
        env={
            "MSWEA_CONFIGURED": "true",
            "MSWEA_COST_TRACKING": "ignore_errors",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        },
    ),
    Contender(
        name="Claude Code 2.1, print mode",
        place="claude",
        install=_CLAUDE,
        arguments=("-p", TASK, "--dangerously-skip-permissions"),
        fix=[_claude(SED), FIXED],
        lie=[FIXED],
        cheat=[_claude(CHEAT), FIXED],
        look=_claude(TEST),
        env=_CLAUDE_ENV,
    ),
    Contender(
        name="the same, bare",
        place="claude",
        install=_CLAUDE,
        arguments=("-p", TASK, "--dangerously-skip-permissions", "--bare", "--tools", "Bash"),
        fix=[_claude(SED), FIXED],
        lie=[FIXED],
        cheat=[_claude(CHEAT), FIXED],
        look=_claude(TEST),
        env=_CLAUDE_ENV,
    ),
    Contender(
        name="aider 0.86",
        place="aider",
        install=_pip("aider-chat>=0.86,<0.87", "aider"),
        arguments=(
            *("--model", "anthropic/claude-sonnet-4-5", "--yes-always", "--no-check-update", "--analytics-disable"),
            *("--no-show-model-warnings", "--message", TASK, "pages.py", "test_pages.py"),
        ),
        fix=[_block("pages.py", _OLD, _NEW), say("fix: last page")],
        lie=[FIXED],
        cheat=[_block("test_pages.py", "[1, 2, 3]), 3)", "[1, 2, 3]), 2)"), say("fix: the test")],
        by_tools=False,
        env={"LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    ),
)
