"""A rule's name for compilers that number nothing: the constant words of their messages."""

import re

_NAMED = re.compile(
    r"\b(variable|method|class|constructor|interface|enum|record|package|exception|function|property|parameter)"
    r" (?!is\b|does\b|cannot\b|in\b)[\w.$<>\[\],?]+(?:\([^()]{0,300}\))?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|`[^`\n]{0,300}`|<[^<>\n]{1,100}>|\([^()\n]{0,300}\)")
_WORD = re.compile(r"^[a-z][a-z-]*$")
_ENDS = re.compile(r"[:;,.]\s|[:;,.]$")
_MAX_WORDS = 12


def rule_of(message: str) -> str | None:
    """Return `cannot-find-symbol` for `cannot find symbol`: what is left without names, quotes and details."""
    plain = _NAMED.sub(r"\1", _QUOTED.sub(" ", message[:500]))
    head = _ENDS.split(plain, maxsplit=1)[0]
    words = [word for word in (head[:1].lower() + head[1:]).split() if _WORD.match(word)]
    return "-".join(words[:_MAX_WORDS]) or None
