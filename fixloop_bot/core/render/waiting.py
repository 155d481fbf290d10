"""The question that a run waits with, kept in fixloop's comment, so that the answer needs nothing but the pull request.

What is read is a claim of the comment's text: who wrote the comment is for the caller to check, and whether the diff is
what was proposed is told by its hash.
"""

import base64
import binascii
import json
import re
import zlib
from dataclasses import asdict

from fixloop_bot.core.render.limits import FROZEN_PATCH, size
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Question, QuestionKind
from fixloop_bot.model.report import Report, ReportStatus

LONGEST = 30_000
"""Characters of the block; a comment holds 65,536."""
_UNPACKED = 2_000_000
"""Bytes that are unpacked at most."""
_BLOCK = re.compile(r"^<!-- fixloop:waiting ([A-Za-z0-9+/=]{4,30000}) -->$", re.MULTILINE)


def waiting_block(report: Report) -> str:
    """Return the hidden block of a run that waits; empty for any other, and for a diff that is too long for it."""
    if report.question is None or report.status is not ReportStatus.NEED_DECISION:
        return ""
    if size(report.question.patch) > FROZEN_PATCH:
        return ""
    packed = zlib.compress(json.dumps(asdict(report.question)).encode(), 9)
    block = f"<!-- fixloop:waiting {base64.b64encode(packed).decode()} -->"
    return block if len(block) <= LONGEST else ""


def read_waiting(body: str) -> Question | None:
    """Return the question in a comment, None for none, for more than one, and for any other shape."""
    found = _BLOCK.findall(body)
    if len(found) != 1:
        return None
    try:
        packed = base64.b64decode(found[0], validate=True)
        unpacked = zlib.decompressobj().decompress(packed, _UNPACKED)
        value = json.loads(unpacked)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return None
    return _question(value)


def _question(value: object) -> Question | None:
    if not isinstance(value, dict):
        return None
    try:
        return Question(
            layer=str(Layer(_text(value, "layer"))),
            question=_text(value, "question"),
            option_a=_text(value, "option_a"),
            option_b=_text(value, "option_b"),
            kind=QuestionKind(_text(value, "kind")),
            patch=_text(value, "patch"),
            patch_sha256=_text(value, "patch_sha256"),
            base=_text(value, "base"),
            about=_texts(value, "about"),
            verdicts=_texts(value, "verdicts"),
        )
    except (KeyError, ValueError):
        return None


def _text(value: dict[str, object], name: str) -> str:
    text = value[name]
    if not isinstance(text, str):
        raise ValueError(f"{name} is no text")  # noqa: TRY004 - one kind of wrong is enough
    return text


def _texts(value: dict[str, object], name: str) -> tuple[str, ...]:
    items = value[name]
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"{name} is no list of texts")
    return tuple(items)
