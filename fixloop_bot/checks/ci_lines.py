"""Which layer a line of a CI step's script belongs to, if it looks like a check at all."""

import re

from fixloop_bot.checks.registry import GENERIC, TOOLS, recognise
from fixloop_bot.model.layer import Layer

MAX_LINE = 500
"""Characters; a longer line is no command to suggest."""
_NO_CHECK = re.compile(
    r"\b(?:install|upload|download|publish|deploy|push|login|codecov|coveralls)\b"
    r"|^\S+\s+(?:ci|sync|restore|add|cache|clean|fetch)\b"
    r"|^(?:echo|cd|export|source|\.|mkdir|cp|mv|rm|curl|wget|git|docker|sudo|apt|apt-get|brew|set|if|for|fi|done|exit)\b"
    r"|--(?:fix|write)\b"
)
_RUNNER = re.compile(
    r"^(?:npm|pnpm|yarn|bun|npx|uv|poetry|pdm|hatch|tox|nox|make|just|task|cargo|go|mvn|gradle|\./\w|\.?/?gradlew|bundle"
    r"|rake|composer|dotnet|ctest|cmake|python|python3|pre-commit|bin/\w|scripts?/\w)"
)
_LINT_WORDS = r"\b(?:lint|linters?|eslint|style|fmt|format|clippy|pre-commit|rubocop|checkstyle)\b"
_COMPILE_WORDS = r"\b(?:build|compile|typecheck|type-check|types?|tsc|mypy|pyright|vet)\b"
_WORDS = (
    (Layer.TEST, re.compile(r"\b(?:e2e|unit|spec|pytest|jest|vitest|ctest|verify|tests?)\b", re.IGNORECASE)),
    (Layer.LINT, re.compile(_LINT_WORDS, re.IGNORECASE)),
    (Layer.COMPILE, re.compile(_COMPILE_WORDS, re.IGNORECASE)),
)
_COMPILERS = frozenset({"tsc", "mypy", "pyright", "compileall", "node-check"})


def layer_of(line: str) -> Layer | None:
    """Return the layer that a shell line would check, None for a line that does something else."""
    text = line.strip()
    if not text or len(text) > MAX_LINE or text.startswith("#") or "${{" in text:
        return None
    tool = recognise(text)
    if tool != GENERIC:
        return _layer_of_tool(tool) if "--fix" not in text and "--write" not in text else None
    if _NO_CHECK.search(text) or not _RUNNER.match(text):
        return None
    return next((layer for layer, words in _WORDS if words.search(text)), None)


def _layer_of_tool(tool: str) -> Layer:
    if TOOLS[tool].runs_tests:
        return Layer.TEST
    return Layer.COMPILE if tool in _COMPILERS else Layer.LINT
