"""What a repository's hooks and CI files say of a tool: that it is used, and with which options."""

import re
from collections.abc import Sequence

from fixloop_bot.checks.ecosystems.snapshot import Snapshot

PLACES = (".pre-commit-config.yaml", ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "azure-pipelines.yml")
WORKFLOWS = ".github/workflows/"
MAX_FILES = 60
AFTER = 300
"""Characters after a tool's name in which its options stand."""


def mentions(snapshot: Snapshot, tool: str) -> tuple[str, ...]:
    """Return what follows each mention of a tool, `AFTER` characters of it; empty where nothing names the tool."""
    named = re.compile(rf"(?<![\w.-]){re.escape(tool)}(?![\w.])")
    texts = (_without_comments(snapshot.text(path)) for path in _files(snapshot))
    return tuple(text[found.end() : found.end() + AFTER] for text in texts for found in named.finditer(text))


def options(snapshot: Snapshot, tool: str, option: re.Pattern[str]) -> tuple[str, ...]:
    """Return the options that the first mention with any gives the tool, of those that `option` matches whole."""
    for after in mentions(snapshot, tool):
        found = _options(after, option)
        if found:
            return found
    return ()


def _options(after: str, option: re.Pattern[str]) -> tuple[str, ...]:
    line = after.split("\n", 1)[0]
    listed = re.search(r"\bargs:\s{0,20}\[([^\]]{0,200})\]", after)
    words: Sequence[str] = re.split(r"[\s,]+", re.sub(r"[\"']", "", listed[1])) if listed else line.split()
    return tuple(word for word in words if option.fullmatch(word))


def _files(snapshot: Snapshot) -> list[str]:
    workflows = [path for path in snapshot.own if path.startswith(WORKFLOWS) and path.endswith((".yml", ".yaml"))]
    return [*(path for path in PLACES if snapshot.has(path)), *workflows[:MAX_FILES]]


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
